import TestSupport
import Testing

@testable import AdCore

@Suite("GPP strings")
struct GPPConsentTests {
    private static let tcf = "CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA"

    @Test(
        "the examples of the specification have their sections",
        arguments: [
            ("DBABM~\(tcf)", [2]), ("DBACNY~\(tcf)~1YNN", [2, 6]), ("DBABjw~\(tcf)~1YNN", [5, 6]),
            ("DBACNYA~\(tcf)~1YNN", [2, 6]), ("DBAA", []), ("DBABLA~BVQqAAAAAgA.QA", [7]),
        ]
    )
    func examples(text: String, ids: [Int]) throws {
        var issues: [AdIssue] = []
        let gpp = try #require(GPPConsent(parsing: text, issues: &issues))
        #expect(gpp.sections.map(\.id) == ids && issues == [])
        #expect(gpp.sections.map(\.text) == text.split(separator: "~").dropFirst().map(String.init))
    }

    @Test("a header has the ids that were encoded", arguments: TestSeed.all(from: 1, count: 200))
    func headers(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let ids = Array(
            Set((0..<Int.random(in: 0...20, using: &random)).map { _ in Int.random(in: 1...300, using: &random) })
        )
        .sorted()
        var issues: [AdIssue] = []
        let text = ConsentStrings.gpp(ids.map { ($0, "x\($0)") })
        let gpp = try #require(GPPConsent(parsing: text, issues: &issues), "seed \(seed)")
        #expect(gpp.sections.map(\.id) == ids && gpp.sections.map(\.text) == ids.map { "x\($0)" }, "seed \(seed)")
    }

    @Test(
        "a malformed string is an issue and has no sections",
        arguments: [
            ("", "gpp.header"), ("1YNN", "gpp.header"), ("CBABM~a", "gpp.header"), ("DCABM~a", "gpp.header"),
            ("DBABM", "gpp.sections"), ("DBABM~a~b", "gpp.sections"), ("DBAB", "gpp.header"), ("D", "gpp.header"),
            ("DBA__~a", "gpp.header"), ("DBABgAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "gpp.header"),
            (String(repeating: "~", count: 10_000), "gpp.header"),
            ("DBABM~" + String(repeating: "A", count: 1_048_576), "gpp.huge"),
        ]
    )
    func malformed(text: String, code: String) {
        var issues: [AdIssue] = []
        #expect(GPPConsent(parsing: text, issues: &issues) == nil)
        #expect(issues.map(\.code) == [code])
    }

    @Test("a group with billions of ids is refused")
    func huge() {
        var writer = BitWriter()
        writer.add(3, 6)
        writer.add(1, 6)
        writer.add(1, 12)
        writer.add(1, 1)
        writer.addFibonacci(1)
        writer.addFibonacci(900_000_000)
        var issues: [AdIssue] = []
        #expect(GPPConsent(parsing: writer.text + "~a", issues: &issues) == nil)
        #expect(issues.map(\.code) == ["gpp.header"])
    }
}
