/// What may be printed of an address: everything but the values that are somebody's secret.
public enum Redaction {
    /// Names of query fields whose values are never printed.
    private static let secret: Set<String> = [
        "token", "access_token", "auth", "authorization", "key", "api_key", "apikey", "anon_key", "secret", "password",
        "pass", "sig", "signature", "session", "sid", "ifa", "idfa", "gaid", "adid", "aid", "device_id", "deviceid",
        "uid",
        "user_id", "userid", "ext_user_id", "email", "phone", "lat", "lon", "lng", "latitude", "longitude", "geo", "ip",
    ]

    /// The address with the values of secret query fields replaced by `***`.
    public static func address(_ text: String) -> String {
        guard let mark = text.firstIndex(of: "?") else { return text }
        let fields = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let shown = fields.map { field -> String in
            guard let equals = field.firstIndex(of: "="),
                self.isSecret(PercentEncoding.decoded(field[..<equals]))
            else { return String(field) }
            return field[...equals] + "***"
        }
        return text[...mark] + shown.joined(separator: "&")
    }

    /// Whether a field of this name holds something that is not printed.
    public static func isSecret(_ name: String) -> Bool { self.secret.contains(name.asciiLowercased) }
}
