import TestSupport
import Testing

@testable import AdCore

@Suite("TCF strings")
struct TCFConsentTests {
    @Test("the example of the specification has no consent")
    func example() throws {
        var issues: [AdIssue] = []
        // GPP Consent String Specification, "GPP String Examples".
        let text = "CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA"
        let tcf = try #require(TCFConsent(parsing: text, issues: &issues))
        #expect(tcf.policyVersion == 2 && tcf.purposes == [] && tcf.specialFeatures == [] && issues == [])
        #expect(!tcf.allowsStorage && !tcf.allowsAds && !tcf.allowsPreciseLocation)
    }

    @Test("all purposes and features are those that were encoded", arguments: TestSeed.all(from: 1, count: 200))
    func encoded(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        func some(_ count: Int) -> Set<Int> { Set((1...count).filter { _ in Bool.random(using: &random) }) }
        let (purposes, interests, features) = (some(24), some(24), some(12))
        let text = ConsentStrings.tcf(purposes: purposes, legitimateInterests: interests, specialFeatures: features)
        var issues: [AdIssue] = []
        let tcf = try #require(TCFConsent(parsing: text, issues: &issues), "seed \(seed)")
        #expect(tcf.purposes == purposes && tcf.legitimateInterests == interests, "seed \(seed)")
        #expect(tcf.specialFeatures == features && tcf.policyVersion == 5 && issues == [], "seed \(seed)")
        let hasPersonalAds = purposes.isSuperset(of: [3, 4])
        #expect(tcf.allowsAds == ((purposes.contains(2) || interests.contains(2)) && hasPersonalAds), "seed \(seed)")
    }

    @Test("other segments are not read")
    func segments() throws {
        var issues: [AdIssue] = []
        let text = ConsentStrings.everything + ".IFoEUQQgAIQwgIwQABAEAAAAOIAACAIAAAAQAIAgEAACEAAAAAgAQBAAAAAAAGBAAgAA.!"
        let tcf = try #require(TCFConsent(parsing: text, issues: &issues))
        #expect(tcf.allowsStorage && tcf.allowsAds && tcf.allowsPreciseLocation && issues == [])
    }

    @Test(
        "a malformed string is an issue and no consent",
        arguments: [
            ("", "tcf.short"), ("C", "tcf.short"), (".AAAA", "tcf.short"), ("not a string!", "tcf.letter"),
            (String(ConsentStrings.everything.prefix(35)), "tcf.short"),
            ("A=A" + ConsentStrings.everything, "tcf.letter"), (ConsentStrings.tcf(version: 1), "tcf.version"),
            (ConsentStrings.tcf(version: 3), "tcf.version"),
            (ConsentStrings.tcf(isServiceSpecific: false), "tcf.global"),
            (String(repeating: "A", count: 1_048_576), "tcf.huge"),
        ]
    )
    func malformed(text: String, code: String) {
        var issues: [AdIssue] = []
        #expect(TCFConsent(parsing: text, issues: &issues) == nil)
        #expect(issues.map(\.code) == [code])
        #expect(issues.allSatisfy { $0.place == .field("tcf") })
    }
}
