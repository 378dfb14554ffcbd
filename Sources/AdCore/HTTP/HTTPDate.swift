/// Dates in HTTP headers, as in `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The time of a date; nil if it is invalid.
    static func wallTime(_ text: String) -> WallTime? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int64(parts[1]), (1...31).contains(day),
            let month = self.months.firstIndex(of: String(parts[2])), let year = Int64(parts[3]),
            (1970...9999).contains(year)
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int64($0) }
        guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        let days = self.daysSince1970(year: year, month: Int64(month + 1), day: day)
        return WallTime(milliseconds: ((days * 24 + clock[0]) * 60 + clock[1]) * 60_000 + clock[2] * 1000)
    }

    /// Days of the Gregorian calendar since 1970; years start in March so that the leap day is the last day.
    package static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
