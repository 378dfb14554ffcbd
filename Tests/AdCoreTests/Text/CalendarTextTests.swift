import Testing

@testable import AdCore

@Suite("Times as text")
struct CalendarTextTests {
    @Test(
        "a calendar time is written in ISO 8601",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (-86_400_000, "1969-12-31T00:00:00.000Z"),
            (-86_400_001, "1969-12-30T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (1_735_603_200_000, "2024-12-31T00:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (4_107_456_000_000, "2100-02-28T00:00:00.000Z"),
            (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (1_000_000_000_007, "2001-09-09T01:46:40.007Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
        ] as [(Int64, String)]
    )
    func dates(milliseconds: Int64, text: String) {
        #expect(CalendarText.iso8601(WallTime(milliseconds: milliseconds)) == text)
    }

    @Test("eight hundred years of days are consecutive")
    func days() {
        var (year, month, day) = (1600, 1, 1)
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        for number in -135_140..<157_000 as Range<Int64> {
            let text = CalendarText.iso8601(WallTime(milliseconds: number * 86_400_000)).prefix(10)
            let expected = [(year, 4), (month, 2), (day, 2)].map { CalendarText.padded(Int64($0.0), $0.1) }
            guard text == expected.joined(separator: "-") else {
                Testing.Issue.record("day \(number) is \(text), not \(expected)")
                return
            }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            day += 1
            if day > lengths[month - 1] + (month == 2 && isLeap ? 1 : 0) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
    }

    @Test("the earliest and the latest time can be written", arguments: [.min, .max] as [Int64])
    func ends(milliseconds: Int64) {
        #expect(CalendarText.iso8601(WallTime(milliseconds: milliseconds)).hasSuffix("Z"))
    }

    @Test(
        "a playhead has hours, minutes, seconds and milliseconds",
        arguments: [
            (0, "00:00:00.000"), (7_500, "00:00:07.500"), (59_999, "00:00:59.999"), (3_600_000, "01:00:00.000"),
            (360_000_000, "100:00:00.000"), (-5, "00:00:00.000"),
        ] as [(Int64, String)]
    )
    func playheads(milliseconds: Int64, text: String) {
        #expect(CalendarText.clock(.milliseconds(milliseconds)) == text)
    }
}
