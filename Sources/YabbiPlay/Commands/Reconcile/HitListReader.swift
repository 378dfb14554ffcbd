import AdCore
import PlayReconcile

/// An error in a list of hits, with its line.
struct HitListError: Error, Equatable {
    let message: String
}

/// Reads the response of `GET /sandbox/hits`, hit by hit.
///
/// Each hit is parsed as a separate JSON value. A tree of the whole response would use many times the memory of the text,
/// and exceed the parser's limit of values.
struct HitListReader {
    private let bytes: [UInt8]
    private var at = 0
    private var arrivals: [ReceivedHit]?
    private var dropped = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func read(_ bytes: [UInt8]) throws(HitListError) -> HitList {
        var reader = HitListReader(bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.at = 3 }
        try reader.each("{", "}") { (reader) throws(HitListError) in try reader.member() }
        guard reader.next() == nil else { throw reader.error("unexpected text after the list") }
        guard let arrivals = reader.arrivals else { throw HitListError(message: "the member \"hits\" is missing") }
        return HitList(arrivals, dropped: reader.dropped)
    }

    private mutating func member() throws(HitListError) {
        let name = try self.value()
        try self.expect(":")
        switch name.json.string {
        case nil: throw self.error("the name of a member is missing", at: name.start)
        case "hits"?:
            var arrivals: [ReceivedHit] = []
            try self.each("[", "]") { (reader) throws(HitListError) in
                let hit = try reader.value()
                do throws(HitListError) {
                    arrivals.append(try ReceivedHit(hit.json))
                } catch {
                    throw reader.error("hits[\(arrivals.count)]\(error.message)", at: hit.start)
                }
            }
            self.arrivals = arrivals
        case "dropped"?:
            let value = try self.value()
            guard let number = value.json.number, let count = Int(exactly: number), count >= 0 else {
                throw self.error("\"dropped\" must be an integer", at: value.start)
            }
            self.dropped = count
        default: _ = try self.value()
        }
    }

    /// Reads the comma-separated values between two brackets.
    private mutating func each(
        _ open: Unicode.Scalar,
        _ close: Unicode.Scalar,
        _ body: (inout HitListReader) throws(HitListError) -> Void
    ) throws(HitListError) {
        try self.expect(open)
        if self.next() == UInt8(ascii: close) { return self.at += 1 }
        while true {
            try body(&self)
            if self.next() == UInt8(ascii: close) { return self.at += 1 }
            try self.expect(",")
        }
    }

    /// The next byte that is not white space; nil at the end.
    private mutating func next() -> UInt8? {
        while self.at < self.bytes.count {
            let byte = self.bytes[self.at]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            self.at += 1
        }
        return nil
    }

    private mutating func expect(_ wanted: Unicode.Scalar) throws(HitListError) {
        guard let byte = self.next() else { throw self.error("unexpected end, expected \u{201C}\(wanted)\u{201D}") }
        guard byte == UInt8(ascii: wanted) else { throw self.error("expected \u{201C}\(wanted)\u{201D}") }
        self.at += 1
    }

    /// Reads one value of any kind.
    private mutating func value() throws(HitListError) -> (json: AdJSON, start: Int) {
        _ = self.next()
        let start = self.at
        self.skip()
        do throws(AdJSON.ParseError) {
            return (try AdJSON(parsing: Array(self.bytes[start..<self.at])), start)
        } catch {
            throw HitListError(message: "\(error.message) on line \(self.line(of: start) + error.line - 1)")
        }
    }

    /// Moves to the end of a value: a comma, colon or bracket of the enclosing value.
    private mutating func skip() {
        var depth = 0
        while self.at < self.bytes.count {
            switch self.bytes[self.at] {
            case UInt8(ascii: "\""): self.skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth -= 1
            case UInt8(ascii: ","), UInt8(ascii: ":"): if depth == 0 { return }
            default: break
            }
            self.at += 1
        }
        self.at = min(self.at, self.bytes.count)
    }

    /// Moves to the quotation mark that ends a string.
    private mutating func skipString() {
        self.at += 1
        while self.at < self.bytes.count, self.bytes[self.at] != UInt8(ascii: "\"") {
            self.at += self.bytes[self.at] == UInt8(ascii: "\\") ? 2 : 1
        }
    }

    private func error(_ message: String, at place: Int? = nil) -> HitListError {
        HitListError(message: "\(message) on line \(self.line(of: place ?? self.at))")
    }

    private func line(of place: Int) -> Int {
        self.bytes[..<min(place, self.bytes.count)].reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
    }
}
