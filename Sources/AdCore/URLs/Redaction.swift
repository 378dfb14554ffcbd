/// What may be printed of an address: everything but the values that are somebody's secret.
public enum Redaction {
    /// Names of fields whose values are never printed, without the strokes in them.
    private static let secret: Set<String> = [
        "auth", "key", "pass", "pwd", "sig", "session", "sessionid", "sessid", "sid", "jwt", "hmac", "ifa", "idfa",
        "gaid", "adid", "aid",
        "deviceid", "uid", "userid", "extuserid", "email", "phone", "lat", "lon", "lng", "latitude", "longitude", "geo",
        "ip",
    ]
    /// What a name that holds one of these is.
    private static let telling = [
        "token", "secret", "password", "passwd", "passphrase", "apikey", "anonkey", "accesskey", "signature", "bearer",
        "credential", "authorization", "jsession", "phpsess",
    ]

    /// The address without a user's name and password, and with the values of secret fields replaced by `***`.
    public static func address(_ text: String) -> String {
        let text = self.withoutUser(text)
        guard let mark = text.firstIndex(where: { $0 == "?" || $0 == "#" || $0 == ";" }) else { return text }
        var shown = String(text[..<mark])
        var rest = text[mark...]
        // Query and fragment alike, and what some servers write behind a path: all hold fields.
        while let first = rest.first {
            let part = rest.dropFirst().prefix { $0 != "?" && $0 != "#" && $0 != "&" && $0 != ";" }
            shown.append(first)
            shown += self.field(part)
            rest = rest[part.endIndex...]
        }
        return shown
    }

    private static func field(_ field: Substring) -> String {
        guard let equals = field.firstIndex(of: "="), self.isSecret(PercentEncoding.decoded(field[..<equals])) else {
            return String(field)
        }
        return field[...equals] + "***"
    }

    /// What stands before an `@` of the host may be a password.
    private static func withoutUser(_ text: String) -> String {
        guard let start = text.firstRange(of: "://")?.upperBound else { return text }
        let host = text[start...].prefix { !"/?#".contains($0) }
        guard let at = host.lastIndex(of: "@") else { return text }
        return text[..<start] + "***" + text[at...]
    }

    /// Whether a field of this name holds something that is not printed.
    public static func isSecret(_ name: String) -> Bool {
        let plain = name.asciiLowercased.filter { $0 != "-" && $0 != "_" && $0 != "." }
        return self.secret.contains(plain) || self.telling.contains { plain.contains($0) }
    }
}
