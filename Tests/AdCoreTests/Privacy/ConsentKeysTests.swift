import Testing

@testable import AdCore

@Suite("The IAB's keys")
struct ConsentKeysTests {
    private func read(_ values: [String: StoredValue]) -> ConsentKeys { ConsentKeys(reading: FixedStore(values)) }

    @Test("what a platform writes as specified is read without an issue")
    func whole() {
        let keys = self.read([
            "IABTCF_TCString": .text(ConsentStrings.everything), "IABTCF_gdprApplies": .number(1),
            "IABTCF_PurposeConsents": .text("11111111111"), "IABGPP_HDR_GppString": .text("DBACNY~a~1YNN"),
            "IABGPP_GppSID": .text("2_6"), "IABUSPrivacy_String": .text("1YNN"),
        ])
        #expect(keys.issues == [])
        #expect(keys.consent.tcf == ConsentStrings.everything && keys.consent.gdprApplies == true)
        #expect(keys.consent.gpp == "DBACNY~a~1YNN" && keys.consent.gppSections == [2, 6])
        #expect(keys.consent.usPrivacy == "1YNN" && keys.consent.coppa == nil && keys.consent.state == .complete)
    }

    @Test("outside of the GDPR stored purposes are ignored")
    func outside() {
        let purposes = StoredValue.text("11111111111")
        let inside = self.read(["IABTCF_gdprApplies": .number(1), "IABTCF_PurposeConsents": purposes])
        #expect(inside.consent.state == .damaged)
        let outside = self.read(["IABTCF_gdprApplies": .number(0), "IABTCF_PurposeConsents": purposes])
        #expect(outside.consent.state == .complete && outside.issues == [])
    }

    @Test("where nothing is stored, or nothing is in it, the platform has not answered")
    func nothing() {
        var pending = AdContext.Consent()
        pending.state = .pending
        #expect(self.read([:]).consent == pending)
        let names = ["TCF_TCString", "TCF_gdprApplies", "TCF_PurposeConsents", "GPP_HDR_GppString", "GPP_GppSID"]
        let empty = self.read(Dictionary(uniqueKeysWithValues: names.map { ("IAB\($0)", StoredValue.text("")) }))
        #expect(empty.consent == pending && empty.issues == [])
    }

    @Test(
        "gdprApplies is read in every type that platforms use",
        arguments: [
            (.number(0), false, 0), (.number(1), true, 0), (.text("1"), true, 1), (.text("0"), false, 1),
            (.text(" 1 "), true, 1), (.flag(true), true, 1), (.flag(false), false, 1),
        ] as [(StoredValue, Bool, Int)]
    )
    func gdprApplies(value: StoredValue, wanted: Bool, repairs: Int) {
        let keys = self.read(["IABTCF_gdprApplies": value])
        #expect(keys.consent.gdprApplies == wanted && keys.consent.state == .complete)
        #expect(keys.issues.map(\.code) == [String](repeating: "consent.repaired", count: repairs))
    }

    @Test(
        "a value that can't be read is refused, and nothing personal is sent",
        arguments: [
            ("IABTCF_gdprApplies", .number(2)), ("IABTCF_gdprApplies", .number(.nan)),
            ("IABTCF_gdprApplies", .number(.infinity)), ("IABTCF_gdprApplies", .number(0.5)),
            ("IABTCF_gdprApplies", .number(-1)), ("IABTCF_gdprApplies", .text("yes")),
            ("IABTCF_gdprApplies", .text(String(repeating: "1", count: 1_048_576))), ("IABTCF_gdprApplies", .other),
            ("IABTCF_TCString", .text(String(repeating: "C", count: 1_048_576))), ("IABTCF_TCString", .other),
            ("IABTCF_TCString", .flag(true)), ("IABGPP_HDR_GppString", .text(String(repeating: "D", count: 1_048_576))),
            ("IABGPP_GppSID", .text("seven")), ("IABGPP_GppSID", .text("-2")),
            ("IABGPP_GppSID", .text("99999999999999999")),
            ("IABGPP_GppSID", .text(String(repeating: "7_", count: 100))), ("IABGPP_GppSID", .number(1e300)),
            ("IABUSPrivacy_String", .number(.nan)), ("IABTCF_PurposeConsents", .number(1)),
            ("IABTCF_PurposeConsents", .text("1")), ("IABTCF_PurposeConsents", .text("12")),
        ] as [(String, StoredValue)]
    )
    func refused(key: String, value: StoredValue) {
        let keys = self.read([key: value])
        #expect(keys.issues.map(\.code) == ["consent.refused"] && keys.issues.first?.place == .field(key))
        #expect(keys.consent.state == .damaged)
        #expect(PrivacyPolicy(AdContext(consent: keys.consent)).withheld.isSuperset(of: DeviceData.personal))
    }

    @Test("purposes that differ from those of the string are refused")
    func purposes() {
        var values: [String: StoredValue] = ["IABTCF_TCString": .text(ConsentStrings.tcf(purposes: [1, 3]))]
        for (bits, state) in [("101", AdContext.Consent.State.complete), ("1010000", .complete), ("111", .damaged)] {
            values["IABTCF_PurposeConsents"] = .text(bits)
            #expect(self.read(values).consent.state == state, "\(bits)")
        }
    }

    @Test("section ids are repaired: a number, commas, spaces")
    func sections() {
        for (value, ids, repairs) in [
            (StoredValue.text("7"), [7], 0), (.number(7), [7], 1), (.text("2,7"), [2, 7], 1),
            (.text(" 2_7"), [2, 7], 1),
            (.text("-1"), [-1], 0),
        ] {
            let keys = self.read(["IABGPP_GppSID": value])
            #expect(keys.consent.gppSections == ids && keys.issues.count == repairs, "\(value)")
        }
    }

    @Test("without the whole GPP string the sections are read one by one, and decide")
    func singleSections() {
        let optedOut = ConsentStrings.national(sale: 1)
        for named in [StoredValue.text("7"), nil] {
            var values: [String: StoredValue] = ["IABGPP_7_String": .text(optedOut)]
            values["IABGPP_GppSID"] = named
            let keys = self.read(values)
            #expect(keys.consent.gpp == nil && keys.consent.sectionTexts == [7: optedOut])
            #expect(keys.issues.map(\.code) == ["consent.repaired"])
            #expect(ConsentSignals(keys.consent).conditions == [.usOptOut])
        }
    }
}
