import AdCore

/// The header fields of an answer, line by line as libcurl hands them over, within bounds.
struct ResponseHead {
    /// The most fields, and the most bytes with interim answers and trailers counted in.
    static let mostFields = 256
    static let mostBytes = 64 << 10

    private var fields: [(name: String, value: String)] = []
    private var bytes = 0
    private var hasStatus = false
    /// Whether the answer so far is an interim one: another follows it.
    private var isInterim = false
    /// Whether its empty line has come.
    private(set) var isComplete = false

    /// Takes a line; false where the answer has more than the bounds allow.
    mutating func take(_ line: some BidirectionalCollection<UInt8>) -> Bool {
        self.bytes += line.count
        guard self.bytes <= ResponseHead.mostBytes else { return false }
        guard let first = line.first, !line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) else {
            self.isComplete = true
            return true
        }
        if !self.hasStatus || (self.isComplete && self.isInterim), line.startsIgnoringCase("HTTP/") {
            // A status line: the first, or that of the answer behind an interim one such as 103.
            self.fields = []
            self.isComplete = false
            self.hasStatus = true
            let status = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }
            self.isInterim = status.first == UInt8(ascii: "1")
            return true
        }
        // What comes behind the empty line is a trailer, and describes the transfer rather than the answer.
        guard !self.isComplete else { return true }

        // A line of white space alone is an empty fold.
        guard let content = line.lastIndex(where: { !$0.isWhiteSpace }) else { return true }
        if first.isWhiteSpace {
            // A field that is folded over two lines, as old servers do: RFC 9112 puts a space in its place.
            guard let last = self.fields.indices.last else { return true }
            self.fields[last].value += " " + self.text(line[...content])
            return true
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
        let name = String(decoding: line[..<colon], as: UTF8.self)
        let bytes = colon < content ? line[line.index(after: colon)...content] : line[colon..<colon]
        self.fields.append((name, name.asciiLowercased == "location" ? self.address(bytes) : self.text(bytes)))
        return self.fields.count <= ResponseHead.mostFields
    }

    /// The fields in order, without those that HTTP does not allow.
    var headers: AdHTTPHeaders {
        var headers = AdHTTPHeaders()
        for field in self.fields { headers.add(field.name, field.value) }
        return headers
    }

    /// An address to the byte: in another encoding than UTF-8 its bytes are escaped as they are.
    private func address(_ bytes: some Collection<UInt8>) -> String {
        let text = self.text(bytes)
        guard text.unicodeScalars.contains("\u{FFFD}") else { return text }
        let digits = Array("0123456789ABCDEF".utf8)
        let escaped = bytes.drop(while: \.isWhiteSpace).flatMap { byte -> [UInt8] in
            byte < 0x80 ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private func text(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes.drop(while: \.isWhiteSpace), as: UTF8.self)
    }
}
