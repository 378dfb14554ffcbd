/// Times as text.
package enum CalendarText {
    /// A time in ISO 8601, as in `2026-03-09T07:05:04.012Z`.
    package static func iso8601(_ time: WallTime) -> String {
        let day: Int64 = 86_400_000
        var days = time.milliseconds / day
        var rest = time.milliseconds % day
        if rest < 0 {
            rest += day
            days -= 1
        }
        // Years start in March, so that the leap day is the last day, and all eras of 400 years have the same length.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let date = "\(self.padded(year, 4))-\(self.padded(month, 2))-\(self.padded(dayOfMonth, 2))"
        return "\(date)T\(self.clock(.milliseconds(rest)))Z"
    }

    /// A duration as hours, minutes, seconds and milliseconds, as in `00:00:07.500`.
    package static func clock(_ time: Duration) -> String {
        let milliseconds = max(0, time.wholeMilliseconds)
        let seconds = milliseconds / 1000
        let fields = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { self.padded($0, 2) }
        return fields.joined(separator: ":") + "." + self.padded(milliseconds % 1000, 3)
    }

    static func padded(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
