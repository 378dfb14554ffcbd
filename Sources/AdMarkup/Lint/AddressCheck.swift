import AdCore

/// What is wrong with one address, whatever it is for.
enum AddressCheck {
    /// Tells what is wrong with an address that is called over HTTP, and returns its scheme.
    ///
    /// Nil is returned where nothing more is to be said of it.
    static func check(
        _ text: String,
        _ name: String,
        at place: LintPlace,
        mayBeLink: Bool = false,
        _ log: inout LintLog
    )
        -> String?
    {
        if self.beginsWithMacro(text) { return nil }
        guard let scheme = self.scheme(of: text) else {
            if text.hasPrefix("//") {
                log.add(.urlWithoutScheme, place, "\(name) is \(text.quotedAddress)")
            } else {
                log.add(.urlRelative, place, "\(name) is \(text.quotedAddress)")
            }
            return nil
        }
        if scheme == "javascript" || scheme == "vbscript" {
            log.add(.urlJavascript, place, "\(name) is \(text.quotedAddress)")
            return nil
        }
        if mayBeLink, let local = self.localScheme(scheme, of: text) {
            log.add(.urlSchemeWrong, place, "\(name) is \(text.quotedAddress); \(local): is no landing page")
            return nil
        }
        guard scheme == "http" || scheme == "https" else {
            if !mayBeLink, scheme != "data" { log.add(.urlSchemeWrong, place, "\(name) is \(text.quotedAddress)") }
            return scheme
        }
        self.spelling(text, name, at: place, &log)
        self.host(text, name, at: place, &log)
        return scheme
    }

    /// The scheme of an address that leads to a file or a page of the device, where no landing page is.
    static func localScheme(of text: String) -> String? {
        self.scheme(of: text).flatMap { self.localScheme($0, of: text) }
    }

    private static func localScheme(_ scheme: String, of text: String) -> String? {
        switch scheme {
        case "about": text.asciiLowercased == "about:blank" ? nil : scheme
        case "file", "content", "filesystem", "chrome", "resource", "view-source", "ftp", "data", "blob": scheme
        default: nil
        }
    }

    private static func beginsWithMacro(_ text: String) -> Bool {
        ["[", "${", "%%", "{{", "%5B"].contains { text.hasPrefix($0) }
    }

    /// The scheme in small letters; nil where there is none.
    static func scheme(of text: String) -> String? {
        let head = text.utf8.prefix(32)
        guard let colon = head.firstIndex(of: UInt8(ascii: ":")), let first = head.first, first.isLetter else {
            return nil
        }
        let scheme = head[..<colon]
        guard scheme.allSatisfy({ $0.isLetter || $0.isNumeral || "+-.".utf8.contains($0) }) else { return nil }
        // `host:8080/path` has no scheme.
        if text.utf8[text.utf8.index(after: colon)...].first?.isNumeral ?? false, scheme.contains(UInt8(ascii: ".")) {
            return nil
        }
        return String(Substring(scheme)).asciiLowercased
    }

    private static func spelling(_ text: String, _ name: String, at place: LintPlace, _ log: inout LintLog) {
        self.blanks(text, name, at: place, &log)
        self.characters(text, name, at: place, &log)
        if text.contains("&amp;") {
            log.add(.urlAmpEscaped, place, "\(name) still has &amp; in it: \(text.quotedAddress)")
        }
        if text.utf8.contains(where: { $0 >= 0x80 }) {
            log.add(.urlNonAscii, place, "\(name) is \(text.quotedAddress)")
        }
        if text.utf8.count > 8192 { log.add(.urlLong, place, "\(name) has \(text.utf8.count) bytes") }
    }

    private static func blanks(_ text: String, _ name: String, at place: LintPlace, _ log: inout LintLog) {
        guard text.utf8.contains(where: \.isBlank) else { return }
        let words = text.utf8.split(whereSeparator: \.isBlank).map { String(Substring($0)) }
        if words.dropFirst().contains(where: { HTTPURL($0) != nil }) {
            return log.add(.urlSeveral, place, "\(name) holds \(words.count) words: \(text.quotedAddress)")
        }
        // `[ NAME ]` is a macro that is misspelt.
        let inMacros = LintMacros.macros(in: text).reduce(0) { $0 + $1.text.utf8.count(where: \.isBlank) }
        guard text.utf8.count(where: \.isBlank) > inMacros else { return }
        log.add(.urlSpace, place, "\(name) is \(text.quotedAddress)")
    }

    /// What no address may hold (RFC 3986 §2), but for what stands in macros.
    private static func characters(_ text: String, _ name: String, at place: LintPlace, _ log: inout LintLog) {
        guard text.utf8.contains(where: self.isIllegal) else { return }
        var bytes = Array(text.utf8)
        for macro in AdMacroSpelling.all(in: text) { for index in macro.range { bytes[index] = UInt8(ascii: "M") } }
        guard let byte = bytes.first(where: self.isIllegal) else { return }
        let shown = String(decoding: [byte], as: UTF8.self)
        log.add(.urlCharacters, place, "\(name) has \(shown) in it: \(text.quotedAddress)")
    }

    private static func isIllegal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "|"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "\""), UInt8(ascii: "<"),
            UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"):
            true
        default: false
        }
    }

    private static func host(_ text: String, _ name: String, at place: LintPlace, _ log: inout LintLog) {
        let rest = text.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
        let authority = rest.prefix { !"/?#\\".utf8.contains($0) }
        // A macro may stand for the host; who fills it in knows.
        if authority.contains(where: { "[]{}$%".utf8.contains($0) }),
            !LintMacros.macros(in: String(Substring(authority))).isEmpty
        {
            return
        }
        do throws(HTTPURL.Fault) {
            let url = try HTTPURL(parsing: text)
            if self.isPrivate(url.host) { log.add(.urlPrivateHost, place, "\(name) leads to \(url.host.quoted)") }
        } catch {
            switch error {
            case .hasUserName: log.add(.urlCredentials, place, "\(name) has a user name before its host")
            case .tooLong: break
            default: log.add(.urlBroken, place, "\(name) is \(text.quotedAddress): \(error.reason)")
            }
        }
    }

    /// Whether only a network's own machines reach a host.
    static func isPrivate(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        if [".local", ".localhost", ".internal", ".lan", ".corp"].contains(where: host.hasSuffix) { return true }
        let parts = host.split(separator: ".").map { Int($0) }
        guard parts.count == 4, let first = parts[0], let second = parts[1], parts[2] != nil, parts[3] != nil else {
            return !host.utf8.contains(UInt8(ascii: ".")) && !host.utf8.contains(UInt8(ascii: ":"))
        }
        return first == 10 || first == 127 || first == 0 || (first == 192 && second == 168)
            || (first == 172 && (16...31).contains(second))
            || (first == 169 && second == 254)
    }
}
