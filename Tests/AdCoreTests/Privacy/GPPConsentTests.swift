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

    /// Each section with a field for precise locations: its notices, opt-outs, sensitive data, that field, and children
    /// (GPP, Sections).
    private static let locations = [
        (7, 6, 3, 16, 8, 3), (8, 3, 2, 9, 3, 2), (9, 3, 2, 8, 8, 1), (11, 4, 2, 8, 8, 1), (12, 3, 2, 8, 8, 3),
        (13, 3, 2, 8, 8, 3), (14, 3, 2, 8, 8, 3), (15, 3, 2, 11, 11, 3), (16, 3, 2, 8, 8, 1), (17, 3, 2, 9, 8, 5),
        (18, 4, 2, 8, 8, 1), (19, 3, 2, 8, 8, 1), (20, 3, 2, 8, 8, 3), (21, 3, 2, 10, 8, 5), (22, 3, 2, 8, 8, 1),
        (23, 3, 2, 8, 8, 1),
    ]

    @Test("the refusal of precise locations is read in each section that has it", arguments: locations)
    func location(id: Int, notices: Int, optOuts: Int, sensitive: Int, field: Int, children: Int) throws {
        for refused in 1...sensitive {
            var writer = BitWriter()
            writer.add(1, 6)
            for _ in 0..<notices { writer.add(1, 2) }
            for _ in 0..<optOuts { writer.add(2, 2) }
            for place in 1...sensitive { writer.add(place == refused ? 1 : 2, 2) }
            for _ in 0..<children { writer.add(0, 2) }
            for _ in 0..<4 { writer.add(0, 2) }
            var issues: [AdIssue] = []
            let section = try #require(USSection(.init(id: id, text: writer.text), issues: &issues))
            #expect(section.refusesPreciseLocation == (refused == field), "section \(id), sensitive data \(refused)")
            #expect(!section.isOptedOut && !section.isChild && issues == [], "section \(id)")
        }
    }

    @Test("Colorado has no field for precise locations")
    func colorado() throws {
        var writer = BitWriter()
        writer.add(1, 6)
        for _ in 0..<5 { writer.add(2, 2) }
        for _ in 0..<7 { writer.add(1, 2) }
        for _ in 0..<3 { writer.add(0, 2) }
        var issues: [AdIssue] = []
        let section = try #require(USSection(.init(id: 10, text: writer.text), issues: &issues))
        #expect(!section.refusesPreciseLocation)
    }

    @Test("a segment that can't be read counts as a refusal, because it may be the Global Privacy Control")
    func segment() {
        var issues: [AdIssue] = []
        let text = ConsentStrings.national() + ".!!!"
        #expect(USSection(.init(id: 7, text: text), issues: &issues) == nil)
        #expect(issues.map(\.code) == ["gpp.letter"])
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
