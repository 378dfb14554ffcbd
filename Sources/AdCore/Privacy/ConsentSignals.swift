/// The consent of a host, decoded as far as a decision about data needs it.
package struct ConsentSignals: Hashable, Sendable {
    /// Whether the GDPR applies, or may: a TCF string is there and nobody says that it does not.
    package let gdprApplies: Bool
    /// The TCF strings that apply: one of its own, and one in a GPP string.
    ///
    /// All must agree to a use.
    package private(set) var tcf: [TCFConsent] = []
    /// The sections of the GPP string; nil if there is none, or a malformed one.
    package private(set) var gpp: GPPConsent?
    /// The sections of the United States that apply.
    package private(set) var sections: [USSection] = []
    /// The US Privacy strings that apply: one of its own, and one in a GPP string.
    package private(set) var usPrivacy: [USPrivacy] = []
    /// Repairs, and why a string counts as a refusal.
    package private(set) var issues: [AdIssue] = []
    /// The conditions of the privacy table that follow.
    package private(set) var conditions: [PrivacyCondition] = []

    package init(_ consent: AdContext.Consent) {
        let gppText = consent.gpp?.written
        var issues: [AdIssue] = []
        var isReadable = consent.state != .damaged
        let singles = consent.sectionTexts.sorted { $0.key < $1.key }.map {
            GPPConsent.Section(id: $0.key, text: $0.value)
        }
        let gpp =
            gppText.map { GPPConsent(parsing: $0, issues: &issues) }
            ?? (singles.isEmpty ? nil : GPPConsent(sections: singles))
        if gppText != nil, gpp == nil { isReadable = false }
        let ids = Self.sectionIDs(consent.gppSections, in: gpp)
        // A section that is named applies whatever `gdprApplies` is; one that only is in the string does not.
        let isNamed = consent.gppSections.contains(2)
        let isThere = consent.tcf?.written != nil || ids.contains(2)
        self.gdprApplies = isNamed || (consent.gdprApplies ?? isThere)
        self.gpp = gpp
        self.issues = issues
        if !self.addFrameworkStrings(consent, ids) { isReadable = false }
        if !self.addSections(of: consent, ids) { isReadable = false }
        self.conditions = self.conditions(of: consent, isReadable: isReadable)
    }

    /// Decodes the TCF strings; false if one of them is malformed.
    private mutating func addFrameworkStrings(_ consent: AdContext.Consent, _ ids: [Int]) -> Bool {
        guard self.gdprApplies else { return true }
        var isReadable = true
        let inGPP = ids.contains(2) ? self.gpp?[2]?.text : nil
        for (text, field) in [(consent.tcf?.written, "tcf"), (inGPP, "gpp.2")] {
            guard let text else { continue }
            if let tcf = TCFConsent(parsing: text, field: field, issues: &self.issues) {
                self.tcf.append(tcf)
            } else {
                isReadable = false
            }
        }
        return isReadable
    }

    /// Decodes the sections of the United States, and the US Privacy strings; false if one of them is malformed.
    private mutating func addSections(of consent: AdContext.Consent, _ ids: [Int]) -> Bool {
        var isReadable = true
        var texts = [consent.usPrivacy?.written].compactMap(\.self)
        for id in ids where id != 2 {
            guard let section = self.gpp?[id] else {
                // What is named may be given by a string of its own.
                guard id != 6 || texts.isEmpty else { continue }
                let message = "section \(id) applies, but is not in the string; nothing personal is sent"
                self.issues.append(AdIssue("gpp.missing", at: .field("gppSections"), message))
                isReadable = false
                continue
            }
            if id == 6 {
                texts.append(section.text)
            } else if let decoded = USSection(section, issues: &self.issues) {
                self.sections.append(decoded)
            } else {
                isReadable = false
            }
        }
        for text in texts {
            if let decoded = USPrivacy(parsing: text, issues: &self.issues) {
                self.usPrivacy.append(decoded)
            } else {
                isReadable = false
            }
        }
        return isReadable
    }

    /// The conditions; each follows from any signal that says so.
    private func conditions(of consent: AdContext.Consent, isReadable: Bool) -> [PrivacyCondition] {
        // Without any string there is no consent.
        func agrees(_ use: (TCFConsent) -> Bool) -> Bool { !self.tcf.isEmpty && self.tcf.allSatisfy(use) }
        let refusesPlace = self.sections.contains(where: \.refusesPreciseLocation)
        let optedOut = self.sections.contains(where: \.isOptedOut) || self.usPrivacy.contains { $0.isOptedOut == true }
        let all: [(condition: PrivacyCondition, applies: Bool)] = [
            (.child, consent.coppa == true || self.sections.contains(where: \.isChild)),
            (.unanswered, consent.state == .pending),
            (.unreadable, !isReadable),
            (.gdprWithoutStorage, self.gdprApplies && !agrees(\.allowsStorage)),
            (.gdprWithoutAds, self.gdprApplies && !agrees(\.allowsAds)),
            (.usOptOut, optedOut),
            (.noPreciseLocation, refusesPlace || (self.gdprApplies && !agrees(\.allowsPreciseLocation))),
        ]
        return all.filter(\.applies).map(\.condition)
    }

    /// The ids of the sections that apply.
    ///
    /// -1 is "no section applies", 0 or nothing leaves it open (GPP, CMP API Specification, `applicableSections`): then
    /// all sections of the string count. The header and the integrity section (3 and 4) are no signals.
    private static func sectionIDs(_ named: [Int], in gpp: GPPConsent?) -> [Int] {
        let ids = named.filter { $0 > 0 }
        if !ids.isEmpty { return Array(Set(ids).sorted().prefix(64)) }
        guard !named.contains(-1) else { return [] }
        return gpp?.sections.map(\.id).filter { $0 != 3 && $0 != 4 } ?? []
    }
}

extension String {
    /// The text; nil if it is empty or only spaces.
    fileprivate var written: String? {
        let text = self.trimmed
        return text.isEmpty ? nil : text
    }
}
