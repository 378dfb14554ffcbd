import AdCore

/// Parses the header of a response line by line, within limits.
struct ResponseHead {
    private var fields: [(name: String, value: String)] = []
    /// The number of bytes, with those of interim responses and trailers.
    private var bytes = 0
    private var hasStatus = false
    /// Whether the current response is an interim one (RFC 9110 §15.2): another follows.
    private var isInterim = false
    /// Whether the empty line after the fields was read.
    private(set) var isComplete = false

    /// Appends a line; false if a limit is exceeded.
    mutating func append(_ line: some BidirectionalCollection<UInt8>) -> Bool {
        self.bytes += line.count
        guard self.bytes <= AdHTTPResponse.maxHeaderBytes else { return false }
        guard let first = line.first, !line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) else {
            self.isComplete = true
            return true
        }
        if !self.hasStatus || (self.isComplete && self.isInterim), line.startsIgnoringCase("HTTP/") {
            // A status line: the first one, or the one after an interim response such as 103.
            self.fields = []
            self.isComplete = false
            self.hasStatus = true
            let status = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }
            self.isInterim = status.first == UInt8(ascii: "1")
            return true
        }
        // A trailer section (RFC 9112 §7.1.2); trailer fields are ignored.
        guard !self.isComplete else { return true }

        // A line of only whitespace is an empty folded line.
        guard let content = line.lastIndex(where: { !$0.isWhiteSpace }) else { return true }
        if first.isWhiteSpace {
            // Obsolete line folding is replaced by a space (RFC 9112 §5.2).
            guard let last = self.fields.indices.last else { return true }
            self.fields[last].value += " " + self.text(line[...content])
            return true
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
        let name = String(decoding: line[..<colon], as: UTF8.self)
        let bytes = colon < content ? line[line.index(after: colon)...content] : line[colon..<colon]
        self.fields.append((name, name.asciiLowercased == "location" ? self.address(bytes) : self.text(bytes)))
        return self.fields.count <= AdHTTPResponse.maxHeaderFields
    }

    /// The fields in order, without those with invalid names or values.
    var headers: AdHTTPHeaders {
        var headers = AdHTTPHeaders()
        for field in self.fields { headers.add(field.name, field.value) }
        return headers
    }

    /// The text of a URL; if it isn't UTF-8, its non-ASCII bytes are percent-encoded.
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
