package import AdCore

/// Reads entries of an engine's log about blocked attempts.
package enum EngineLogEntry {
    /// The blocked attempt; nil for other entries.
    package static func attempt(_ text: String) -> BlockedAttempt? {
        // The wording differs between engines and their versions, so several phrases are listed.
        for (kind, phrases) in self.phrases where phrases.contains(where: { text.contains($0) }) {
            return BlockedAttempt(kind, self.permission(text) ?? Redaction.address(text.excerpt(300)))
        }
        return nil
    }

    /// The denied permission, as in `Permissions policy violation: Geolocation access has been blocked …`; nil if there
    /// is none.
    private static func permission(_ text: String) -> String? {
        guard let start = text.firstRange(of: "ermissions policy violation: ")?.upperBound else { return nil }
        let rest = text[start...].prefix(200)
        let ends = [" access", " is ", " has "].compactMap { rest.firstRange(of: $0)?.lowerBound }
        guard let end = ends.min() else { return nil }
        return "permission: \(String(rest[..<end]).asciiLowercased) (ads may not use it)"
    }

    private static let phrases: [(BlockedAttempt.Kind, [String])] = [
        (
            .dialog,
            [
                "Ignored call to 'alert", "Ignored call to 'confirm", "Ignored call to 'prompt",
                "Ignored call to 'print", "'allow-modals'", "allow-modals flag",
            ]
        ),
        (.download, ["Download is disallowed", "'allow-downloads'"]),
        (
            .navigation,
            [
                "Unsafe attempt to initiate navigation", "Unsafe JavaScript attempt to initiate navigation",
                "Navigation to external protocol blocked",
                "Blocked form submission",
            ]
        ),
        (
            .dialog,
            ["ermissions policy violation", "ermission policy", "has been blocked because of a permissions policy"]
        ),
        (
            .other,
            [
                "Not allowed to load local resource", "URL scheme \"file\" is not supported", "cannot load file:",
                "'report-uri' is ignored when delivered via a <meta>",
                "'report-to' is ignored when delivered via a <meta>",
            ]
        ),
        (.other, ["Blocked pointer lock", "request for fullscreen", "API can only be initiated by a user gesture"]),
    ]
}
