import AdCore
import AdMarkup
import LibC
import TestSupport
import Testing

@testable import PlayScan

@Suite("The outputs of a scan")
struct OutputTests {
    /// Results with a creative of each verdict, one of them changed since.
    private func results(in folder: TemporaryFolder) throws -> ScanResults {
        let policy = try PolicyTests.policy("fail bytes.total > 2 kB", "warn bytes.total > 1 kB : it's \"big\"")
        let path = folder.path + "/journal.jsonl"
        let journal = try ScanJournal(path)
        var totals = ScanTotals()
        let records = [("old", 5_000.0), ("a</script>", 5_000), ("=cmd", 1_500), ("c", 10), ("old", 20)]
        for (index, (id, bytes)) in records.enumerated() {
            let judged = JudgedRecord(JournalTests.record(id, bytes: bytes), policy, today: "2026-11-28")
            journal.append(judged)
            if index > 0 { totals.add(judged.verdict) }
        }
        let now = WallTime(milliseconds: 1_795_000_000_000)
        return try ScanResults(path, policy, totals, baseline: ScanBaseline(), madeAt: now)
    }

    private func written(_ output: ScanOutput) throws -> String {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let results = try self.results(in: folder)
        #expect(output.write(results, to: folder.path + "/out") == nil)
        #expect(!folder.names.contains("out.part"))
        return String(decoding: folder.bytes("out"), as: UTF8.self)
    }

    @Test("JUnit has a test case for each creative, with its failures and warnings, and is XML")
    func junit() throws {
        let text = try self.written(.junit)
        #expect(text.contains("<testsuite name=\"yabbi-play scan, policy test\" tests=\"4\" failures=\"1\""))
        #expect(
            text.contains(
                "name=\"a&lt;/script&gt;\" file=\"a&lt;/script&gt;.html\" time=\"1.234\"><failure message=\"Whole load: 5 kB; at most 2 kB\" type=\"bytes.total\">"
            )
        )
        #expect(
            text.contains(
                "<system-out>warn bytes.total: Whole load: 1.5 kB; at most 1 kB; it's &quot;big&quot;</system-out>"
            )
        )
        #expect(text.components("<testcase ") == 4)
        #expect(ScanJUnit.escaped("a\u{0}\u{1B}\u{FFFE}<é&\n") == "a   &lt;é&amp;&#10;")
    }

    @Test("CSV has a line for each creative and no formulas")
    func csv() throws {
        let lines = try self.written(.csv).split(separator: "\r\n").map(String.init)
        #expect(lines.count == 5)
        #expect(lines[0].hasPrefix("id,source,kind,title,verdict,reasons,ms,failure,"))
        let warned = try #require(lines.first { $0.hasPrefix("'=cmd,'=cmd.html,html,") })
        #expect(warned.contains(",warn,\"warn bytes.total: Whole load: 1.5 kB; at most 1 kB; it's \"\"big\"\"\","))
        #expect(ScanCSV.cell("-12") == "-12" && ScanCSV.cell("+x") == "'+x" && ScanCSV.cell("a\nb") == "\"a\nb\"")
    }

    @Test("SARIF has a result for each reason, with its rule among the rules")
    func sarif() throws {
        let log = try AdJSON(parsing: self.written(.sarif))
        let run = try #require(log["runs"]?.array?.first)
        let results = try #require(run["results"]?.array)
        #expect(results.map { $0["level"]?.string } == ["error", "warning"])
        let rules = (run["tool"]?["driver"]?["rules"]?.array ?? []).compactMap { $0["id"]?.string }
        #expect(results.allSatisfy { rules.contains($0["ruleId"]?.string ?? "") })
        #expect(Set(rules).count == rules.count)
        #expect(results.allSatisfy { $0["baselineState"] == nil })
    }

    @Test("the wall has each creative once, the worst first, and no markup of theirs")
    func wall() throws {
        let text = try self.written(.wall)
        let start = try #require(text.firstRange(of: "id=\"data\">"))
        let rest = text[start.upperBound...]
        let end = try #require(rest.firstRange(of: "</script>"))
        let data = try AdJSON(parsing: String(rest[..<end.lowerBound]))
        let creatives = try #require(data["creatives"]?.array?.map { $0.array ?? [] })
        #expect(creatives.map { $0[0].string } == ["a</script>", "=cmd", "c", "old"])
        #expect(creatives.map { $0[4].string } == ["fail", "warn", "pass", "pass"])
        #expect(data["head"]?["measures"]?.array?.count == Measure.all.count)
        #expect(creatives.allSatisfy { $0[8].array?.count == Measure.all.count })
        #expect(data["head"]?["total"] == 4)
    }

    @Test("the wall has as many creatives as fit, the worst first, and the beginning of long lists")
    func limits() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let results = try self.results(in: folder)
        func count(limit: Int, byteLimit: Int) throws -> Int {
            #expect(ScanWall.write(results, to: folder.path + "/wall", limit: limit, byteLimit: byteLimit) == nil)
            return String(decoding: folder.bytes("wall"), as: UTF8.self).components(".html\",\"html\"")
        }
        #expect(try count(limit: 2, byteLimit: 1 << 20) == 2 && count(limit: 9, byteLimit: 1) == 1)
        let list = MeasureValue.list((0..<50).map { "host \($0)" })
        #expect(ScanWall.value(list).array?.last == "30 more lines in journal.jsonl")
        #expect(ScanWall.value(list).array?.count == ScanWall.listLimit + 1)
    }

    @Test("no text of a creative leaves its place, whatever letters are before and after its signs")
    func escaped() {
        // In Swift, a sign after U+0D4E or before U+0301 is a part of another character.
        #expect(ScanWall.escaped(.string("\u{0D4E}</script>")) == "\"\u{0D4E}\\u003c/script>\"")
        #expect(ScanCSV.cell("\u{0D4E}\",x") == "\"\u{0D4E}\"\",x\"")
        #expect(ScanCSV.cell("=\u{0301}x") == "'=\u{0301}x")
        #expect(ScanJUnit.escaped("\u{0D4E}<") == "\u{0D4E}&lt;")
    }

    @Test("a device or pipe is written to as it is, and a link's target is replaced")
    func special() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let results = try self.results(in: folder)
        #expect(ScanOutput.csv.write(results, to: "/dev/null") == nil)
        _ = folder.write("old", "target")
        symlink(folder.path + "/target", folder.path + "/link")
        #expect(ScanOutput.csv.write(results, to: folder.path + "/link") == nil)
        #expect(folder.bytes("target").starts(with: Array("id,source".utf8)))
        var status = stat()
        #expect(lstat(folder.path + "/link", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }

    @Test("an output that can't be written is told, and leaves nothing")
    func unwritable() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let results = try self.results(in: folder)
        for output in [ScanOutput.junit, .sarif, .csv, .wall] {
            let failure = output.write(results, to: "/does/not/exist")
            #expect(failure == "/does/not/exist can't be written: No such file or directory")
        }
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(_ text: String) -> Int {
        var (count, rest) = (0, self[...])
        while let found = rest.firstRange(of: text) {
            count += 1
            rest = rest[found.upperBound...]
        }
        return count
    }
}
