import AdCore
import AdMarkup

/// The sound tracks of an MP4 file (ISO/IEC 14496-12), to tell why a video is silent.
struct MediaAudio: Hashable, Sendable {
    /// The sample entry, as in `mp4a` or `ac-3`.
    let codec: String
    /// Nil if the description of the codec does not say it; that of the sample entry is 2 in most files, whatever there is.
    let channels: Int?

    /// The maximum number of boxes that are read.
    private static let boxLimit = 2_000

    /// The sound tracks of a file; empty for other formats.
    static func tracks(of bytes: [UInt8]) -> [MediaAudio] {
        guard bytes.count >= 12, bytes[4..<8].elementsEqual("ftyp".utf8) else { return [] }
        var (tracks, left): ([MediaAudio], Int) = ([], self.boxLimit)
        // The boxes that hold others, on the way to the description of the samples.
        let containers = ["moov", "trak", "mdia", "minf", "stbl"]
        var open = [bytes[...]]
        while let content = open.popLast() {
            var rest = content
            while rest.count >= 8, left > 0 {
                left -= 1
                var (size, head) = (self.number(rest, 0, 4) ?? 0, 8)
                if size == 1, let long = self.number(rest, 8, 8) { (size, head) = (long, 16) }
                if size == 0 { size = rest.count }
                guard size >= head, size <= rest.count else { break }
                let name = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
                let body = rest.prefix(size).dropFirst(head)
                if containers.contains(name) { open.append(body) }
                if name == "stsd" { tracks += self.entries(body) }
                rest = rest.dropFirst(size)
            }
        }
        return tracks
    }

    /// The sound entries of a description of samples (§12.2.3).
    private static func entries(_ body: ArraySlice<UInt8>) -> [MediaAudio] {
        guard let size = self.number(body, 8, 4), size >= 36, size <= body.count - 8 else { return [] }
        let entry = body.dropFirst(8).prefix(size)
        let codec = String(decoding: entry.dropFirst(4).prefix(4), as: UTF8.self)
        guard let known = MediaCodec.named(codec), known.isSound else { return [] }
        return [MediaAudio(codec: codec, channels: self.channels(entry.dropFirst(36)))]
    }

    /// The number of channels by the boxes of a sound entry: `esds` (ISO/IEC 14496-1) and `dac3` (ETSI TS 102 366).
    private static func channels(_ boxes: ArraySlice<UInt8>) -> Int? {
        var rest = boxes
        while rest.count >= 8, let size = self.number(rest, 0, 4), size >= 8, size <= rest.count {
            let body = rest.prefix(size).dropFirst(8)
            switch String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self) {
            case "esds": return self.aacChannels(body.dropFirst(4))
            case "dac3":
                guard let bits = self.number(body, 0, 3) else { return nil }
                // fscod 2, bsid 5, bsmod 3, acmod 3, lfeon 1 bits.
                return [2, 1, 2, 3, 3, 4, 4, 5][bits >> 11 & 7] + (bits >> 10 & 1)
            default: rest = rest.dropFirst(size)
            }
        }
        return nil
    }

    /// The channels of an AudioSpecificConfig, which is in the descriptors 3, 4 and 5 (ISO/IEC 14496-3 §1.6.2.1).
    private static func aacChannels(_ descriptors: ArraySlice<UInt8>) -> Int? {
        var rest = descriptors
        // What is before the next descriptor: an id and flags, and the description of the stream.
        for (tag, skipped) in [(3, 3), (4, 13), (5, 0)] {
            guard self.number(rest, 0, 1) == tag else { return nil }
            rest = rest.dropFirst(1)
            // A size of up to four bytes.
            for _ in 0..<3 where (rest.first ?? 0) & 0x80 != 0 { rest = rest.dropFirst(1) }
            rest = rest.dropFirst(1 + skipped)
        }
        // The type of object 5, the rate 4 and the configuration of channels 4 bits; 7 is eight channels.
        guard let bits = self.number(rest, 0, 2), bits >> 11 != 31, bits >> 7 & 15 != 15 else { return nil }
        let count = bits >> 3 & 15
        return count == 0 || count > 7 ? nil : count == 7 ? 8 : count
    }

    private static func number(_ bytes: ArraySlice<UInt8>, _ offset: Int, _ count: Int) -> Int? {
        let digits = bytes.dropFirst(offset).prefix(count)
        guard digits.count == count, count < 8 || digits.first.map({ $0 < 0x80 }) == true else { return nil }
        return digits.reduce(0) { $0 << 8 | Int($1) }
    }
}

extension FetchedMedia {
    /// What is to be told of the sound of a file that is played; nil for nothing.
    func soundMessage(_ address: String) -> (level: ConsoleMessage.Level, text: String)? {
        guard let first = self.audio.first else { return nil }
        let name = { (audio: MediaAudio) in audio.codec + (audio.channels.map { " with \($0) channels" } ?? "") }
        let decodable = self.audio.filter { audio in
            MediaCodec.named(audio.codec).map { !MediaCodec.undecodableInBrowsers.contains($0) } ?? false
        }
        guard let played = decodable.first else {
            let text =
                "\(address) is played without sound: \(name(first)) can't be decoded; add a file with AAC in stereo"
            return (.warning, text)
        }
        guard decodable.allSatisfy({ ($0.channels ?? 0) > 2 }) else { return nil }
        return (.info, "\(address) has no stereo sound: \(name(played)) is mixed down; add a track in stereo")
    }
}
