/// Redacts secrets in URLs before they are printed.
public enum Redaction {
    /// Names of secret fields, in lower case and without `-`, `_` and `.`.
    private static let secretNames: Set<String> = [
        "auth", "key", "pass", "pwd", "sig", "session", "sessionid", "sessid", "sid", "jwt", "hmac", "ifa", "idfa",
        "gaid", "adid", "aid", "deviceid", "devid", "uid", "userid", "extuserid", "email", "phone", "lat", "lon", "lng",
        "latitude", "longitude", "geo", "ll", "loc", "latlng", "latlon", "latlong", "coords", "coordinates", "zip",
        "zipcode", "postalcode", "ip", "hash", "labelkey", "brandkey", "userextid", "user", "username", "login", "tok",
        "androidid", "advertisingid", "gpsadid", "idfv", "oaid", "rdid", "msisdn", "imei", "clientid",
    ]
    /// Words that make a field secret, as in `device.ifa` and `userLat`.
    private static let secretWords: Set<String> = [
        "auth", "pwd", "jwt", "hmac", "sig", "ifa", "idfa", "idfv", "gaid", "adid", "oaid", "rdid", "imei", "msisdn",
        "email", "phone", "lat", "lon", "lng", "latitude", "longitude", "ip",
    ]
    /// Substrings that make a field secret.
    private static let secretSubstrings = [
        "token", "secret", "password", "passwd", "passphrase", "apikey", "anonkey", "accesskey", "signature", "bearer",
        "credential", "authorization", "jsession", "phpsess",
    ]

    /// The maximum depth of URLs within URLs; each level is parsed in two ways, so each doubles the work.
    private static let depthLimit = 4

    /// The URL without user name and password, and with `***` for the values of secret fields.
    public static func address(_ text: String) -> String { self.address(text, depth: 0) }

    private static func address(_ text: String, depth: Int) -> String {
        let text = self.withoutUser(text)
        guard let mark = text.firstIndex(where: { $0 == "?" || $0 == "#" || $0 == ";" }) else { return text }
        var shown = String(text[..<mark])
        var rest = text[mark...]
        var isInPath = text[mark] == ";"
        // Query, fragment and path parameters all contain fields.
        while let first = rest.first {
            shown.append(first)
            if first != ";" { isInPath = false }
            rest = rest.dropFirst()
            let name = rest.prefix { !"?#&;=".contains($0) }
            rest = rest[name.endIndex...]
            shown += name
            guard rest.first == "=" else { continue }
            // A secret value may contain a semicolon; in any other value it separates fields.
            let isSecret = self.isSecret(PercentEncoding.decoded(name))
            let value = rest.dropFirst().prefix { !(isSecret ? isInPath ? "?#" : "&#" : "?#&;").contains($0) }
            rest = rest[value.endIndex...]
            let isHidden = isSecret ? !self.isMacro(value) : self.containsSecret(value, depth: depth)
            shown += isHidden ? "=***" : "=" + value
        }
        return shown
    }

    /// Whether a value is nothing but a macro, such as `[IFA]`, `${USER_ID}`, `%%USER_ID%%` and `{{USER_ID}}`.
    ///
    /// Names have capital letters and underscores only, so that a token or an identifier in brackets stays hidden.
    private static func isMacro(_ value: Substring) -> Bool {
        let marks = [("[", "]"), ("${", "}"), ("%%", "%%"), ("{{", "}}")]
        guard value.utf8.count <= 44,
            let (open, close) = marks.first(where: { value.hasPrefix($0.0) && value.hasSuffix($0.1) })
        else { return false }
        let name = value.utf8.dropFirst(open.utf8.count).dropLast(close.utf8.count)
        guard name.count > 1, name.count + open.utf8.count + close.utf8.count == value.utf8.count else { return false }
        return name.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "_") }
    }

    /// Whether a value is a URL with a secret in it; a value nested too deeply counts as one.
    private static func containsSecret(_ value: Substring, depth: Int) -> Bool {
        guard value.contains("%") else { return false }
        guard depth < self.depthLimit else { return true }
        let decoded = PercentEncoding.decoded(value)
        // The value may contain fields without a URL before them.
        return decoded != value && [decoded, "?" + decoded].contains { self.address($0, depth: depth + 1) != $0 }
    }

    /// Replaces the user information before `@`; in an invalid URL anything before `@` may be a password.
    private static func withoutUser(_ text: String) -> String {
        guard text.contains("@") else { return text }
        do throws(HTTPURL.ParseError) {
            _ = try HTTPURL(parsing: text)
            return text
        } catch {
            var start = text.startIndex
            var end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
            if error == .hasUserName, let scheme = text.firstRange(of: "://") {
                start = scheme.upperBound
                end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
            } else if error == .notHTTP {
                start = self.indexAfterScheme(text)
                end = max(start, end)
            }
            guard let at = text[start..<end].lastIndex(of: "@") else { return text }
            return text[..<start] + "***" + text[at...]
        }
    }

    /// The index after the scheme of an app's URL; the start for any other text, such as `user:password@host`.
    private static func indexAfterScheme(_ text: String) -> String.Index {
        for mail in ["mailto:", "sip:", "xmpp:"] where text.utf8.count > mail.utf8.count {
            let end = text.utf8.index(text.startIndex, offsetBy: mail.utf8.count)
            if text[..<end].asciiLowercased == mail { return end }
        }
        guard let mark = text.firstRange(of: "://"),
            text[..<mark.lowerBound].utf8.allSatisfy({ $0.isASCIILetter || $0.isDigit || "+-.".utf8.contains($0) })
        else { return text.startIndex }
        return mark.upperBound
    }

    /// Whether a field of this name is secret.
    public static func isSecret(_ name: String) -> Bool {
        let plain = name.asciiLowercased.filter { $0 != "-" && $0 != "_" && $0 != "." }
        return self.secretNames.contains(plain) || self.secretSubstrings.contains { plain.contains($0) }
            || self.words(of: name).contains { self.secretWords.contains($0) }
    }

    /// The words of a name, which is split at punctuation and where a capital letter follows a lower-case one.
    private static func words(of name: String) -> [String] {
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
