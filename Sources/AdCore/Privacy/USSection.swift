/// A section of the United States in a GPP string: the national one, or a state's.
package struct USSection: Hashable, Sendable {
    /// A choice of the user (fields of `Int(2)`).
    package enum Choice: Int, Hashable, Sendable {
        case notApplicable, optedOut, notOptedOut
        /// Three, which no specification defines: counts as opted out.
        case undefined

        var isOptOut: Bool { self == .optedOut || self == .undefined }
    }

    package let id: Int
    /// The client side API prefix, as `usnat`.
    package let name: String
    package let version: Int
    package let sale: Choice
    /// Nil where the section has no such field.
    package let sharing: Choice?
    /// Nil where the section has no such field.
    package let targetedAdvertising: Choice?
    /// Whether the user's browser or system sends the Global Privacy Control; nil if the section has none.
    package let gpc: Bool?
    /// Whether the user is known to be a child, with or without consent of the parents.
    package let isChild: Bool
    /// Whether the use of a precise location was refused; false where the section has no such field.
    package let refusesPreciseLocation: Bool

    /// Whether the user opted out of anything that ads with personal data need.
    package var isOptedOut: Bool {
        self.sale.isOptOut || self.sharing?.isOptOut == true || self.targetedAdvertising?.isOptOut == true
            || self.gpc == true
    }

    /// Decodes a section; nil with an issue if it is malformed, or if its layout is not known here.
    package init?(_ section: GPPConsent.Section, issues: inout [AdIssue]) {
        func refuse(_ code: String, _ message: String) {
            let place = AdIssue.Place.field("gpp.\(section.id)")
            issues.append(AdIssue("gpp.\(code)", at: place, "\(message); nothing personal is sent"))
        }
        guard let layout = USSectionLayout.known[section.id] else {
            refuse("unknown", "the section's layout is not known")
            return nil
        }
        let segments = section.text.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
        // A segment that can't be read may be a refusal.
        guard let core = BitReader(segments[0]), segments.allSatisfy({ $0.isEmpty || BitReader($0) != nil }) else {
            refuse("letter", "the section is not in URL-safe base 64")
            return nil
        }
        self.gpc = Self.globalPrivacyControl(in: segments)
        guard let version = core.number(at: 0, bits: 6), layout.versions.contains(version) else {
            refuse("version", "the section's version is not known")
            return nil
        }
        let counts = layout.counts(bits: core.count)
        let childPlace = layout.sensitivePlace + 2 * counts.sensitive
        func choice(at place: Int?) -> Choice? { place.flatMap { core.number(at: $0, bits: 2) }.flatMap(Choice.init) }
        guard let sale = choice(at: layout.salePlace), core.count >= childPlace + 2 * counts.child else {
            refuse("short", "the section has \(core.count) bits, fewer than \(childPlace + 2 * counts.child)")
            return nil
        }
        self.id = section.id
        self.name = layout.name
        self.version = version
        self.sale = sale
        self.sharing = choice(at: layout.sharingPlace)
        self.targetedAdvertising = choice(at: layout.advertisingPlace)
        // 1 is no consent and 2 is consent; with 0 the business knows of no child.
        self.isChild = (0..<counts.child).contains { core.number(at: childPlace + 2 * $0, bits: 2) != 0 }
        // 1 is no consent, or an opt-out.
        self.refusesPreciseLocation = layout.locationPlace.flatMap { core.number(at: $0, bits: 2) } == 1
    }

    /// The flag of the segment with two bits of type, 1 for the Global Privacy Control ("GPC Sub-section").
    private static func globalPrivacyControl(in segments: [Substring]) -> Bool? {
        segments.dropFirst().lazy.compactMap { segment -> Bool? in
            guard let reader = BitReader(segment), reader.number(at: 0, bits: 2) == 1 else { return nil }
            return reader.bit(at: 2)
        }.first
    }
}

/// Where the fields of a section are: each version begins with six bits of version, then notices of two bits each.
struct USSectionLayout: Sendable {
    let name: String
    let versions: ClosedRange<Int>
    let salePlace: Int
    let sharingPlace: Int?
    let advertisingPlace: Int?
    let sensitivePlace: Int
    /// Which field of the sensitive data is a precise location, from 1; nil if there is none.
    private var locationField: Int? = 8
    /// Where that field is.
    var locationPlace: Int? { self.locationField.map { self.sensitivePlace + 2 * ($0 - 1) } }
    private let sensitiveCount: Int
    private let childCount: Int

    /// How many fields of two bits there are for sensitive data and for children.
    ///
    /// The national section had 12 and 2 of them before October 2024, and has 16 and 3 since. Both are written with
    /// version 1, as the IAB's own encoder does, so that the length tells them apart: 60 and 70 bits.
    func counts(bits: Int) -> (sensitive: Int, child: Int) {
        self.sharingPlace != nil && self.advertisingPlace != nil && bits < 70
            ? (12, 2) : (self.sensitiveCount, self.childCount)
    }

    /// The national section (7): six notices; the opt-outs of sale, sharing and targeted advertising.
    private static let national = USSectionLayout(
        name: "usnat",
        versions: 1...2,
        salePlace: 18,
        sharingPlace: 20,
        advertisingPlace: 22,
        sensitivePlace: 24,
        sensitiveCount: 16,
        childCount: 3
    )

    /// California (8): three notices; the opt-outs of sale and sharing.
    private static let california = USSectionLayout(
        name: "usca",
        versions: 1...1,
        salePlace: 12,
        sharingPlace: 14,
        advertisingPlace: nil,
        sensitivePlace: 16,
        locationField: 3,
        sensitiveCount: 9,
        childCount: 2
    )

    /// A state with some notices, and the opt-outs of sale and targeted advertising.
    private static func state(
        _ name: String,
        notices: Int = 3,
        location: Int? = 8,
        sensitive: Int,
        child: Int
    ) -> USSectionLayout {
        USSectionLayout(
            name: name,
            versions: 1...1,
            salePlace: 6 + 2 * notices,
            sharingPlace: nil,
            advertisingPlace: 8 + 2 * notices,
            sensitivePlace: 10 + 2 * notices,
            locationField: location,
            sensitiveCount: sensitive,
            childCount: child
        )
    }

    /// The layouts by section id (GPP, Sections/US-National and Sections/US-States).
    ///
    /// Maryland, Indiana, Kentucky and Rhode Island (24 to 27) have sections with a header of their own, which is not
    /// decoded.
    static let known: [Int: USSectionLayout] = [
        7: national, 8: california,
        9: state("usva", sensitive: 8, child: 1), 10: state("usco", location: nil, sensitive: 7, child: 1),
        11: state("usut", notices: 4, sensitive: 8, child: 1), 12: state("usct", sensitive: 8, child: 3),
        13: state("usfl", sensitive: 8, child: 3), 14: state("usmt", sensitive: 8, child: 3),
        15: state("usor", location: 11, sensitive: 11, child: 3), 16: state("ustx", sensitive: 8, child: 1),
        17: state("usde", sensitive: 9, child: 5), 18: state("usia", notices: 4, sensitive: 8, child: 1),
        19: state("usne", sensitive: 8, child: 1), 20: state("usnh", sensitive: 8, child: 3),
        21: state("usnj", sensitive: 10, child: 5), 22: state("ustn", sensitive: 8, child: 1),
        23: state("usmn", sensitive: 8, child: 1),
    ]
}
