import AdCore

/// The container format and duration of a video file, read from its first bytes.
struct MediaHead: Equatable, Sendable {
    enum Kind: Equatable, Sendable { case mp4, webm }

    let kind: Kind
    /// The duration; nil if it is not in the first bytes.
    let duration: Duration?

    /// The number of bytes that are read.
    static let length = 65_536

    /// Reads the first bytes of a file; nil for an unknown format.
    init?(_ bytes: [UInt8]) {
        if bytes.count >= 12, bytes[4..<8].elementsEqual("ftyp".utf8) {
            self.kind = .mp4
            self.duration = MP4.duration(bytes[...])
        } else if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            self.kind = .webm
            self.duration = WebM.duration(bytes)
        } else {
            return nil
        }
    }

    /// Whether the file's format is that of a MIME type.
    func matches(_ type: String) -> Bool {
        switch self.kind {
        case .mp4: type == "video/mp4"
        case .webm: type == "video/webm"
        }
    }
}

/// Nested boxes with a 4-byte size, a 4-byte name and their content (ISO/IEC 14496-12).
private enum MP4 {
    static func duration(_ bytes: ArraySlice<UInt8>) -> Duration? {
        var rest = bytes
        while rest.count >= 8 {
            let size = Int(self.number(rest, 0, 4) ?? 0)
            let name = rest.dropFirst(4).prefix(4)
            // The content of a box is read by the same loop and not by recursion, because boxes may be nested deeply.
            if name.elementsEqual("moov".utf8) {
                rest = rest.dropFirst(8)
                continue
            }
            if name.elementsEqual("mvhd".utf8) { return self.header(rest.dropFirst(8)) }
            guard size >= 8, size < rest.count else { return nil }
            rest = rest.dropFirst(size)
        }
        return nil
    }

    private static func header(_ bytes: ArraySlice<UInt8>) -> Duration? {
        let isLong = bytes.first == 1
        guard let scale = self.number(bytes, isLong ? 20 : 12, 4), scale > 0,
            let length = self.number(bytes, isLong ? 24 : 16, isLong ? 8 : 4)
        else { return nil }
        return MediaHead.plausible(Double(length) / Double(scale))
    }

    private static func number(_ bytes: ArraySlice<UInt8>, _ offset: Int, _ count: Int) -> UInt64? {
        let digits = bytes.dropFirst(offset).prefix(count)
        guard digits.count == count else { return nil }
        return digits.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// Matroska elements.
///
/// The duration is a floating-point number, usually in milliseconds.
private enum WebM {
    static func duration(_ bytes: [UInt8]) -> Duration? {
        guard let at = bytes.indices.first(where: { self.isDuration(bytes, $0) }) else { return nil }
        let count = Int(bytes[at + 2] & 0x7F)
        let bits = bytes[(at + 3)..<(at + 3 + count)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let value = count == 8 ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(bits)))
        return MediaHead.plausible(value / 1000)
    }

    /// Whether the bytes at an index are the id of Duration, followed by a size of 4 or 8.
    private static func isDuration(_ bytes: [UInt8], _ at: Int) -> Bool {
        guard at + 11 <= bytes.count, bytes[at] == 0x44, bytes[at + 1] == 0x89 else { return false }
        return bytes[at + 2] == 0x84 || bytes[at + 2] == 0x88
    }
}

extension MediaHead {
    /// The duration, if it is between zero and one day.
    fileprivate static func plausible(_ seconds: Double) -> Duration? {
        guard seconds > 0, seconds < 86_400 else { return nil }
        return .milliseconds(Int64((seconds * 1000).rounded()))
    }
}
