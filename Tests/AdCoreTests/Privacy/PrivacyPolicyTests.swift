import Testing

@testable import AdCore

@Suite("What may leave the device")
struct PrivacyPolicyTests {
    /// The table: for each condition what is withheld, by the first letters of the rows.
    private static let table: [(PrivacyCondition, Set<DeviceData>)] = [
        (.child, [.advertisingID, .preciseLocation, .coarseLocation, .userData]),
        (.limitsAdTracking, [.advertisingID, .preciseLocation, .coarseLocation, .userData]),
        (.unanswered, [.advertisingID, .preciseLocation, .coarseLocation, .userData, .deviceModel]),
        (.unreadable, [.advertisingID, .preciseLocation, .coarseLocation, .userData, .deviceModel]),
        (.gdprWithoutStorage, [.advertisingID, .preciseLocation, .coarseLocation, .userData, .deviceModel]),
        (.gdprWithoutAds, [.advertisingID, .preciseLocation, .coarseLocation, .userData]),
        (.usOptOut, [.advertisingID, .preciseLocation, .userData]), (.noPreciseLocation, [.preciseLocation]),
    ]

    private let context = AdContext(
        ifa: "6D92078A-8246-4BA4-AE5B-76104861E7DC",
        userAgent: "Test/1.0",
        location: AdContext.Location(latitude: 48.137154, longitude: -11.576124, precision: 12)
    )

    @Test("every condition withholds its data, and nothing else")
    func conditions() {
        #expect(Self.table.map(\.0) == PrivacyCondition.allCases)
        for (condition, withheld) in Self.table {
            let policy = PrivacyPolicy([condition])
            #expect(policy.withheld == withheld, "\(condition)")
            for use in policy.uses {
                #expect(
                    use.isAllowed == !withheld.contains(use.data) && use.reason == (use.isAllowed ? nil : condition)
                )
            }
        }
        #expect(PrivacyPolicy([]).uses.allSatisfy { $0.isAllowed })
    }

    @Test("all sets of conditions withhold together what each withholds, and the first gives the reason")
    func sets() {
        for bits in 0..<(1 << Self.table.count) {
            let chosen = Self.table.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
            let policy = PrivacyPolicy(chosen.map(\.0).reversed())
            #expect(policy.withheld == chosen.reduce(into: []) { $0.formUnion($1.1) })
            for data in DeviceData.allCases {
                #expect(policy.use(of: data).reason == chosen.first { $0.1.contains(data) }?.0)
            }
            #expect(policy.use(of: .consentSignals).isAllowed && policy.use(of: .userAgent).isAllowed)
        }
    }

    @Test("a context keeps what may be sent; of a place a tenth of a degree")
    func permitted() {
        #expect(self.context.permitted == self.context)
        var context = self.context
        context.consent.usPrivacy = "1YYN"
        let optedOut = context.permitted
        #expect(optedOut.ifa == nil && optedOut.userAgent == "Test/1.0" && optedOut.consent.usPrivacy == "1YYN")
        #expect(optedOut.location == AdContext.Location(latitude: 48.1, longitude: -11.6, precision: 10_000))
        #expect(!optedOut.isWithheld && optedOut.permitted == optedOut)
    }

    @Test("of the device the language stays where its model may not be sent")
    func device() {
        var context = self.context
        (context.device.model, context.device.os, context.device.language) = ("iPhone", "iOS", "de")
        var language = AdContext.Device()
        language.language = "de"
        for consent in [AdContext.Consent(usPrivacy: "1YYN"), AdContext.Consent(coppa: true)] {
            context.consent = consent
            #expect(context.permitted.device == context.device)
        }
        for consent in [AdContext.Consent(gdprApplies: true), AdContext.Consent(usPrivacy: "?")] {
            context.consent = consent
            #expect(context.permitted.device == language)
        }
        context.consent.coppa = true
        let child = context.permitted
        #expect(child.ifa == nil && child.location == nil && child.isWithheld && !child.permits(.userData))
    }

    @Test("places at the ends of the earth have a coarse place")
    func coarse() {
        for (latitude, longitude) in [(90.0, 180.0), (-90, -180), (89.99, 179.99), (0, -0.04)] {
            let place = AdContext.Location(latitude: latitude, longitude: longitude, precision: 1e9)
            #expect(place?.coarse.precision == 1e9)
            #expect(place.map { abs($0.coarse.latitude - latitude) <= 0.05 } == true)
        }
    }

    @Test(
        "an identifier of zeros limits tracking",
        arguments: [
            ("00000000-0000-0000-0000-000000000000", true), ("0", true), ("-", true), ("", false), ("0a", false),
        ]
    )
    func zeros(ifa: String, isLimited: Bool) {
        #expect(PrivacyPolicy(AdContext(ifa: ifa)).conditions == (isLimited ? [.limitsAdTracking] : []))
    }

    @Test("a change that takes data back drops loaded ads; one that gives more does not")
    func withdrawn() {
        func consent(_ consent: AdContext.Consent) -> AdContext { AdContext(consent: consent) }
        let all = consent(.init(gdprApplies: true, tcf: ConsentStrings.everything))
        let none = consent(.init(gdprApplies: true, tcf: ConsentStrings.tcf()))
        let noPlace = consent(.init(gdprApplies: true, tcf: ConsentStrings.tcf(purposes: Set(1...11))))
        for (old, new, drops, hides) in [
            (all, all, false, false), (all, none, true, true), (none, all, false, false), (all, noPlace, true, false),
            (noPlace, none, true, true), (none, none, false, false),
            (AdContext(), consent(.init(coppa: true)), true, true),
            (AdContext(), AdContext().withholding(), true, true),
            (AdContext().withholding(), AdContext(), false, false),
            (consent(.init(usPrivacy: "1YNN")), consent(.init(usPrivacy: "1YYN")), true, true),
        ] {
            let withdrawal = PrivacyPolicy.withdrawn(from: PrivacyPolicy(old), to: PrivacyPolicy(new))
            #expect(withdrawal.dropsLoadedAds == drops && withdrawal.hidesIdentifier == hides, "\(old) \(new)")
        }
    }
}
