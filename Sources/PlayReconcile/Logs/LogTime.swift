import AdCore

/// Times in logs.
enum LogTime {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The time of a text; nil if it is in none of these forms: `28/Nov/2026:13:55:36 -0700`, `2026-11-28T13:55:36.5Z` (also
    /// with an offset or a space), seconds, milliseconds or nanoseconds since 1970.
    static func time(_ text: String) -> WallTime? {
        let bytes = Array(text.utf8)
        if bytes.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }) { return self.sinceEpoch(text) }
        if bytes.count >= 20, bytes[2] == UInt8(ascii: "/") { return self.common(bytes) }
        return self.iso8601(bytes)
    }

    private static func sinceEpoch(_ text: String) -> WallTime? {
        guard let number = Double(text), number >= 0, number < 1e20 else { return nil }
        switch number {
        case ..<1e11: return WallTime(milliseconds: Int64(number * 1_000))
        case ..<1e14: return WallTime(milliseconds: Int64(number))
        case ..<1e17: return WallTime(milliseconds: Int64(number / 1_000))
        default: return WallTime(milliseconds: Int64(number / 1_000_000))
        }
    }

    /// The form of the Common Log Format.
    private static func common(_ bytes: [UInt8]) -> WallTime? {
        let month = String(decoding: bytes[3..<6], as: UTF8.self)
        guard let index = self.months.firstIndex(of: month), let day = self.number(bytes[0..<2]),
            let year = self.number(bytes[7..<11]), let clock = self.clock(bytes[12..<20])
        else { return nil }
        let offset = bytes.count >= 26 ? self.offset(bytes[21...]) : 0
        return self.time(year: year, month: Int64(index + 1), day: day, clock, offset)
    }

    private static func iso8601(_ bytes: [UInt8]) -> WallTime? {
        guard bytes.count >= 19, let year = self.number(bytes[0..<4]), let month = self.number(bytes[5..<7]),
            let day = self.number(bytes[8..<10]), let clock = self.clock(bytes[11..<19])
        else { return nil }
        var milliseconds: Int64 = 0
        var rest = bytes[19...]
        if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
            let digits = rest.dropFirst().prefix(while: \.isDigit)
            let thousandths = (digits.prefix(3) + [UInt8](repeating: UInt8(ascii: "0"), count: 3)).prefix(3)
            milliseconds = self.number(thousandths) ?? 0
            rest = rest.dropFirst(1 + digits.count)
        }
        return self.time(year: year, month: month, day: day, clock, self.offset(rest)).map {
            $0 + .milliseconds(milliseconds)
        }
    }

    /// Seconds since midnight.
    private static func clock(_ bytes: ArraySlice<UInt8>) -> Int64? {
        let start = bytes.startIndex
        guard let hour = self.number(bytes[start..<(start + 2)]),
            let minute = self.number(bytes[(start + 3)..<(start + 5)]),
            let second = self.number(bytes[(start + 6)..<(start + 8)]), hour < 24, minute < 60, second < 61
        else { return nil }
        return hour * 3_600 + minute * 60 + second
    }

    /// The seconds of an offset such as `-0700` or `+01:00`; 0 for `Z`.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let digits = bytes.filter(\.isDigit)
        guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), digits.count >= 4,
            let hours = self.number(digits[0..<2]), let minutes = self.number(digits[2..<4])
        else { return 0 }
        let seconds = hours * 3_600 + minutes * 60
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64? {
        guard !bytes.isEmpty, bytes.allSatisfy(\.isDigit) else { return nil }
        return bytes.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    private static func time(year: Int64, month: Int64, day: Int64, _ clock: Int64, _ offset: Int64) -> WallTime? {
        guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        let days = HTTPDate.daysSince1970(year: year, month: month, day: day)
        return WallTime(milliseconds: (days * 86_400 + clock - offset) * 1_000)
    }
}
