/// The part of a stored media file that answers a range request (RFC 9110 §14).
package struct MediaRange: Hashable, Sendable {
    /// The maximum size of an answer, in bytes, in engines that get it as one base64 message.
    package static let byteLimit = 1 << 20

    /// The bytes of the answer; empty if the range is not satisfiable.
    let bytes: Range<Int>
    /// The size of the whole file.
    let size: Int

    /// The answer to a `Range` header; without a valid one, the start of the file.
    init(_ range: String?, of size: Int, limit: Int = MediaRange.byteLimit) {
        self.size = max(0, size)
        let (first, last) = MediaRange.bounds(range ?? "") ?? (0, nil)
        var start = first ?? 0
        var end = self.size
        switch (first, last) {
        case (nil, let count?): start = max(0, self.size - count)
        case (_?, let last?) where last < self.size: end = last + 1
        default: break
        }
        self.bytes = start < end ? start..<min(end, start + limit) : 0..<0
    }

    /// The answer to a `Range` header; nil for one that must be ignored (RFC 9110 §14.2).
    init?(valid range: String, of size: Int) {
        guard MediaRange.bounds(range) != nil else { return nil }
        self.init(range, of: size)
    }

    /// The status of the answer: 206 or 416.
    var status: Int { self.bytes.isEmpty ? 416 : 206 }

    /// The headers of the answer; `type` is the file's media type.
    func headers(type: String) -> [EngineHeader] {
        let range = self.bytes.isEmpty ? "*" : "\(self.bytes.lowerBound)-\(self.bytes.upperBound - 1)"
        return [
            EngineHeader("Content-Type", type), EngineHeader("Accept-Ranges", "bytes"),
            EngineHeader("Content-Range", "bytes \(range)/\(self.size)"), EngineHeader("Cache-Control", "no-store"),
        ]
    }

    /// Parses `bytes=3-7`, `bytes=3-` or `bytes=-7`; nil for other texts.
    private static func bounds(_ text: String) -> (first: Int?, last: Int?)? {
        guard text.hasPrefix("bytes="), !text.contains(",") else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = self.number(ends[0]), let last = self.number(ends[1]) else { return nil }
        guard first != nil || last != nil else { return nil }
        if let first, let last, last < first { return nil }
        return (first, last)
    }

    /// Parses digits: `.some(nil)` for an empty text, nil for other characters.
    private static func number(_ text: Substring) -> Int?? {
        if text.isEmpty { return .some(nil) }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else { return nil }
        return .some(number)
    }
}
