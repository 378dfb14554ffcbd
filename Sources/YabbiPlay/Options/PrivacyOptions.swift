import AdCore
import PlayConsole

/// The consent signals that `doctor --privacy` decodes.
struct PrivacyOptions: Equatable, Sendable {
    static let privacy = Flag(
        "--privacy",
        "Decode consent signals and print which data may leave the device, in place of the checks."
    )
    static let tcf = Option("--tcf", .other("<string>"), "The TCF consent string.", otherwise: "none", OptionValue.text)
    static let gpp = Option("--gpp", .other("<string>"), "The GPP string.", otherwise: "none", OptionValue.text)
    static let gppSections = Option(
        "--gpp-sid",
        .other("<id>,<id>"),
        "The ids of the GPP sections that apply.",
        otherwise: "all of the string"
    ) { (text, name) throws(UsageError) in
        let ids = text.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "_" }.map { Int($0) }
        guard ids.count <= 64, ids.allSatisfy({ $0.map { (-1...4_095).contains($0) } ?? false }) else {
            throw OptionValue.invalid(text, for: name, expected: "section ids, for example 2,7")
        }
        return ids.compactMap(\.self)
    }
    static let usPrivacy = Option(
        "--usp",
        .other("<string>"),
        "The US Privacy string, as 1YNN.",
        otherwise: "none",
        OptionValue.text
    )
    static let gdpr = Option(
        "--gdpr",
        .other("0|1"),
        "Whether the GDPR applies to the user.",
        otherwise: "1 with a TCF string"
    ) { (text, name) throws(UsageError) in
        switch text {
        case "0": return false
        case "1": return true
        default: throw OptionValue.invalid(text, for: name, expected: "0 or 1")
        }
    }
    static let coppa = Flag("--coppa", "COPPA applies: the user is a child.")
    static let limitAdTracking = Flag("--limit-ad-tracking", "The app withholds what identifies or locates the user.")

    /// Those that need `--privacy`.
    static let signals: [any OptionDeclaration] = [tcf, gdpr, gpp, gppSections, usPrivacy, coppa, limitAdTracking]
    static let options: [any OptionDeclaration] = [privacy] + signals

    /// The context with these signals.
    let context: AdContext

    /// Nil without `--privacy`.
    init?(_ arguments: Arguments) throws(UsageError) {
        guard arguments.has(Self.privacy) else {
            try arguments.refuse(Self.signals, "requires --privacy")
            return nil
        }
        var consent = AdContext.Consent()
        consent.tcf = try arguments.value(Self.tcf)
        consent.gdprApplies = try arguments.value(Self.gdpr)
        consent.gpp = try arguments.value(Self.gpp)
        consent.gppSections = try arguments.value(Self.gppSections) ?? []
        consent.usPrivacy = try arguments.value(Self.usPrivacy)
        consent.coppa = arguments.has(Self.coppa) ? true : nil
        if consent.gpp == nil, !consent.gppSections.isEmpty { throw UsageError("--gpp-sid requires --gpp <string>") }
        let context = AdContext(consent: consent)
        self.context = arguments.has(Self.limitAdTracking) ? context.withholding() : context
    }
}
