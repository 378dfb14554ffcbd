/// Redacts secrets in URLs before they are printed.
public enum Redaction {
    /// Names of secret fields, in lower case and without `-`, `_` and `.`.
    private static let secretNames: WordTable = [
        "auth", "key", "pass", "pwd", "sig", "session", "sessionid", "sessid", "sid", "jwt", "hmac", "ifa", "idfa",
        "gaid", "adid", "aid", "deviceid", "devid", "uid", "userid", "extuserid", "email", "phone", "lat", "lon", "lng",
        "latitude", "longitude", "geo", "ll", "loc", "latlng", "latlon", "latlong", "coords", "coordinates", "zip",
        "zipcode", "postalcode", "ip", "hash", "labelkey", "brandkey", "userextid", "user", "username", "login", "tok",
        "androidid", "advertisingid", "gpsadid", "idfv", "oaid", "rdid", "msisdn", "imei", "clientid",
    ]
    /// Words that make a field secret, as in `device.ifa` and `userLat`.
    private static let secretWords: WordTable = [
        "auth", "pwd", "jwt", "hmac", "sig", "ifa", "idfa", "idfv", "gaid", "adid", "oaid", "rdid", "imei", "msisdn",
        "email", "phone", "lat", "lon", "lng", "latitude", "longitude", "ip",
    ]
    /// Substrings that make a field secret.
    private static let secretSubstrings: WordTable = [
        "token", "secret", "password", "passwd", "passphrase", "apikey", "anonkey", "accesskey", "signature", "bearer",
        "credential", "authorization", "jsession", "phpsess",
    ]

    /// The maximum depth of URLs within URLs; each level is parsed in two ways, so each doubles the work.
    private static let depthLimit = 4

    /// The URL without user name and password, and with `***` for the values of secret fields.
    public static func address(_ text: String) -> String { self.address(text, depth: 0) }

    private static func address(_ text: String, depth: Int) -> String {
        let text = self.withoutUser(text)
        let bytes = Array(text.utf8)
        guard var at = bytes.firstIndex(where: self.startsFields) else { return text }
        var shown: [UInt8] = []
        var kept = 0
        var isInPath = bytes[at] == UInt8(ascii: ";")
        // Query, fragment and path parameters all contain fields.
        while at < bytes.count {
            if bytes[at] != UInt8(ascii: ";") { isInPath = false }
            let name = bytes[(at + 1)...].prefix {
                !self.startsFields($0) && $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "=")
            }
            at = name.endIndex
            guard at < bytes.count, bytes[at] == UInt8(ascii: "=") else { continue }
            // A secret value may contain a semicolon; in any other value it separates fields.
            let isSecret = self.isSecret(PercentEncoding.decoded(name))
            let value = bytes[(at + 1)...].prefix { byte in
                switch byte {
                case UInt8(ascii: "#"): false
                case UInt8(ascii: ";"): isSecret
                case UInt8(ascii: "?"): isSecret && !isInPath
                case UInt8(ascii: "&"): isSecret && isInPath
                default: true
                }
            }
            at = value.endIndex
            guard isSecret ? !self.isMacro(value) : self.containsSecret(value, depth: depth) else { continue }
            shown += bytes[kept..<value.startIndex] + "***".utf8
            kept = at
        }
        return kept == 0 ? text : String(decoding: shown + bytes[kept...], as: UTF8.self)
    }

    /// Whether a byte begins the query, the fragment or a path parameter.
    private static func startsFields(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: ";")
    }

    /// Whether a value is nothing but a macro, such as `[IFA]`, `${USER_ID}`, `%%USER_ID%%` and `{{USER_ID}}`.
    ///
    /// Names have capital letters and underscores only, so that a token or an identifier in brackets stays hidden.
    private static func isMacro(_ bytes: ArraySlice<UInt8>) -> Bool {
        let value = String(decoding: bytes, as: UTF8.self)
        let marks = [("[", "]"), ("${", "}"), ("%%", "%%"), ("{{", "}}")]
        guard value.utf8.count <= 44,
            let (open, close) = marks.first(where: { value.hasPrefix($0.0) && value.hasSuffix($0.1) })
        else { return false }
        let name = value.utf8.dropFirst(open.utf8.count).dropLast(close.utf8.count)
        guard name.count > 1, name.count + open.utf8.count + close.utf8.count == value.utf8.count else { return false }
        return name.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "_") }
    }

    /// Whether a value is a URL with a secret in it; a value nested too deeply counts as one.
    private static func containsSecret(_ value: ArraySlice<UInt8>, depth: Int) -> Bool {
        guard value.contains(UInt8(ascii: "%")) else { return false }
        guard depth < self.depthLimit else { return true }
        let bytes = PercentEncoding.decoded(value)
        let decoded = String(decoding: bytes, as: UTF8.self)
        // The value may contain fields without a URL before them.
        return bytes != value && [decoded, "?" + decoded].contains { self.address($0, depth: depth + 1) != $0 }
    }

    /// Replaces the user information before `@`; in an invalid URL anything before `@` may be a password.
    private static func withoutUser(_ text: String) -> String {
        var text = text
        guard text.withUTF8({ $0.contains(UInt8(ascii: "@")) }) else { return text }
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
    ///
    /// This reads bytes, because it is called for each field of each URL that is shown. Names are ASCII; any other byte
    /// separates words.
    public static func isSecret(_ name: String) -> Bool { self.isSecret(Array(name.utf8)[...]) }

    private static func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
        let isMark = { (byte: UInt8) in
            byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
        }
        let plain = name.contains(where: isMark) ? name.filter { !isMark($0) }[...] : name
        return self.secretNames.contains(plain) || plain.indices.contains { self.secretSubstrings.begin(plain[$0...]) }
            || self.containsSecretWord(name)
    }

    /// Whether a word is secret: names are split at punctuation, and where a capital letter follows a small one.
    private static func containsSecretWord(_ name: ArraySlice<UInt8>) -> Bool {
        var start = name.startIndex
        var isSmall = false
        for (index, byte) in zip(name.indices, name) {
            let isLetter = byte.isASCIILetter || byte.isDigit
            let isCapital = byte.isASCIILetter && byte != byte.lowercased
            if !isLetter || isCapital && isSmall {
                if self.secretWords.contains(name[start..<index]) { return true }
                start = isLetter ? index : index + 1
            }
            isSmall = byte.isASCIILetter && !isCapital
        }
        return self.secretWords.contains(name[start...])
    }
}

/// ASCII words in lower case, by their first letters; case is ignored in what is compared with them.
private struct WordTable: ExpressibleByArrayLiteral, Sendable {
    private var words = [[[UInt8]]](repeating: [], count: 256)

    init(arrayLiteral words: String...) {
        for word in words.map({ Array($0.utf8) }) { if let first = word.first { self.words[Int(first)].append(word) } }
    }

    /// Whether a text is one of the words.
    func contains(_ text: ArraySlice<UInt8>) -> Bool {
        self.candidates(for: text).contains { $0.count == text.count && self.isStart($0, of: text) }
    }

    /// Whether a text begins with one of the words.
    func begin(_ text: ArraySlice<UInt8>) -> Bool {
        self.candidates(for: text).contains { $0.count <= text.count && self.isStart($0, of: text) }
    }

    private func candidates(for text: ArraySlice<UInt8>) -> [[UInt8]] {
        text.first.map { self.words[Int($0.lowercased)] } ?? []
    }

    private func isStart(_ word: [UInt8], of text: ArraySlice<UInt8>) -> Bool {
        zip(word, text).allSatisfy { $0 == $1.lowercased }
    }
}
