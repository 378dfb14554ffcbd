/// Reads the consent that a consent management platform wrote under the IAB's keys.
///
/// - TCF: `IABTCF_` (IAB Europe, CMP API v2, "What is the CMP in-app internal structure for the defined API?").
/// - GPP: `IABGPP_` (IAB Tech Lab, GPP CMP API Specification, "In-App Key Names").
/// - US Privacy: `IABUSPrivacy_String` (IAB, USP API, "In-app support").
///
/// Platforms store numbers as texts and texts as numbers: each repair is an issue. What can't be read makes the consent
/// damaged, so that nothing personal is sent.
package struct ConsentKeys: Hashable, Sendable {
    package private(set) var consent = AdContext.Consent()
    package var issues: [AdIssue] { self.consent.issues }

    package init(reading store: any KeyValueStore) {
        self.consent.tcf = self.text("IABTCF_TCString", in: store)
        self.consent.gdprApplies = self.gdprApplies(in: store)
        self.consent.gpp = self.text("IABGPP_HDR_GppString", in: store)
        self.consent.gppSections = self.sections(in: store)
        self.consent.usPrivacy = self.text("IABUSPrivacy_String", in: store)
        if self.consent.gpp == nil { self.readSingleSections(of: store) }
        self.checkPurposes(in: store)
        // None of the keys is set: the platform has not answered yet, or its answer was deleted.
        if self.consent == AdContext.Consent() { self.consent.state = .pending }
    }

    // MARK: Keys

    private mutating func gdprApplies(in store: any KeyValueStore) -> Bool? {
        let key = "IABTCF_gdprApplies"
        guard let number = self.number(key, in: store) else { return nil }
        switch number {
        case 0: return false
        case 1: return true
        default:
            self.refuse(key, "it is \(number), not 0 or 1")
            return nil
        }
    }

    /// The ids of the sections in force, which underscores separate, as in `2_3`.
    private mutating func sections(in store: any KeyValueStore) -> [Int] {
        let key = "IABGPP_GppSID"
        guard let text = self.text(key, in: store) else { return [] }
        if text.contains(",") { self.repair(key, "the ids are separated by commas; read as underscores") }
        let parts = text.split { $0 == "_" || $0 == "," }
        let ids = parts.prefix(Self.mostSections).map { Int(String($0).trimmed) }
        guard parts.count <= Self.mostSections, ids.allSatisfy({ $0.map { (-1...4_095).contains($0) } ?? false }) else {
            self.refuse(key, "it is not a list of section ids")
            return []
        }
        return ids.compactMap(\.self)
    }

    /// Reads the sections one by one, where the whole string is missing: `IABGPP_7_String`.
    private mutating func readSingleSections(of store: any KeyValueStore) {
        let named = self.consent.gppSections.filter { $0 > 0 }
        for id in named.isEmpty ? Array(1...Self.lastKnownSection) : named {
            let key = "IABGPP_\(id)_String"
            guard let text = self.text(key, in: store) else { continue }
            self.repair(key, "the whole GPP string is missing; the section is read by itself and is not sent")
            self.consent.sectionTexts[id] = text
        }
    }

    /// The purposes are stored decoded as well; both must say the same.
    private mutating func checkPurposes(in store: any KeyValueStore) {
        let key = "IABTCF_PurposeConsents"
        guard let bits = self.bits(key, in: store) else { return }
        // Outside of the GDPR they are of no importance, and may be old.
        guard self.consent.gdprApplies != false else { return }
        guard let string = self.consent.tcf else {
            // The string is what servers get: without it the purposes prove nothing to them.
            if bits.contains("1") { self.refuse(key, "purposes are stored, but no IABTCF_TCString") }
            return
        }
        var ignored: [AdIssue] = []
        guard let tcf = TCFConsent(parsing: string, issues: &ignored) else { return }
        let stored = Set(bits.enumerated().filter { $0.element == "1" }.map { $0.offset + 1 })
        if stored != tcf.purposes { self.refuse(key, "the purposes differ from those of IABTCF_TCString") }
    }

    // MARK: Values

    /// The text of a key; nil if there is none, or an empty one.
    private mutating func text(_ key: String, in store: any KeyValueStore) -> String? {
        switch store.value(for: key) {
        case nil: return nil
        case .text(let text):
            guard text.utf8.count <= BitReader.longestText else {
                self.refuse(key, "the text has \(text.utf8.count) bytes, more than \(BitReader.longestText)")
                return nil
            }
            let trimmed = text.trimmed
            if trimmed != text { self.repair(key, "spaces around the text are removed") }
            return trimmed.isEmpty ? nil : trimmed
        case .number(let number):
            guard let whole = Int(exactly: number) else { return self.refusing(key, "the number is not whole") }
            self.repair(key, "it is a number; read as a text")
            return String(whole)
        case .flag, .other: return self.refusing(key, "it is not a text")
        }
    }

    private mutating func number(_ key: String, in store: any KeyValueStore) -> Int? {
        switch store.value(for: key) {
        case nil: return nil
        case .number(let number):
            guard let whole = Int(exactly: number) else { return self.refusing(key, "the number is not whole") }
            return whole
        case .flag(let flag):
            self.repair(key, "it is a flag; read as a number")
            return flag ? 1 : 0
        case .text(let text):
            guard text.utf8.count <= 64 else { return self.refusing(key, "it is not a number") }
            let trimmed = text.trimmed
            guard !trimmed.isEmpty else { return nil }
            guard let number = Int(trimmed) else { return self.refusing(key, "it is not a number") }
            self.repair(key, "it is a text; read as a number")
            return number
        case .other: return self.refusing(key, "it is not a number")
        }
    }

    /// A text of zeros and ones; a number is refused, because it has lost its leading zeros.
    private mutating func bits(_ key: String, in store: any KeyValueStore) -> String? {
        if case .number = store.value(for: key) {
            return self.refusing(key, "it is a number, which has lost leading zeros")
        }
        guard let text = self.text(key, in: store) else { return nil }
        guard text.utf8.count <= 256, text.utf8.allSatisfy({ $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "1") })
        else {
            return self.refusing(key, "it is not a text of zeros and ones")
        }
        return text
    }

    private mutating func repair(_ key: String, _ message: String) {
        self.consent.issues.append(AdIssue("consent.repaired", at: .field(key), message))
    }

    private mutating func refuse(_ key: String, _ message: String) {
        self.consent.issues.append(AdIssue("consent.refused", at: .field(key), "\(message); nothing personal is sent"))
        self.consent.state = .damaged
    }

    private mutating func refusing<Value>(_ key: String, _ message: String) -> Value? {
        self.refuse(key, message)
        return nil
    }

    private static let mostSections = 64
    /// The last section id of the GPP's list ("Section Information").
    private static let lastKnownSection = 27
}
