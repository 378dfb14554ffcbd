/// The US Privacy string of the CCPA: `1YNN` (IAB, US Privacy String, "US Privacy String Format").
package struct USPrivacy: Hashable, Sendable {
    /// Whether the user could opt out and was told so; nil if not applicable or unknown.
    package let hasNotice: Bool?
    /// Whether the user opted out of the sale of their data; nil if the CCPA does not apply.
    package let isOptedOut: Bool?

    /// Decodes a string; nil with an issue if it is malformed.
    package init?(parsing text: String, issues: inout [AdIssue]) {
        var letters = Array(text.utf8.prefix(5))
        if letters.contains(UInt8(ascii: "y")) || letters.contains(UInt8(ascii: "n")) {
            let message = "the letters are lower case; read as upper case"
            issues.append(AdIssue("usPrivacy.case", at: .field("usPrivacy"), message))
            letters = letters.map { $0 == UInt8(ascii: "y") || $0 == UInt8(ascii: "n") ? $0 - 32 : $0 }
        }
        let flags = letters.dropFirst().map(Self.flag)
        guard letters.count == 4, letters[0] == UInt8(ascii: "1"), !flags.contains(.invalid) else {
            let message = "the string is not 1 and three of Y, N and -; nothing personal is sent"
            issues.append(AdIssue("usPrivacy.format", at: .field("usPrivacy"), message))
            return nil
        }
        // "The third character position (Opt-Out Sale) cannot be unknown … when CCPA applies."
        guard flags[1] != .none || (flags[0] == .none && flags[2] == .none) else {
            let message = "the CCPA applies, but the string says nothing about the opt-out; nothing personal is sent"
            issues.append(AdIssue("usPrivacy.optOut", at: .field("usPrivacy"), message))
            return nil
        }
        self.hasNotice = flags[0].value
        self.isOptedOut = flags[1].value
    }

    private enum Flag {
        case yes, no, none, invalid

        var value: Bool? {
            switch self {
            case .yes: true
            case .no: false
            case .none, .invalid: nil
            }
        }
    }

    private static func flag(_ letter: UInt8) -> Flag {
        switch letter {
        case UInt8(ascii: "Y"): .yes
        case UInt8(ascii: "N"): .no
        case UInt8(ascii: "-"): .none
        default: .invalid
        }
    }
}
