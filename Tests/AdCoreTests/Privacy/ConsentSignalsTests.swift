import TestSupport
import Testing

@testable import AdCore

@Suite("Decoded consent")
struct ConsentSignalsTests {
    private static let all = ConsentStrings.everything
    private static let none = ConsentStrings.tcf()
    private static let noPlace = ConsentStrings.tcf(purposes: Set(1...11))
    private static let noAds = ConsentStrings.tcf(purposes: [1, 2, 3], specialFeatures: [1])
    private static let refused: [PrivacyCondition] = [.gdprWithoutStorage, .gdprWithoutAds, .noPreciseLocation]
    private static let optOut = ConsentStrings.national(sharing: 1)
    private static let fine = ConsentStrings.national()

    /// Each signal alone and with others, and the conditions that follow.
    private static let cases: [(AdContext.Consent, [PrivacyCondition])] = [
        (.init(), []), (.init(gdprApplies: false), []), (.init(gdprApplies: true), refused),
        // GDPR: what the string says, and who says that it applies.
        (.init(gdprApplies: true, tcf: all), []), (.init(gdprApplies: true, tcf: none), refused),
        (.init(gdprApplies: true, tcf: noPlace), [.noPreciseLocation]),
        (.init(gdprApplies: true, tcf: noAds), [.gdprWithoutAds]), (.init(tcf: none), refused), (.init(tcf: ""), []),
        (.init(gdprApplies: false, tcf: none), []), (.init(gdprApplies: false, tcf: "?"), []),
        (.init(gdprApplies: true, tcf: "?"), [.unreadable] + refused), (.init(tcf: "?"), [.unreadable] + refused),
        // GPP: which sections apply.
        (.init(gpp: ConsentStrings.gpp([(2, none)])), refused), (.init(gpp: ConsentStrings.gpp([(2, all)])), []),
        (.init(gdprApplies: false, gpp: ConsentStrings.gpp([(2, none)])), []),
        (.init(gdprApplies: false, gpp: ConsentStrings.gpp([(2, none)]), gppSections: [2]), refused),
        (.init(tcf: all, gpp: ConsentStrings.gpp([(2, none)])), refused),
        (.init(tcf: all, gpp: "DBAA", gppSections: [2]), []),
        (.init(gpp: ConsentStrings.gpp([(7, optOut)])), [.usOptOut]), (.init(gpp: ConsentStrings.gpp([(7, fine)])), []),
        (.init(gpp: ConsentStrings.gpp([(7, optOut)]), gppSections: [7]), [.usOptOut]),
        (.init(gpp: ConsentStrings.gpp([(7, optOut)]), gppSections: [-1]), []),
        (.init(gpp: ConsentStrings.gpp([(7, optOut)]), gppSections: [0]), [.usOptOut]),
        (.init(gpp: ConsentStrings.gpp([(7, fine), (8, "?")]), gppSections: [7]), []),
        (.init(gpp: ConsentStrings.gpp([(7, fine), (8, "?")]), gppSections: [8]), [.unreadable]),
        (.init(gpp: ConsentStrings.gpp([(7, fine)]), gppSections: [9]), [.unreadable]),
        (.init(gpp: ConsentStrings.gpp([(5, fine)])), [.unreadable]), (.init(gppSections: [7]), [.unreadable]),
        (.init(gpp: "?"), [.unreadable]), (.init(gpp: " "), []),
        (.init(gpp: ConsentStrings.gpp([(7, ConsentStrings.national(child: [0, 2, 0]))])), [.child]),
        (.init(gpp: ConsentStrings.gpp([(7, ConsentStrings.national(sensitive: [8: 1]))])), [.noPreciseLocation]),
        // US Privacy.
        (.init(usPrivacy: "1YNN"), []), (.init(usPrivacy: "1YYN"), [.usOptOut]), (.init(usPrivacy: "1---"), []),
        (.init(usPrivacy: "?"), [.unreadable]), (.init(gpp: ConsentStrings.gpp([(6, "1YYN")])), [.usOptOut]),
        (.init(gpp: "DBAA", gppSections: [6], usPrivacy: "1YNN"), []),
        (.init(gpp: "DBAA", gppSections: [6]), [.unreadable]),
        // Children; all at once.
        (.init(coppa: true), [.child]), (.init(coppa: false), []),
        (
            .init(gdprApplies: true, tcf: none, usPrivacy: "1YYN", coppa: true),
            [.child] + [
                .gdprWithoutStorage, .gdprWithoutAds, .usOptOut, .noPreciseLocation,
            ]
        ),
    ]

    @Test("each signal has its conditions", arguments: 0..<cases.count)
    func conditions(index: Int) {
        let (consent, wanted) = Self.cases[index]
        #expect(ConsentSignals(consent).conditions == wanted, "\(consent)")
        // A refusal by malformed input has an issue.
        #expect(!wanted.contains(.unreadable) || !ConsentSignals(consent).issues.isEmpty, "\(consent)")
    }

    @Test("a consent that is pending or damaged withholds what is personal")
    func states() {
        for (state, condition) in [
            (AdContext.Consent.State.pending, PrivacyCondition.unanswered), (.damaged, .unreadable),
        ] {
            var consent = AdContext.Consent(gdprApplies: true, tcf: Self.all)
            consent.state = state
            #expect(ConsentSignals(consent).conditions == [condition])
        }
    }

    @Test("damaged strings never allow more than whole ones refuse", arguments: TestSeed.all(from: 1, count: 300))
    func damaged(seed: UInt64) {
        var random = TestRandom(seed: seed)
        let whole = [Self.none, "DBABLA~\(Self.optOut)", "DBACNY~\(Self.none)~1YYN", "1YYN"]
        var bytes = Array(whole[Int.random(in: 0..<whole.count, using: &random)].utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0 where bytes.count > 1: bytes.remove(at: place)
            case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            default: bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        for consent in [
            AdContext.Consent(gdprApplies: true, tcf: text), AdContext.Consent(gpp: text),
            AdContext.Consent(usPrivacy: text),
        ] {
            let signals = ConsentSignals(consent)
            if signals.conditions.contains(.unreadable) {
                let context = AdContext(ifa: "ID-1", consent: consent).permitted
                #expect(context.ifa == nil && !signals.issues.isEmpty, "YABBI_SEED=\(seed): \(text.debugDescription)")
            }
        }
    }
}
