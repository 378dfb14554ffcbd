import AdCore

/// Recognizes the times of ISO 8601 that have a date and a time of day.
///
/// A date alone is often the version of a creative, and is no timestamp.
enum TimestampText {
    /// The end of the time that starts at a place; nil if there is none.
    static func end(in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes[start].isDigit else { return nil }
        var reader = TimestampReader(bytes: bytes, at: start)
        return reader.extended() ?? reader.basic(from: start)
    }
}

private struct TimestampReader {
    let bytes: [UInt8]
    var at: Int

    /// `2026-03-09T07:05`, with seconds, a fraction and a zone or without them; `%3A` may stand for a colon.
    mutating func extended() -> Int? {
        guard self.digits(4), self.byte("-"), self.digits(2), self.byte("-"), self.digits(2), self.byte("Tt +_"),
            self.digits(2), self.colon(), self.digits(2)
        else { return nil }
        let minutes = self.at
        if self.colon(), self.digits(2) { self.fraction() } else { self.at = minutes }
        self.zone()
        return self.at
    }

    /// `20260309T070504Z`.
    mutating func basic(from start: Int) -> Int? {
        self.at = start
        guard self.digits(8), self.byte("Tt"), self.digits(6) else { return nil }
        self.fraction()
        self.zone()
        return self.at
    }

    private mutating func digits(_ count: Int) -> Bool {
        let digits = self.bytes[self.at...].prefix { $0.isDigit }
        guard digits.count == count else { return false }
        self.at += count
        return true
    }

    private mutating func byte(_ allowed: String) -> Bool {
        guard self.at < self.bytes.count, allowed.utf8.contains(self.bytes[self.at]) else { return false }
        self.at += 1
        return true
    }

    private mutating func colon() -> Bool {
        guard !self.byte(":") else { return true }
        guard self.bytes[self.at...].startsIgnoringCase("%3a") else { return false }
        self.at += 3
        return true
    }

    private mutating func fraction() {
        let start = self.at
        guard self.byte(".,") else { return }
        let digits = self.bytes[self.at...].prefix { $0.isDigit }
        self.at = digits.isEmpty ? start : digits.endIndex
    }

    private mutating func zone() {
        guard !self.byte("Zz") else { return }
        let start = self.at
        guard self.byte("+-") else { return }
        if self.digits(4) { return }
        if self.digits(2), self.colon(), self.digits(2) { return }
        self.at = start
    }
}
