import AdCore
import PlayConsole
import PlaySupport
import TestSupport
import Testing

@testable import PlayReconcile

@Suite("The comparison of a ledger with access logs")
struct LogComparisonTests {
    @Test("each beacon is found by its URL, and each difference has its name")
    func byURL() throws {
        let lines = [
            LogSample.line("a", "https://t.example/view?ad=1"), LogSample.line("b", "https://t.example/view?ad=2"),
            LogSample.line("c", "https://t.example/view?ad=3"),
            LogSample.line("d", "https://t.example/view?ad=4", .dead(reason: "410")),
            LogSample.line("e", "https://t.example/view?ad=5"),
            LogSample.line("f", "https://elsewhere.example/view?ad=6"),
            LogSample.line("g", "https://t.example/view?ad=7", at: 900),
        ]
        let log = [
            LogSample.log("/view?ad=1"), LogSample.log("/view?ad=2"), LogSample.log("/view?ad=2", at: 1),
            LogSample.log("/view?ad=3", 503), LogSample.log("/view?ad=4", 410), LogSample.log("/view?ad=5", at: 300),
            LogSample.log("/view?ad=99", at: 600), LogSample.log("/robots.txt"),
        ]
        let result = try LogSample.compare(lines, log)
        let (whole, verdicts, others) = (result.whole, result.verdicts, result.others)
        let expected: [String: BeaconVerdict] = [
            "a": .matched, "b": .doubled, "c": .lost, "d": .dead, "e": .late, "f": .elsewhere, "g": .elsewhere,
            "/view?ad=99": .unknown,
        ]
        #expect(verdicts == expected)
        #expect(whole.recorded == 7 && whole.lost == 1 && whole.duplicates == 1 && whole.unknown == 1 && others == 1)
        #expect(!whole.isClean)
        let unknown = whole.outcomes.first { $0.verdict == .unknown }
        #expect(unknown?.event == "view" && unknown?.cause.hasPrefix("no beacon of the ledger has this URL") ?? false)
        let cause = whole.outcomes.first { $0.key == "c" }?.cause
        #expect(cause == "delivered according to the ledger, but hit 4 was rejected (status 503)")
    }

    @Test(
        "a request that is logged again where it is redirected to is one request, and a beacon that was sent twice is not"
    )
    func redirected() throws {
        let lines = ["a", "b", "c", "d", "e", "f"].map { LogSample.line($0, "https://t.example/view?ad=\($0)") }
        func log(_ key: String, _ target: String, _ status: Int, at second: Int64 = 0) -> String {
            LogSample.log(target, status, at: second, key: key)
        }
        let result = try LogSample.compare(
            lines,
            [
                log("a", "/view?ad=a", 302), log("a", "/counted?ad=a", 200, at: 1),
                // To https.
                log("b", "/view?ad=b", 301), log("b", "/view?ad=b", 204),
                log("c", "/view?ad=c", 302), log("c", "/view?ad=c", 302, at: 2), log("c", "/counted?ad=c", 200, at: 3),
                log("d", "/view?ad=d", 302), log("d", "/counted?ad=d", 503, at: 1),
                // Sent again by a retry that was not redirected; and a response that is no redirect.
                log("e", "/view?ad=e", 302), log("e", "/counted?ad=e", 200), log("e", "/view?ad=e", 204, at: 9),
                log("f", "/view?ad=f", 204), log("f", "/view?ad=f", 304, at: 9),
            ]
        )
        let (whole, verdicts) = (result.whole, result.verdicts)
        #expect(verdicts.values.count { $0 == .matched } == 3)
        #expect(["c", "e", "f"].allSatisfy { verdicts[$0] == .doubled }, "\(verdicts)")
        #expect(whole.duplicates == 3)
    }

    @Test("without times the requests of a URL are only counted")
    func withoutTimes() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let line = #""GET /pixel HTTP/1.1" 204"#
        let path = try #require(folder.write("\(line)\n\(line)\n", "access.log"))
        let comparison = try LogComparison([path], pattern: #""$request" $status"#, lateAfter: .seconds(60))
        for number in 0..<3 {
            try comparison.add(LogSample.line("k\(number)", "https://t.example/pixel", at: Int64(number)))
        }
        let problems = try comparison.read()
        let whole = try comparison.finish { _ in }
        #expect(problems.isEmpty && whole.matched == 2 && whole.lost == 1 && whole.duplicates == 0)
    }

    @Test("a log may begin with requests that are none, and a pipe is refused")
    func firstLines() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let bad = #"10.0.0.1 - - [28/Nov/2026:14:00:00 +0000] "" 400 0"#
        let good = #"10.0.0.1 - - [28/Nov/2026:14:00:00 +0000] "GET /view HTTP/1.1" 204 0"#
        let path = try #require(folder.write("cut off\n\(bad)\n\(good)\n", "access.log"))
        let comparison = try LogComparison([path], pattern: nil, lateAfter: .seconds(60))
        let problems = try comparison.read()
        #expect(problems == ["\(path): 2 of 3 lines are not in its format, the first is line 1"])
        let error = #expect(throws: UsageError.self) {
            _ = try LogComparison(["/dev/null"], pattern: nil, lateAfter: .zero)
        }
        #expect(error?.message.contains("is no regular file") ?? false)
    }

    @Test("with keys the comparison is the same as with the hits of a sandbox", arguments: 0..<3)
    func oracle(_ number: UInt64) throws {
        let seed = TestSeed.chosen ?? UInt64.random(in: 0...UInt64.max) &+ number
        print("LogComparisonTests: YABBI_SEED=\(seed)")
        var random = TestRandom(seed: seed)
        let states: [LedgerLine.State] = [
            .delivered, .delivered, .delivered, .unconfirmed(reason: "?"), .dead(reason: "410"),
            .pending(reason: "waits"),
        ]
        let lines = (0..<300).map { index in
            LogSample.line(
                "k\(index)",
                "https://t.example/view",
                states[Int(random.next() % 6)],
                at: Int64(random.next() % 100)
            )
        }
        var log: [String] = []
        var hits: [ReceivedHit] = []
        for index in 0..<600 {
            // The log begins before the first beacon.
            let second = index == 0 ? -1 : Int64(random.next() % 200) + 100
            let key = "k\(random.next() % 330)"
            let status = [204, 204, 200, 503][Int(random.next() % 4)]
            log.append(LogSample.log("/view", status, at: second, key: key))
            hits.append(
                ReceivedHit(
                    n: index + 1,
                    at: LogSample.start + .seconds(second),
                    key: key,
                    path: "/view",
                    host: "t.example",
                    fault: status == 503 ? "status 503" : nil,
                    isCounted: status != 503
                )
            )
        }
        let whole = try LogSample.compare(lines, log).whole
        let expected = Reconciliation(
            lines,
            against: HitList(hits.sorted { ($0.at, $0.n) < ($1.at, $1.n) }, dropped: 0),
            lateAfter: .seconds(60)
        )
        // Causes and the verdict per key: as the numbers of both.
        #expect(whole.json == expected.json, "seed \(seed)")
        #expect(whole.tallies == expected.tallies, "seed \(seed)")
    }

    @Test("lines that are not in the format are counted, with the number of the first")
    func problems() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let text = [LogSample.log("/view"), "{broken", LogSample.log("/view"), ""].joined(separator: "\n")
        let path = try #require(folder.write(text, "access.log"))
        let comparison = try LogComparison([path], pattern: nil, lateAfter: .seconds(60))
        let problems = try comparison.read()
        #expect(problems == ["\(path): 1 line is not in its format, the first is line 2"])
    }

    @Test("what can't be compared is an error with its fix")
    func errors() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let (text, packed) = (folder.write("hello\n", "a.txt"), folder.write([0x1F, 0x8B, 8, 0], "a.gz"))
        func message(_ path: String?, _ pattern: String? = nil) throws -> String {
            let path = try #require(path)
            let error = #expect(throws: UsageError.self) {
                _ = try LogComparison([path], pattern: pattern, lateAfter: .zero)
            }
            return error?.message ?? ""
        }
        #expect(try message(text).hasSuffix("describe it with --log-format"))
        #expect(try message(packed).hasSuffix("is compressed; unpack it first, as with gunzip"))
        #expect(try message("/nowhere/a.log").hasSuffix("can't be read; name an access log"))
        #expect(try message("-").hasSuffix("describe it with --log-format"))
        #expect(try message(text, "$remote_addr").contains("has no $request"))
    }
}
