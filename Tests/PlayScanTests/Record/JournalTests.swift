import AdCore
import AdLint
import LibC
import PlayConsole
import TestSupport
import Testing

@testable import PlayScan

@Suite("The journal of a scan")
struct JournalTests {
    /// A record with some values.
    static func record(_ id: String, bytes: Double = 100) -> ScanRecord {
        var measures = CreativeMeasures()
        measures.set("bytes.total", .number(bytes))
        measures.set("hosts", .list(["a.example"]))
        measures.set("blank", .flag(false))
        measures.set("tap", .word("click"))
        var record = ScanRecord(id: id, source: "\(id).html", digest: "d-\(id)", measures: measures)
        record.kind = .html
        record.title = "Title of <\(id)>"
        record.findings = [ScannedFinding("xml-truncated", .error, count: 3, line: nil, "cut")]
        record.picture = "pictures/1.webp"
        record.time = .milliseconds(1_234)
        return record
    }

    static func judged(_ id: String, bytes: Double = 100, _ lines: String = "fail bytes.total > 1 kB") throws
        -> JudgedRecord
    {
        JudgedRecord(self.record(id, bytes: bytes), try PolicyTests.policy(lines), today: "2026-11-28")
    }

    @Test("a creative whose page did not tell what it has used fails by every policy")
    func unmeasured() throws {
        var record = Self.record("a")
        record.measures.set("cookies", .list([]))
        #expect(record.isIncomplete)
        record.measures.set("cpu", .number(5))
        #expect(!record.isIncomplete)
        record.end("its page did not answer when it was measured")
        let judged = JudgedRecord(record, try PolicyTests.policy("fail blank"), today: "2026-11-28")
        #expect(judged.verdict.reasons.map(\.message) == ["Ended: its page did not answer when it was measured"])
        #expect(record.isWithoutMeasures && !record.isIncomplete)
    }

    @Test("a record is read as it was written")
    func roundTrip() throws {
        let judged = try Self.judged("a", bytes: 5_000)
        let json = try AdJSON(parsing: judged.json.text())
        #expect(ScanRecord(json) == judged.record)
        #expect(json["verdict"] == "fail" && json["reasons"]?.array?.first?["rule"] == "bytes.total")
    }

    @Test("a line that a killed scan has not finished is left out, and the next line is whole")
    func torn() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let whole = try Self.judged("a").json.text()
        let path = try #require(folder.write(whole + "\n" + whole.prefix(40), "journal.jsonl"))
        do {
            let journal = try ScanJournal(path)
            journal.append(try Self.judged("b"))
        }
        var ids: [String] = []
        #expect(try ScanJournal.read(path) { record, _ in ids.append(record.id) } == 1)
        #expect(ids == ["a", "b"])
    }

    @Test("a second scan with the same journal is refused")
    func locked() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let first = try ScanJournal(folder.path + "/journal.jsonl")
        let error = #expect(throws: ScanJournal.Failure.self) { try ScanJournal(folder.path + "/journal.jsonl") }
        #expect(error?.message.contains("in use by another scan") == true)
        #expect(first.lostReason == nil)
    }

    @Test("what can't be written is told")
    func unwritable() throws {
        let error = #expect(throws: ScanJournal.Failure.self) { try ScanJournal("/does/not/exist") }
        #expect(error?.message.contains("can't be written: No such file") == true)
        let full = try ScanJournal("/dev/full")
        full.append(try Self.judged("a"))
        #expect(full.lostReason?.contains("No space left") == true)
    }

    @Test("a reason that the baseline has is known, and does not fail the creative again")
    func baseline() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let old = try Self.judged("a", bytes: 5_000).json.text()
        let path = try #require(folder.write(old + "\n", "old.jsonl"))
        let baseline = try ScanBaseline(path)
        let policy = try PolicyTests.policy("fail bytes.total > 1 kB", "warn hosts")
        func verdict(_ id: String) -> ScanVerdict {
            JudgedRecord(Self.record(id, bytes: 6_000), policy, today: "2026-11-28", baseline: baseline[id]).verdict
        }
        #expect(verdict("a").level == .fail && verdict("a").newLevel == .warn)
        #expect(verdict("b").newLevel == .fail)
        var totals = ScanTotals()
        totals.add(verdict("a"))
        totals.add(verdict("b"), isResumed: true)
        #expect(totals.text == "0 pass, 1 warn, 1 fail" && totals.known == 1 && totals.resumed == 1)
        let empty = try #require(folder.write("{}\n", "empty.jsonl"))
        #expect(throws: ScanJournal.Failure.self) { try ScanBaseline(empty) }
    }

    @Test("a reason that has become more severe than in the baseline is new")
    func worse() throws {
        let verdict = ScanVerdict([ScanReason("cpu", .fail, "slow"), ScanReason("hosts", .warn, "many")])
        let compared = verdict.comparing(with: ["cpu": .warn, "hosts": .fail])
        #expect(compared.reasons.map(\.isKnown) == [false, true] && compared.newLevel == .fail)
    }

    @Test("an earlier record is found by its creative, its digest and its age; one without measures is not")
    func index() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let policy = try PolicyTests.policy("fail bytes.total > 1 kB")
        var (failed, dated) = (Self.record("failed"), Self.record("dated"))
        dated.scannedAt = "2026-11-28T10:00:00.000Z"
        failed.measures.set("failure", .list(["no server"]))
        let journal = try ScanJournal(folder.path + "/journal.jsonl")
        for record in [Self.record("a", bytes: 1), dated, failed, Self.record("a", bytes: 2)] {
            journal.append(JudgedRecord(record, policy, today: "2026-11-28"))
        }
        let index = try ScanJournal.Index(journal.path)
        let found = try #require(index.record("a", digest: "d-a"))
        #expect(found.record == Self.record("a", bytes: 2))
        #expect(found.line == JudgedRecord(found.record, policy, today: "2026-11-28").line)
        #expect(index.record("a", digest: "other") == nil && index.record("c", digest: "d-c") == nil)
        #expect(index.record("failed", digest: "d-failed") == nil)
        #expect(index.record("dated", digest: "d-dated", since: "2026-11-28T10:00:00.000Z") != nil)
        #expect(index.record("dated", digest: "d-dated", since: "2026-11-28T10:00:00.001Z") == nil)
        #expect(index.record("a", digest: "d-a", since: "2026-11-28T10:00:00.000Z") == nil)
    }

    @Test("the line of progress has the count, the rate and the time left")
    func progress() throws {
        var totals = ScanTotals()
        let verdict = try Self.judged("a").verdict
        for _ in 0..<50 { totals.add(verdict) }
        let start = ContinuousClock.now
        let line = ScanProgress(of: 200, since: start).line(totals, at: start + .seconds(20))
        #expect(line == "scanned 50 of 200 · 50 pass, 0 warn, 0 fail · 2.5/s · 1 min 0 s left")
        let unknown = ScanProgress(of: nil, since: start).line(totals, at: start + .seconds(20))
        #expect(unknown == "scanned 50 · 50 pass, 0 warn, 0 fail · 2.5/s")
    }

    @Test("lines are read one by one, whatever their ends, and too long ones are left out")
    func lines() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let text = "one\r\n\n" + String(repeating: "x", count: 200_000) + "\nlast"
        let path = try #require(folder.write(text, "lines.txt"))
        let reader = try #require(LineReader(path, limit: 100))
        var found: [String] = []
        while let line = reader.next() {
            switch line {
            case .text(let bytes): found.append(String(decoding: bytes, as: UTF8.self))
            case .tooLong: found.append("too long at \(reader.number)")
            }
        }
        #expect(found == ["one", "", "too long at 3", "last"])
    }
}
