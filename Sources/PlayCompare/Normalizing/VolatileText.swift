import AdCore

/// Replaces the parts of a text that differ between two runs of the same ad.
struct VolatileText {
    private let bytes: [UInt8]
    private var at = 0
    private(set) var result: [UInt8] = []

    static let id = "{id}"
    static let time = "{time}"
    static let port = "{port}"
    /// The least number of digits of an id, of hexadecimal digits of one, and the length of a UUID.
    private static let minDigits = 8
    private static let minHexDigits = 16
    private static let uuidLength = 36
    /// How many names before a token are kept.
    private static let maxNames = 3

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        self.result.reserveCapacity(bytes.count)
        while self.at < bytes.count {
            if bytes[self.at] == UInt8(ascii: ":"), let end = self.endOfLoopbackPort() {
                self.result += ":\(VolatileText.port)".utf8
                self.at = end
            } else if bytes[self.at].isWordByte {
                if let end = TimestampText.end(in: bytes, from: self.at) {
                    self.result += VolatileText.time.utf8
                    self.at = end
                } else {
                    let end = bytes[self.at...].firstIndex { !$0.isWordByte } ?? bytes.count
                    self.add(bytes[self.at..<end])
                    self.at = end
                }
            } else {
                self.result.append(bytes[self.at])
                self.at += 1
            }
        }
    }

    /// The end of the port at a colon, if a host of this computer is before it.
    private func endOfLoopbackPort() -> Int? {
        let digits = self.bytes[(self.at + 1)...].prefix { $0.isDigit }
        guard (1...5).contains(digits.count) else { return nil }
        let host = self.bytes[..<self.at].suffix(32).reversed().prefix { $0.isWordByte || ".[]:".utf8.contains($0) }
        let name = String(decoding: host.reversed(), as: UTF8.self).asciiLowercased
        let isLoopback = name == "localhost" || name.hasSuffix(".localhost") || name.hasSuffix("[::1]")
        return isLoopback || VolatileText.isLoopbackAddress(name) ? digits.endIndex : nil
    }

    private static func isLoopbackAddress(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Adds a run of letters, digits, `-` and `_`.
    private mutating func add(_ run: ArraySlice<UInt8>) {
        var rest = run
        while let uuid = VolatileText.uuid(in: rest) {
            self.addPart(rest[..<uuid.lowerBound])
            self.result += VolatileText.id.utf8
            rest = rest[uuid.upperBound...]
        }
        self.addPart(rest)
    }

    /// Adds a run without a UUID.
    private mutating func addPart(_ run: ArraySlice<UInt8>) {
        guard OpaqueToken.matches(run) else { return self.addWords(run) }
        // The name before a token stays, as in `click_` and the token.
        let prefix = VolatileText.endOfNames(run)
        self.result += run[..<prefix]
        self.result += VolatileText.id.utf8
    }

    /// Adds a run that is no token, with placeholders for its numbers.
    private mutating func addWords(_ run: ArraySlice<UInt8>) {
        var rest = run
        while let first = rest.first {
            guard !first.isSeparator else {
                self.result.append(first)
                rest = rest.dropFirst()
                continue
            }
            let word = rest.prefix { !$0.isSeparator }
            rest = rest[word.endIndex...]
            if word.count >= VolatileText.minHexDigits, word.allSatisfy(\.isHexDigit), word.contains(where: \.isDigit) {
                self.result += VolatileText.id.utf8
            } else {
                self.addNumbers(word)
            }
        }
    }

    private mutating func addNumbers(_ word: ArraySlice<UInt8>) {
        var rest = word
        while let first = rest.first {
            let part = rest.prefix { $0.isDigit == first.isDigit }
            rest = rest[part.endIndex...]
            if first.isDigit, part.count >= VolatileText.minDigits {
                self.result += VolatileText.id.utf8
            } else {
                self.result += part
            }
        }
    }

    /// The end of the names at the start of a token, each with its separator, if what follows is a token too.
    private static func endOfNames(_ run: ArraySlice<UInt8>) -> Int {
        var token = run
        for _ in 0..<self.maxNames {
            let name = token.prefix { $0.isASCIILetter }
            guard name.count >= 3, let separator = token[name.endIndex...].first, separator.isSeparator,
                name.dropFirst().allSatisfy({ $0.lowercased == $0 }) || name.allSatisfy({ $0.lowercased != $0 }),
                OpaqueToken.matches(token[(name.endIndex + 1)...])
            else { break }
            token = token[(name.endIndex + 1)...]
        }
        return token.startIndex
    }

    /// The place of the first UUID in a run (RFC 9562 §4).
    private static func uuid(in run: ArraySlice<UInt8>) -> Range<Int>? {
        var at = run.startIndex
        while at + self.uuidLength <= run.endIndex {
            let part = run[at..<(at + self.uuidLength)]
            let isUUID = part.indices.allSatisfy { index in
                [8, 13, 18, 23].contains(index - at) ? part[index] == UInt8(ascii: "-") : part[index].isHexDigit
            }
            if isUUID, run[part.endIndex...].first.map(\.isSeparator) ?? true { return part.indices }
            // The next word.
            guard let separator = run[at...].firstIndex(where: \.isSeparator) else { return nil }
            at = separator + 1
        }
        return nil
    }
}

extension UInt8 {
    fileprivate var isSeparator: Bool { self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }
    fileprivate var isWordByte: Bool { self.isASCIILetter || self.isDigit || self.isSeparator }
}
