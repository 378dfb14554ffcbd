import AdCore
import AdHTML
import AdMarkup

/// What is wrong with one address, whatever it is for.
enum AddressCheck {
    /// Tells what is wrong with an address that is called over HTTP, and returns its scheme.
    ///
    /// Nil is returned where nothing more is to be said of it.
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
                log.add(.urlWithoutScheme, place(), "\(name()) is \(text.quotedAddress)")
            } else {
                log.add(.urlRelative, place(), "\(name()) is \(text.quotedAddress)")
            }
            return nil
        }
        if scheme == "javascript" || scheme == "vbscript" {
            log.add(.urlJavascript, place(), "\(name()) is \(text.quotedAddress)")
            return nil
        }
        if mayBeLink, let local = self.localScheme(scheme, of: text) {
            log.add(.urlSchemeWrong, place(), "\(name()) is \(text.quotedAddress); \(local): is no landing page")
            return nil
        }
        guard scheme == "http" || scheme == "https" else {
            if !mayBeLink, scheme != "data" { log.add(.urlSchemeWrong, place(), "\(name()) is \(text.quotedAddress)") }
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

    private static func startsWithMacro(_ text: String) -> Bool {
        guard let first = text.utf8.first, "[$%{".utf8.contains(first) else { return false }
        return ["[", "${", "%%", "{{", "%5B"].contains { text.hasPrefix($0) }
    }

    /// The scheme in lower case; nil if there is none.
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
            // `host:8080/path` has no scheme.
            if bytes[(colon + 1)...].first?.isDigit ?? false, scheme.contains(UInt8(ascii: ".")) { return nil }
            return String(decoding: scheme, as: UTF8.self).asciiLowercased
        }
    }

    /// What has to be looked at in an address: found in one pass, because nearly all of them have none of it.
    private struct Traits {
        var hasBlank = false
        var hasIllegal = false
        var hasAmpersand = false
        var hasNonASCII = false

        init(_ text: String) {
            var text = text
            text.withUTF8 { bytes in
                for byte in bytes {
                    if byte.isWhiteSpace { self.hasBlank = true }
                    if AddressCheck.isIllegal(byte) { self.hasIllegal = true }
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
            log.add(.urlAmpEscaped, place(), "\(name()) still has &amp; in it: \(text.quotedAddress)")
        }
        if traits.hasNonASCII { log.add(.urlNonAscii, place(), "\(name()) is \(text.quotedAddress)") }
        if text.utf8.count > 8192 { log.add(.urlLong, place(), "\(name()) has \(text.utf8.count) bytes") }
    }

    private static func blanks(_ text: String, _ name: () -> String, at place: () -> SourcePlace, _ log: inout LintLog)
    {
        let words = text.utf8.split(whereSeparator: \.isWhiteSpace).map { String(Substring($0)) }
        if words.dropFirst().contains(where: { HTTPURL($0) != nil }) {
            return log.add(.urlSeveral, place(), "\(name()) holds \(words.count) words: \(text.quotedAddress)")
        }
        // `[ NAME ]` is a macro that is misspelt.
        let inMacros = LintMacros.macros(in: text).reduce(0) { $0 + $1.text.utf8.count(where: \.isWhiteSpace) }
        guard text.utf8.count(where: \.isWhiteSpace) > inMacros else { return }
        log.add(.urlSpace, place(), "\(name()) is \(text.quotedAddress)")
    }

    /// What no address may hold (RFC 3986 §2), but for what is in macros.
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
        log.add(.urlCharacters, place(), "\(name()) has \(shown) in it: \(text.quotedAddress)")
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
        // A macro may stand for the host; who fills it in knows.
        if let authority = self.oddAuthority(text), !LintMacros.macros(in: authority).isEmpty { return }
        do throws(HTTPURL.Fault) {
            let url = try HTTPURL(parsing: text)
            if self.isPrivate(url.host) { log.add(.urlPrivateHost, place(), "\(name()) leads to \(url.host.quoted)") }
        } catch {
            switch error {
            case .hasUserName: log.add(.urlCredentials, place(), "\(name()) has a user name before its host")
            case .tooLong: break
            default: log.add(.urlBroken, place(), "\(name()) is \(text.quotedAddress): \(error.reason)")
            }
        }
    }

    /// The host with its port, where it has a character in it that macros are made of.
    private static func oddAuthority(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let authority = bytes[colon...].dropFirst(3).prefix {
                $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
                    && $0 != UInt8(ascii: "\\")
            }
            let isOdd = authority.contains {
                switch $0 {
                case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "$"),
                    UInt8(ascii: "%"):
                    true
                default: false
                }
            }
            return isOdd ? String(decoding: authority, as: UTF8.self) : nil
        }
    }

    private static let privateDomains: Set<String> = ["local", "localhost", "internal", "lan", "corp"]

    /// Whether only a network's own machines reach a host.
    static func isPrivate(_ host: String) -> Bool {
        // No name ends with a label of digits alone (RFC 3696 §2), and only an address of IPv6 has colons.
        let name = host.utf8
        if name.last?.isDigit ?? false || name.contains(UInt8(ascii: ":")), let address = PeerAddress(text: host) {
            return !address.isPublic
        }
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return !name.contains(UInt8(ascii: ":")) }
        return self.privateDomains.contains(String(host[name.index(after: dot)...]))
    }
}
