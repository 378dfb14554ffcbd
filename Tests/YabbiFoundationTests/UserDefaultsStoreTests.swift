import AdCore
import Foundation
import Testing
import YabbiFoundation

@Suite("The consent in the user defaults")
struct UserDefaultsStoreTests {
    /// User defaults of one test.
    private func withDefaults(_ body: (UserDefaults) throws -> Void) throws {
        let name = "yabbi-tests-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: name))
        defer { defaults.removePersistentDomain(forName: name) }
        try body(defaults)
    }

    @Test("each value has the type with which it was stored")
    func types() throws {
        try self.withDefaults { defaults in
            defaults.set("CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA", forKey: "IABTCF_TCString")
            defaults.set(1, forKey: "IABTCF_gdprApplies")
            defaults.set(0, forKey: "zero")
            defaults.set(2.5, forKey: "share")
            defaults.set(["a"], forKey: "list")
            defaults.set(Data([1]), forKey: "data")
            let store = UserDefaultsStore(defaults)
            #expect(store.value(for: "IABTCF_TCString") == .text("CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA"))
            #expect(store.value(for: "IABTCF_gdprApplies") == .number(1))
            #expect(store.value(for: "zero") == .number(0))
            #expect(store.value(for: "share") == .number(2.5))
            #expect(store.value(for: "list") == .other)
            #expect(store.value(for: "data") == .other)
            #expect(store.value(for: "IABGPP_HDR_GppString") == nil)
        }
    }

    @Test("a flag is a flag, and a changed value is seen")
    func flags() throws {
        try self.withDefaults { defaults in
            let store = UserDefaultsStore(defaults)
            defaults.set(true, forKey: "flag")
            #expect(store.value(for: "flag") == .flag(true))
            defaults.set(false, forKey: "flag")
            #expect(store.value(for: "flag") == .flag(false))
            defaults.removeObject(forKey: "flag")
            #expect(store.value(for: "flag") == nil)
        }
    }

    @Test("consent is read from the keys of the IAB, as a platform stores them")
    func consent() throws {
        try self.withDefaults { defaults in
            defaults.set(1, forKey: "IABTCF_gdprApplies")
            defaults.set("CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA", forKey: "IABTCF_TCString")
            defaults.set("2_6", forKey: "IABGPP_GppSID")
            defaults.set("1YNN", forKey: "IABUSPrivacy_String")
            let keys = ConsentKeys(reading: UserDefaultsStore(defaults))
            #expect(keys.consent.gdprApplies == true)
            #expect(keys.consent.tcf == "CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA")
            #expect(keys.consent.gppSections == [2, 6])
            #expect(keys.consent.usPrivacy == "1YNN")
            #expect(keys.issues.isEmpty)
        }
    }
}
