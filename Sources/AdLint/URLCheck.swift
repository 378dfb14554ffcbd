import AdCore
import AdHTML
import AdMarkup

/// The checks that apply to every URL, whatever it is for.
enum URLCheck {
    /// Reports what is wrong with a URL that is requested over HTTP, and returns its scheme.
    ///
    /// It returns nil if no other check applies: the URL has no scheme, begins with a macro, or is a script.
    static func check(
        _ text: String,
        _ name: @autoclosure () -> String,
        at place: @autoclosure () -> SourcePlace,
        mayBeLink: Bool = false,
        _ log: inout LintLog
    )
        -> String?
    {
        if self.startsWithMacro(text) { return nil }
        guard let scheme = self.scheme(of: text) else {
            if text.hasPrefix("//") {
                log.add(.urlWithoutScheme, place(), "\(name()) is \(text.quotedURL)")
            } else {
                log.add(.urlRelative, place(), "\(name()) is \(text.quotedURL)")
            }
            return nil
        }
        if scheme == "javascript" || scheme == "vbscript" {
            log.add(.urlJavascript, place(), "\(name()) is \(text.quotedURL)")
            return nil
        }
        if mayBeLink, let local = self.localScheme(scheme, of: text) {
            log.add(.urlSchemeWrong, place(), "\(name()) is \(text.quotedURL); \(local): is no landing page")
            return nil
        }
        guard scheme == "http" || scheme == "https" else {
            if !mayBeLink, scheme != "data" { log.add(.urlSchemeWrong, place(), "\(name()) is \(text.quotedURL)") }
            return scheme
        }
        self.spelling(text, name, at: place, &log)
        self.host(text, name, at: place, &log)
        return self.isOfPrivateServer(text, log) ? "https" : scheme
    }

    /// Whether a document of a private network names a server of it: no other network is on the way.
    static func isOfPrivateServer(_ text: String, _ log: LintLog) -> Bool {
        log.isOfPrivateNetwork && HTTPURL(text)?.isPrivate == true
    }

    /// The scheme of a URL of a local file or browser page, which can't be a landing page; nil for other URLs.
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

    private static func startsWithMacro(_ text: String) -> Bool {
        guard let first = text.utf8.first, "[$%{".utf8.contains(first) else { return false }
        return ["[", "${", "%%", "{{", "%5B"].contains { text.hasPrefix($0) }
    }

    /// The scheme in lower case (RFC 3986 §3.1); nil if there is none.
    static func scheme(of text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            guard let colon = bytes.prefix(32).firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let scheme = bytes[..<colon]
            guard scheme.first?.isASCIILetter ?? false,
                scheme.allSatisfy({
                    $0.isASCIILetter || $0.isDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
                        || $0 == UInt8(ascii: ".")
                })
            else { return nil }
            // `example.com:8080/path` is a host with a port, not a scheme.
            if bytes[(colon + 1)...].first?.isDigit ?? false, scheme.contains(UInt8(ascii: ".")) { return nil }
            return String(decoding: scheme, as: UTF8.self).asciiLowercased
        }
    }

    /// The characters of a URL that need a closer check, found in one pass: most URLs have none of them.
    private struct Traits {
        var hasBlank = false
        var hasIllegal = false
        var hasAmpersand = false
        var hasNonASCII = false

        init(_ text: String) {
            var text = text
            text.withUTF8 { bytes in
                for byte in bytes where !byte.isASCIILetter && !byte.isDigit {
                    if byte.isWhiteSpace { self.hasBlank = true }
                    if URLCheck.isIllegal(byte) { self.hasIllegal = true }
                    if byte == UInt8(ascii: "&") { self.hasAmpersand = true }
                    if byte >= 0x80 { self.hasNonASCII = true }
                }
            }
        }
    }

    private static func spelling(
        _ text: String,
        _ name: () -> String,
        at place: () -> SourcePlace,
        _ log: inout LintLog
    ) {
        let traits = Traits(text)
        if traits.hasBlank { self.blanks(text, name, at: place, &log) }
        if traits.hasIllegal { self.characters(text, name, at: place, &log) }
        if traits.hasAmpersand, text.firstRange(of: "&amp;") != nil {
            log.add(.urlAmpEscaped, place(), "\(name()) contains &amp;: \(text.quotedURL)")
        }
        if traits.hasNonASCII { log.add(.urlNonAscii, place(), "\(name()) is \(text.quotedURL)") }
        if text.utf8.count > 8192 { log.add(.urlLong, place(), "\(name()) has \(text.utf8.count) bytes") }
    }

    private static func blanks(_ text: String, _ name: () -> String, at place: () -> SourcePlace, _ log: inout LintLog)
    {
        let words = text.utf8.split(whereSeparator: \.isWhiteSpace).map { String(Substring($0)) }
        if words.dropFirst().contains(where: { HTTPURL($0) != nil }) {
            return log.add(.urlSeveral, place(), "\(name()) has \(words.count) words: \(text.quotedURL)")
        }
        // The spaces of `[ NAME ]` are reported as a misspelt macro.
        let inMacros = LintMacros.macros(in: text).reduce(0) { $0 + $1.text.utf8.count(where: \.isWhiteSpace) }
        guard text.utf8.count(where: \.isWhiteSpace) > inMacros else { return }
        log.add(.urlSpace, place(), "\(name()) is \(text.quotedURL)")
    }

    /// Reports characters that RFC 3986 §2 does not allow, except in macros.
    private static func characters(
        _ text: String,
        _ name: () -> String,
        at place: () -> SourcePlace,
        _ log: inout LintLog
    ) {
        var bytes = Array(text.utf8)
        for macro in AdMacroSpelling.all(in: text) { for index in macro.range { bytes[index] = UInt8(ascii: "M") } }
        guard let byte = bytes.first(where: self.isIllegal) else { return }
        let shown = String(decoding: [byte], as: UTF8.self)
        log.add(.urlCharacters, place(), "\(name()) contains \(shown): \(text.quotedURL)")
    }

    private static func isIllegal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "|"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "\""), UInt8(ascii: "<"),
            UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"):
            true
        default: false
        }
    }

    private static func host(_ text: String, _ name: () -> String, at place: () -> SourcePlace, _ log: inout LintLog) {
        // A macro may be replaced with the host.
        if let authority = self.authorityWithMacroCharacters(text), !LintMacros.macros(in: authority).isEmpty { return }
        do throws(HTTPURL.ParseError) {
            let host = try HTTPURL.host(of: text)
            if HostName(host).isPrivate {
                log.add(.urlPrivateHost, place(), "the host of \(name()) is \(host.quoted)")
            }
        } catch {
            switch error {
            case .hasUserName: log.add(.urlCredentials, place(), "\(name()) has a user name before the host")
            case .tooLong: break
            default: log.add(.urlBroken, place(), "\(name()) is \(text.quotedURL): \(error.reason)")
            }
        }
    }

    /// The host with its port, if it contains a character that macros are written with.
    private static func authorityWithMacroCharacters(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let authority = bytes[colon...].dropFirst(3).prefix {
                $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
                    && $0 != UInt8(ascii: "\\")
            }
            let mayHaveMacro = authority.contains {
                switch $0 {
                case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "$"),
                    UInt8(ascii: "%"):
                    true
                default: false
                }
            }
            return mayHaveMacro ? String(decoding: authority, as: UTF8.self) : nil
        }
    }
}
