import AdCore

/// The header fields of an answer, line by line as libcurl hands them over, within bounds.
struct ResponseHead {
    /// The most fields, and the most bytes with interim answers and trailers counted in.
    static let mostFields = 256
    static let mostBytes = 64 << 10

    private var fields: [(name: String, value: String)] = []
    private var bytes = 0
    private var isComplete = false

    /// Takes a line; false where the answer has more than the bounds allow.
    mutating func take(_ line: some BidirectionalCollection<UInt8>) -> Bool {
        self.bytes += line.count
        guard self.bytes <= ResponseHead.mostBytes else { return false }
        guard let first = line.first, let content = line.lastIndex(where: { !$0.isWhiteSpace }) else {
            self.isComplete = true
            return true
        }
        if self.fields.isEmpty || self.isComplete, line.startsIgnoringCase("HTTP/") {
            // A status line: the first, or that of the answer behind an interim one such as 103.
            self.fields = []
            self.isComplete = false
            return true
        }
        // What comes behind the empty line is a trailer, and describes the transfer rather than the answer.
        guard !self.isComplete else { return true }

        if first.isWhiteSpace {
            // A field that is folded over two lines, as old servers do: RFC 9112 puts a space in its place.
            guard let last = self.fields.indices.last else { return true }
            self.fields[last].value += " " + self.text(line[...content])
            return true
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
        let value = colon < content ? self.text(line[line.index(after: colon)...content]) : ""
        self.fields.append((String(decoding: line[..<colon], as: UTF8.self), value))
        return self.fields.count <= ResponseHead.mostFields
    }

    /// The fields in order, without those that HTTP does not allow.
    var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        for field in self.fields { headers.add(field.name, field.value) }
        return headers
    }

    private func text(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes.drop(while: \.isWhiteSpace), as: UTF8.self)
    }
}
