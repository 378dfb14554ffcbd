/// What may be printed of an address: everything but the values that are somebody's secret.
public enum Redaction {
    /// Names of fields whose values are never printed, without the strokes in them.
    private static let secret: Set<String> = [
        "auth", "key", "pass", "pwd", "sig", "session", "sessionid", "sessid", "sid", "jwt", "hmac", "ifa", "idfa",
        "gaid", "adid", "aid", "deviceid", "devid", "uid", "userid", "extuserid", "email", "phone", "lat", "lon", "lng",
        "latitude", "longitude", "geo", "ll", "loc", "latlng", "latlon", "latlong", "coords", "coordinates", "zip",
        "zipcode", "postalcode", "ip", "hash", "labelkey", "brandkey", "userextid", "user", "username", "login", "tok",
        "androidid", "advertisingid", "gpsadid", "idfv", "oaid", "rdid", "msisdn", "imei", "clientid",
    ]
    /// Parts of a name, as of `device.ifa` and `userLat`, that say what the whole is.
    private static let tellingParts: Set<String> = [
        "auth", "pwd", "jwt", "hmac", "sig", "ifa", "idfa", "idfv", "gaid", "adid", "oaid", "rdid", "imei", "msisdn",
        "email", "phone", "lat", "lon", "lng", "latitude", "longitude", "ip",
    ]
    /// What a name that holds one of these is.
    private static let telling = [
        "token", "secret", "password", "passwd", "passphrase", "apikey", "anonkey", "accesskey", "signature", "bearer",
        "credential", "authorization", "jsession", "phpsess",
    ]

    /// How deep addresses may stand in addresses: each is looked at in two ways, so that every one more is twice the work.
    private static let deepest = 4

    /// The address without a user's name and password, and with the values of secret fields replaced by `***`.
    public static func address(_ text: String) -> String { self.address(text, depth: 0) }

    private static func address(_ text: String, depth: Int) -> String {
        let text = self.withoutUser(text)
        guard let mark = text.firstIndex(where: { $0 == "?" || $0 == "#" || $0 == ";" }) else { return text }
        var shown = String(text[..<mark])
        var rest = text[mark...]
        var isInPath = text[mark] == ";"
        // Query and fragment alike, and what some servers write behind a path: all hold fields.
        while let first = rest.first {
            shown.append(first)
            if first != ";" { isInPath = false }
            rest = rest.dropFirst()
            let name = rest.prefix { !"?#&;=".contains($0) }
            rest = rest[name.endIndex...]
            shown += name
            guard rest.first == "=" else { continue }
            // A secret may hold a semicolon; of anything else the next field begins there.
            let isSecret = self.isSecret(PercentEncoding.decoded(name))
            let value = rest.dropFirst().prefix { !(isSecret ? isInPath ? "?#" : "&#" : "?#&;").contains($0) }
            rest = rest[value.endIndex...]
            shown += isSecret || self.holdsSecret(value, depth: depth) ? "=***" : "=" + value
        }
        return shown
    }

    /// Whether a value is an address with a secret in it; one that nobody can see through is taken for that.
    private static func holdsSecret(_ value: Substring, depth: Int) -> Bool {
        guard value.contains("%") else { return false }
        guard depth < self.deepest else { return true }
        let decoded = PercentEncoding.decoded(value)
        // Fields may stand in it without an address before them.
        return decoded != value && [decoded, "?" + decoded].contains { self.address($0, depth: depth + 1) != $0 }
    }

    /// What stands before an `@` of the host may be a password; where nobody can say which part is the host, anything
    /// before an `@` may.
    private static func withoutUser(_ text: String) -> String {
        guard text.contains("@") else { return text }
        do throws(HTTPURL.Fault) {
            _ = try HTTPURL(parsing: text)
            return text
        } catch {
            var start = text.startIndex
            var end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
            if error == .hasUserName, let scheme = text.firstRange(of: "://") {
                start = scheme.upperBound
                end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
            } else if error == .notHTTP {
                start = self.startBehindScheme(text)
                end = max(start, end)
            }
            guard let at = text[start..<end].lastIndex(of: "@") else { return text }
            return text[..<start] + "***" + text[at...]
        }
    }

    /// Where an address of an app begins behind its scheme; of anything else the start: a name and a password stand so too.
    private static func startBehindScheme(_ text: String) -> String.Index {
        for mail in ["mailto:", "sip:", "xmpp:"] where text.utf8.count > mail.utf8.count {
            let end = text.utf8.index(text.startIndex, offsetBy: mail.utf8.count)
            if text[..<end].asciiLowercased == mail { return end }
        }
        guard let mark = text.firstRange(of: "://"),
            text[..<mark.lowerBound].utf8.allSatisfy({ $0.isASCIILetter || $0.isDigit || "+-.".utf8.contains($0) })
        else { return text.startIndex }
        return mark.upperBound
    }

    /// Whether a field of this name holds something that is not printed.
    public static func isSecret(_ name: String) -> Bool {
        let plain = name.asciiLowercased.filter { $0 != "-" && $0 != "_" && $0 != "." }
        return self.secret.contains(plain) || self.telling.contains { plain.contains($0) }
            || self.parts(of: name).contains { self.tellingParts.contains($0) }
    }

    /// What a name is made of: it is cut at strokes and brackets, and where a capital letter follows a small one.
    private static func parts(of name: String) -> [String] {
        var parts = [""]
        var isSmall = false
        for scalar in name.unicodeScalars {
            let isLetter = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            let isCapital = ("A"..."Z").contains(scalar)
            if !isLetter || isCapital && isSmall { parts.append("") }
            if isLetter { parts[parts.count - 1].unicodeScalars.append(scalar) }
            isSmall = ("a"..."z").contains(scalar)
        }
        return parts.map(\.asciiLowercased)
    }
}
