/// What a TCF string of version 2 says, as far as a decision about data needs it.
///
/// The fields are those of the core segment (IAB Europe, Consent string and vendor list formats v2, "The Core String").
/// Vendors and publisher restrictions are for the servers that get the whole string.
package struct TCFConsent: Hashable, Sendable {
    /// The version of the policies that the consent was given under: 4 and 5 are those of TCF 2.2 and 2.3.
    package let policyVersion: Int
    /// The purposes with consent, counted from 1.
    package let purposes: Set<Int>
    /// The purposes whose legitimate interest was disclosed and not objected to, counted from 1.
    package let legitimateInterests: Set<Int>
    /// The special features that the user opted in to, counted from 1.
    package let specialFeatures: Set<Int>

    /// Whether information may be stored and accessed on the device (purpose 1).
    ///
    /// With `PurposeOneTreatment` the user was not asked. Whether the law of the publisher's country allows access then
    /// is not known here, so it does not.
    package var allowsStorage: Bool { self.purposes.contains(1) }

    /// Whether data may be used to select ads (purpose 2), and for a profile of the user (purposes 3 and 4).
    ///
    /// For profiles there is no legitimate interest (TCF Policies 4.0, from TCF 2.2 on).
    package var allowsAds: Bool {
        (self.purposes.contains(2) || self.legitimateInterests.contains(2)) && self.purposes.isSuperset(of: [3, 4])
    }

    /// Whether a precise location may be used (special feature 1).
    package var allowsPreciseLocation: Bool { self.specialFeatures.contains(1) }

    /// Decodes the core segment; nil with an issue if it is malformed.
    ///
    /// `field` names the place of the string.
    package init?(parsing text: String, field: String = "tcf", issues: inout [AdIssue]) {
        func refuse(_ code: String, _ message: String) {
            issues.append(AdIssue("tcf.\(code)", at: .field(field), "\(message); nothing personal is sent"))
        }
        guard text.utf8.count <= BitReader.longestText else {
            refuse("huge", "the string has \(text.utf8.count) bytes, more than \(BitReader.longestText)")
            return nil
        }
        let core = text.prefix { $0 != "." }
        guard let reader = BitReader(core) else {
            refuse("letter", "the string is not in URL-safe base 64")
            return nil
        }
        guard let version = reader.number(at: 0, bits: 6), let policyVersion = reader.number(at: 132, bits: 6),
            let isServiceSpecific = reader.bit(at: 138), reader.count >= Self.fixedCount
        else {
            refuse("short", "the core segment has \(reader.count) bits, fewer than \(Self.fixedCount)")
            return nil
        }
        guard version == 2 else {
            refuse("version", "the version is \(version), not 2")
            return nil
        }
        // "When a Vendor encounters a TC String with IsServiceSpecific=0 then it is considered invalid."
        guard isServiceSpecific else {
            refuse("global", "IsServiceSpecific is 0, which makes the string invalid")
            return nil
        }
        self.policyVersion = policyVersion
        self.specialFeatures = reader.setBits(at: 140, count: 12)
        self.purposes = reader.setBits(at: 152, count: 24)
        self.legitimateInterests = reader.setBits(at: 176, count: 24)
    }

    /// The bits of the core segment before the vendors: `PublisherCC` ends there.
    private static let fixedCount = 213
}
