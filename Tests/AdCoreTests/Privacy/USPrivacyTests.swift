import TestSupport
import Testing

@testable import AdCore

@Suite("Privacy strings of the United States")
struct USPrivacyTests {
    @Test(
        "a US Privacy string says whether the user was told and opted out",
        arguments: [
            ("1YNN", true, false), ("1NYN", false, true), ("1-Y-", nil, true), ("1---", nil, nil), ("1-N-", nil, false),
            ("1YYY", true, true), ("1yn-", true, false),
        ] as [(String, Bool?, Bool?)]
    )
    func usPrivacy(text: String, notice: Bool?, optOut: Bool?) throws {
        var issues: [AdIssue] = []
        let usPrivacy = try #require(USPrivacy(parsing: text, issues: &issues))
        #expect(usPrivacy.hasNotice == notice && usPrivacy.isOptedOut == optOut)
        #expect(issues.map(\.code) == (text.contains("y") ? ["usPrivacy.case"] : []))
    }

    @Test(
        "a malformed US Privacy string is an issue",
        arguments: [
            ("", "usPrivacy.format"), ("1", "usPrivacy.format"), ("2YNN", "usPrivacy.format"),
            ("1YNNN", "usPrivacy.format"), ("1YXN", "usPrivacy.format"), ("1Y-N", "usPrivacy.optOut"),
            ("1--N", "usPrivacy.optOut"), (String(repeating: "1", count: 1_048_576), "usPrivacy.format"),
        ]
    )
    func malformed(text: String, code: String) {
        var issues: [AdIssue] = []
        #expect(USPrivacy(parsing: text, issues: &issues) == nil)
        #expect(issues.map(\.code) == [code])
    }

    /// The fields of two bits of each section after its version (GPP, Sections): `n` notice, `s` sale, `h` sharing, `t`
    /// targeted advertising, `d` sensitive data, `c` child, `o` other.
    private static let layouts: [(id: Int, fields: String)] = [
        (7, "nnnnnnshtddddddddddddddddcccoooo"), (8, "nnnshdddddddddccoooo"), (9, "nnnstddddddddcooo"),
        (10, "nnnstdddddddcooo"), (11, "nnnnstddddddddcooo"), (12, "nnnstddddddddcccooo"),
        (13, "nnnstddddddddcccoooo"), (14, "nnnstddddddddcccoooo"), (15, "nnnstdddddddddddcccoooo"),
        (16, "nnnstddddddddcoooo"), (17, "nnnstdddddddddcccccoooo"), (18, "nnnnstddddddddcooo"),
        (19, "nnnstddddddddcoooo"), (20, "nnnstddddddddcccoooo"), (21, "nnnstddddddddddcccccoooo"),
        (22, "nnnstddddddddcoooo"), (23, "nnnstddddddddcoooo"),
    ]

    @Test("each section has the choices that were encoded", arguments: TestSeed.all(from: 1, count: 50))
    func sections(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        for (id, fields) in Self.layouts {
            let isChild = Bool.random(using: &random)
            var values: [Character: Int] = [:]
            for kind in "sht" { values[kind] = Int.random(in: 0...3, using: &random) }
            var writer = BitWriter()
            writer.add(1, 6)
            for field in fields {
                writer.add(
                    values[field] ?? (field == "c" ? (isChild ? 1 : 0) : Int.random(in: 0...2, using: &random)),
                    2
                )
            }
            var issues: [AdIssue] = []
            let section = try #require(
                USSection(.init(id: id, text: writer.text), issues: &issues),
                "\(id), seed \(seed)"
            )
            #expect(section.sale.rawValue == values["s"] && section.isChild == isChild, "\(id), seed \(seed)")
            #expect(section.sharing?.rawValue == (fields.contains("h") ? values["h"] : nil), "\(id), seed \(seed)")
            let advertising = fields.contains("t") ? values["t"] : nil
            #expect(section.targetedAdvertising?.rawValue == advertising, "\(id), seed \(seed)")
            #expect(issues == [])
        }
    }

    @Test(
        "strings of the IAB's encoder are decoded",
        arguments: [
            // The national section before October 2024, and since; without the padding of older encoders, and with it.
            (7, "BAAAAAAAAQA.QA", 0, 0, 0, false, false), (7, "BVVVkkkklWA.YA", 1, 1, 1, true, true),
            (7, "BAAAAAAAAABA.QA", 0, 0, 0, false, false), (7, "BVVVkkkkkpFY.YA", 1, 1, 1, true, true),
            (7, "BVVVkkkkkpFY.Y", 1, 1, 1, true, true), (9, "BbYbG9s", 1, nil, 2, true, nil),
            (9, "BAAAAAA", 0, nil, 0, false, nil),
        ] as [(Int, String, Int, Int?, Int, Bool, Bool?)]
    )
    func known(
        id: Int,
        text: String,
        sale: Int,
        sharing: Int?,
        advertising: Int,
        isChild: Bool,
        gpc: Bool?
    ) throws {
        var issues: [AdIssue] = []
        let section = try #require(USSection(.init(id: id, text: text), issues: &issues))
        #expect(section.sale.rawValue == sale && section.sharing?.rawValue == sharing)
        #expect(section.targetedAdvertising?.rawValue == advertising && section.isChild == isChild)
        #expect(section.gpc == gpc && issues == [])
    }

    @Test("a precise location that was refused is sensitive data 8 of the national section")
    func place() throws {
        var issues: [AdIssue] = []
        for (value, refuses) in [(0, false), (1, true), (2, false)] {
            let text = ConsentStrings.national(sensitive: [8: value])
            let section = try #require(USSection(.init(id: 7, text: text), issues: &issues))
            #expect(section.refusesPreciseLocation == refuses && !section.isOptedOut)
        }
        let text = ConsentStrings.national(gpc: true)
        #expect(try #require(USSection(.init(id: 7, text: text), issues: &issues)).isOptedOut)
    }

    @Test(
        "a malformed section is an issue",
        arguments: [
            (7, "", "gpp.version"), (7, "BVVV", "gpp.short"), (7, "AVVVkkkkkpFY", "gpp.version"),
            (7, "B VV", "gpp.letter"), (8, "CAAAAAAAAA", "gpp.version"), (24, "BAAAAAAAAA", "gpp.unknown"),
            (5, "BAAAAAAAAA", "gpp.unknown"), (4_000, "B", "gpp.unknown"),
        ]
    )
    func malformed(id: Int, text: String, code: String) {
        var issues: [AdIssue] = []
        #expect(USSection(.init(id: id, text: text), issues: &issues) == nil)
        #expect(issues.map(\.code) == [code])
    }
}
