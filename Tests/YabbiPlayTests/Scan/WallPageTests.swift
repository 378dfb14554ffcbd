import AdCore
import BrowserSupport
import TestSupport
import Testing

@testable import PlayScan
@testable import YabbiPlay

@Suite("The wall of a scan in a browser", .needsBrowser, .timeLimit(.minutes(2)))
struct WallPageTests {
    /// The name of one of the creatives, which is markup.
    private static let hostile = "</script><img src=x onerror=alert(1)>"

    /// The wall of ten creatives, of which one fails.
    private static func wall(in folder: TemporaryFolder) throws -> String {
        let policy = try ScanSession.source("strict").policy()
        let journal = try ScanJournal(folder.path + "/journal.jsonl")
        var totals = ScanTotals()
        for number in 0..<10 {
            var measures = CreativeMeasures()
            for name in ["cpu", "memory", "nodes", "bytes.total"] { measures.set(name, .number(Double(number))) }
            measures.set("hosts", .list((0..<20).map { "host\($0).example" }))
            measures.set("size", .word("300x250"))
            if number == 0 { measures.set("cookies", .list(["id of ads.example"])) }
            let id = number == 7 ? Self.hostile : "banner-\(number)"
            var record = ScanRecord(id: id, source: "\(id).html", digest: "1", measures: measures)
            record.kind = .html
            let judged = JudgedRecord(record, policy, today: "2026-11-28")
            journal.append(judged)
            totals.add(judged.verdict)
        }
        let results = try ScanResults(
            journal.path,
            policy,
            totals,
            baseline: ScanBaseline(),
            madeAt: WallTime(milliseconds: 0)
        )
        #expect(ScanOutput.wall.write(results, to: folder.path + "/index.html") == nil)
        return String(decoding: folder.bytes("index.html"), as: UTF8.self)
    }

    /// The same with each of them a thousand times, under other names.
    private static func thousandfold(_ page: String) throws -> [UInt8] {
        let start = try #require(page.firstRange(of: "\"creatives\":["))
        let end = try #require(page[start.upperBound...].firstRange(of: "\n]}"))
        let rows = String(page[start.upperBound..<end.lowerBound])
        let copies = (0..<1_000).map { number in
            number == 0
                ? rows : rows.replacing("banner-", with: "banner-\(number)-").replacing("onerror", with: "other")
        }
        let head = page[..<start.upperBound].replacing("\"total\":10,", with: "\"total\":10000,")
            .replacing("\"pass\":9,", with: "\"pass\":9000,").replacing("\"fail\":1}", with: "\"fail\":1000}")
        return Array((head + copies.joined(separator: ",") + page[end.lowerBound...]).utf8)
    }

    @Test("ten thousand creatives are drawn as far as they are in view, filtered, found and opened")
    func many() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let reader = try await PageReader(try Self.thousandfold(Self.wall(in: folder)))
        let text = { (id: String) async throws -> String? in
            try await reader.evaluate("document.getElementById('\(id)').textContent").string
        }
        let title = try await text("title")
        #expect(title == "10000 creatives: 1000 fail, 0 warn, 9000 pass")
        #expect(try await text("count") == "All 10000 are listed.")
        let cards = try #require(try await reader.evaluate("document.querySelectorAll('.card').length").number)
        #expect((1...300).contains(cards))
        #expect(try await text("wall")?.hasPrefix("no picture") == true)
        _ = try await reader.evaluate(
            "for (const box of document.querySelectorAll('#levels input')) if (box.value !== 'fail') box.click()"
        )
        #expect(try await text("count") == "1000 of 10000 are listed.")
        _ = try await reader.evaluate(
            "for (const box of document.querySelectorAll('#levels input')) if (!box.checked) box.click()"
        )
        // The search waits until nothing was written for a moment.
        let found = try await reader.evaluate(
            """
            new Promise((resolve) => {
              const search = document.getElementById('search');
              search.value = 'onerror';
              search.dispatchEvent(new Event('input'));
              const check = () => document.querySelectorAll('.card').length === 1
                ? resolve(document.querySelector('.card b').textContent) : requestAnimationFrame(check);
              check();
            })
            """,
            awaits: true
        )
        #expect(found == .string(Self.hostile))
        _ = try await reader.evaluate("document.querySelector('.card').click()")
        #expect(try await text("details-title") == Self.hostile)
        #expect(try await reader.evaluate("document.querySelectorAll('img[src=x]').length") == 0)
        #expect(reader.errors.isEmpty, "\(reader.errors)")
        #expect(reader.requests == ["https://report.invalid/"])
        await reader.close()
    }
}
