import AdLint
import Testing

/// A creative or a tag without mistakes.
struct CleanCreative: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String

    init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }

    var testDescription: String { self.name }

    static let all = banners + tags + hosts + videos + responses
}

@Suite("Linting correct creatives")
struct CleanCreativeTests {
    @Test("a correct creative has no error and no warning", arguments: CleanCreative.all)
    func clean(_ creative: CleanCreative) {
        let report = Lint.check(creative.text)
        let found = report.findings.filter { $0.rule.severity != .info }
        #expect(found.isEmpty, "\(found.map { "\($0.line ?? 0):\($0.column ?? 0) \($0.rule.id): \($0.message)" })")
        #expect(report.kind != .unknown)
    }

    @Test("there are at least 60 different correct creatives")
    func count() {
        #expect(CleanCreative.all.count >= 60)
        #expect(Set(CleanCreative.all.map(\.text)).count == CleanCreative.all.count)
    }
}
