/// How long an animated image runs with its repetitions: GIF, APNG (the chunks `acTL` and `fcTL` of PNG) or WebP.
struct ImageAnimation: Hashable, Sendable {
    /// At most a day; nil if it has no end.
    let length: Duration?

    private static let longest = Duration.seconds(86_400)

    /// Reads an image; nil if it stands still or can't be read.
    init?(_ bytes: [UInt8]) {
        let reader = ByteReader(bytes)
        guard let frames = Self.gif(reader) ?? Self.png(reader) ?? Self.webp(reader), frames.count > 1 else {
            return nil
        }
        self.length = frames.plays.map { min(.milliseconds(frames.milliseconds) * $0, Self.longest) }
    }

    /// The frames of an image.
    private struct Frames {
        var count = 0
        /// The time of one round.
        var milliseconds = 0
        /// How often they are shown; nil without an end.
        var plays: Int? = 1
        /// With more of them the whole time might be no `Duration`.
        private static let limit = 100_000

        /// Adds a frame; browsers show one of at most 10 ms for 100 ms.
        mutating func add(_ delay: Int) {
            guard self.count < Frames.limit else { return }
            self.count += 1
            self.milliseconds += delay <= 10 ? 100 : delay
        }
    }

    private static func gif(_ reader: ByteReader) -> Frames? {
        guard ["GIF89a", "GIF87a"].contains(reader.text(0, 6)), let flags = reader[10] else {
            return nil
        }
        var frames = Frames()
        var (at, delay) = (13 + self.tableSize(flags), 0)
        while let kind = reader[at] {
            switch kind {
            case 0x21:
                if reader[at + 1] == 0xF9 { delay = (reader.little(at + 4, 2) ?? 0) * 10 }
                let isLoop = ["NETSCAPE2.0", "ANIMEXTS1.0"].contains(reader.text(at + 3, 11)) && reader[at + 15] == 1
                // It repeats so many times after the first round.
                if reader[at + 1] == 0xFF, isLoop, let count = reader.little(at + 16, 2) {
                    frames.plays = count == 0 ? nil : count + 1
                }
                at = self.end(ofBlocks: at + 2, in: reader)
            case 0x2C:
                frames.add(delay)
                delay = 0
                at = self.end(ofBlocks: at + 11 + self.tableSize(reader[at + 9] ?? 0), in: reader)
            default: return frames
            }
        }
        return frames
    }

    /// The size of a color table, by the flags of its descriptor.
    private static func tableSize(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    /// The end of a list of blocks, each with its size before it.
    private static func end(ofBlocks start: Int, in reader: ByteReader) -> Int {
        var at = start
        while let size = reader[at], size > 0 { at += 1 + Int(size) }
        return at + 1
    }

    private static func png(_ reader: ByteReader) -> Frames? {
        guard reader.text(1, 3) == "PNG", reader[0] == 0x89 else { return nil }
        var (frames, at) = (Frames(), 8)
        while let size = reader.big(at, 4), let type = reader.text(at + 4, 4) {
            switch type {
            case "acTL": frames.plays = reader.big(at + 12, 4).flatMap { $0 == 0 ? nil : $0 }
            case "fcTL":
                let (part, whole) = (reader.big(at + 28, 2) ?? 0, reader.big(at + 30, 2) ?? 0)
                frames.add(part * 1000 / (whole == 0 ? 100 : whole))
            default: break
            }
            at += 12 + size
        }
        return frames
    }

    private static func webp(_ reader: ByteReader) -> Frames? {
        guard reader.text(0, 4) == "RIFF", reader.text(8, 4) == "WEBP" else { return nil }
        var (frames, at) = (Frames(), 12)
        while let type = reader.text(at, 4), let size = reader.little(at + 4, 4) {
            switch type {
            case "ANIM": frames.plays = reader.little(at + 12, 2).flatMap { $0 == 0 ? nil : $0 }
            case "ANMF": frames.add(reader.little(at + 20, 3) ?? 0)
            default: break
            }
            at += 8 + size + size % 2
        }
        return frames
    }
}

/// Reads numbers and names at positions of a file; nil beyond its end.
private struct ByteReader {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    subscript(at: Int) -> UInt8? { self.bytes.indices.contains(at) ? self.bytes[at] : nil }

    /// A number with its greatest part first.
    func big(_ at: Int, _ count: Int) -> Int? { self.slice(at, count)?.reduce(0) { $0 << 8 | Int($1) } }

    /// A number with its least part first.
    func little(_ at: Int, _ count: Int) -> Int? { self.slice(at, count)?.reversed().reduce(0) { $0 << 8 | Int($1) } }

    func text(_ at: Int, _ count: Int) -> String? { self.slice(at, count).map { String(decoding: $0, as: UTF8.self) } }

    private func slice(_ at: Int, _ count: Int) -> ArraySlice<UInt8>? {
        at >= 0 && at + count <= self.bytes.count ? self.bytes[at..<at + count] : nil
    }
}
