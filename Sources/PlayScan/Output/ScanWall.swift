import AdCore
import PlayConsole

/// The verdicts as one page: a picture of each creative, with filter and search.
///
/// The page draws only the cards in view, so that it opens at once with ten thousand creatives. Pictures are files
/// beside it.
enum ScanWall {
    /// The greatest number of creatives on the page, and of bytes of their data; the most severe verdicts come first.
    ///
    /// A browser reads no script of 512 MB.
    static let (limit, byteLimit) = (20_000, 128 << 20)
    /// How many texts of a list are on the page; the journal has all.
    static let listLimit = 20

    static func write(
        _ results: ScanResults,
        to path: String,
        limit: Int = ScanWall.limit,
        byteLimit: Int = ScanWall.byteLimit
    ) -> String? {
        let draft = FileDraft(path)
        let parts = String(decoding: PackageResources.wall_html, as: UTF8.self)
            .replacing("/*STYLE*/", with: String(decoding: PackageResources.wall_css, as: UTF8.self))
            .replacing("/*SCRIPT*/", with: String(decoding: PackageResources.wall_js, as: UTF8.self))
        guard let mark = parts.firstRange(of: "/*DATA*/") else { return "the page has no place for the data" }
        draft.write(String(parts[..<mark.lowerBound]))
        let head: AdJSON = [
            "policy": .string(results.policy.name), "policyVersion": .string(results.policy.version),
            "made": .string(CalendarText.iso8601(results.madeAt)), "version": .string(CommandVersion.number),
            "total": .int(results.totals.total),
            "counts": .object(ScanLevel.allCases.map { AdJSON.Member($0.rawValue, .int(results.totals[$0])) }),
            "measures": .array(
                Measure.all.map { measure -> AdJSON in
                    [
                        "name": .string(measure.name), "unit": .string(measure.unit.rawValue),
                        "title": .string(measure.title), "summary": .string(measure.summary),
                    ]
                }
            ),
        ]
        draft.write("{\"head\":\(self.escaped(head)),\"creatives\":[")
        var (count, bytes) = (0, 0)
        // The most severe verdicts come first, also if not all fit.
        for level in ScanLevel.allCases.reversed() {
            do throws(ScanJournal.Failure) {
                try results.forEach { judged in
                    guard judged.verdict.newLevel == level, count < limit, bytes < byteLimit else { return }
                    let text = self.escaped(self.creative(judged))
                    draft.write((count == 0 ? "\n" : ",\n") + text)
                    count += 1
                    bytes += text.utf8.count
                }
            } catch {
                return error.message
            }
        }
        draft.write("\n]}")
        draft.write(String(parts[mark.upperBound...]))
        return draft.commit()
    }

    /// The verdict as an array, because members would repeat their names ten thousand times.
    private static func creative(_ judged: JudgedRecord) -> AdJSON {
        let record = judged.record
        let values = Measure.all.map { record.measures[$0].map(self.value) ?? .null }
        return [
            .string(record.id), .string(record.source), .text(record.kind?.rawValue), .text(record.title),
            .string(judged.verdict.newLevel.rawValue), .text(record.picture), .int(record.time.wholeMilliseconds),
            .array(judged.verdict.reasons.map(self.reason)), .array(values),
        ]
    }

    static func value(_ value: MeasureValue) -> AdJSON {
        guard case .list(let texts) = value, texts.count > self.listLimit else { return value.json }
        let rest = Quantity.text(texts.count - self.listLimit, "more line")
        return MeasureValue.list(texts.prefix(self.listLimit) + ["\(rest) in journal.jsonl"]).json
    }

    private static func reason(_ reason: ScanReason) -> AdJSON {
        [
            .string(reason.rule), .string(reason.level.rawValue), .string(reason.message),
            reason.line.map { .int($0) } ?? .null, .bool(reason.isKnown),
        ]
    }

    /// JSON without the characters that would end a script element (HTML Living Standard, "Restrictions for contents of
    /// script elements").
    static func escaped(_ json: AdJSON) -> String { json.text().replacing("<", by: "\\u003c") }
}
