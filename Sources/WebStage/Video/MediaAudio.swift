import AdCore
import AdMarkup

/// The sound tracks of an MP4 file (ISO/IEC 14496-12), to tell why a video is silent.
struct MediaAudio: Hashable, Sendable {
    /// The sample entry, as in `mp4a` or `ac-3`.
    let codec: String
    let channels: Int

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
        return [MediaAudio(codec: codec, channels: self.number(entry, 24, 2) ?? 0)]
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
        let isDecodable = { (audio: MediaAudio) in
            MediaCodec.named(audio.codec).map { !MediaCodec.undecodableInBrowsers.contains($0) } ?? false
        }
        let sound = "\(first.codec), \(first.channels) channels"
        if !self.audio.contains(where: isDecodable) {
            return (
                .warning, "\(address) is played without sound: \(sound) can't be decoded; add a file with AAC in stereo"
            )
        }
        guard self.audio.allSatisfy({ $0.channels > 2 }) else { return nil }
        return (.info, "\(address) has no stereo sound: \(sound) are mixed down; add a track in stereo")
    }
}
