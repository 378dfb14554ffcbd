/// Whether the URL of a link can be opened, as a creative wrote it or as a browser resolved it.
///
/// All stages use it, so that a creative has the same clicks on each. A click on a URL that can't be opened is
/// never recorded.
///
/// A creative's markup has no URL of its own: stages load it from a host in `placeholderDomain`, so a URL that a
/// browser resolved against such a host was relative.
package enum ClickThroughResolution: Hashable, Sendable {
    /// It can be opened.
    case opens(ClickThroughURL)
    /// It can't be opened; the text has the reason and the fix.
    case nowhere(String)

    /// The domain of the hosts from which stages load creatives; RFC 2606 §2 reserves `.invalid`.
    package static let placeholderDomain = "yabbi-creative.invalid"

    /// Checks a URL; a relative one is resolved against `base`, if the creative or its source has one.
    package init(_ address: String, base: HTTPURL? = nil) {
        let written = ClickThroughResolution.asWritten(address.trimmed)
        guard let text = written.address else {
            self = .nowhere("the link has no URL; set it to the click-through URL")
            return
        }
        if let macro = AdMacroSpelling.leading(text) {
            self = .nowhere(ClickThroughResolution.unresolved(macro))
            return
        }
        // A fragment refers to the creative itself (RFC 3986 §4.4).
        if written.isRelative, !text.hasPrefix("#"), let base, let whole = try? base.resolving(text) {
            let fragment = text.firstIndex(of: "#").map { text[$0...] } ?? ""
            if let link = ClickThroughURL(whole.text + fragment) {
                self = .opens(link)
                return
            }
        }
        // A network-path reference takes the scheme of its base, which is https here (RFC 3986 §4.2).
        if !written.isRelative || text.hasPrefix("//"),
            let link = ClickThroughURL(text.hasPrefix("//") ? "https:\(text)" : text)
        {
            self = .opens(link)
            return
        }
        let shown = written.isRelative ? ClickThroughResolution.asResolved(text) : text
        self = .nowhere(ClickThroughResolution.reason(shown, isRelative: written.isRelative))
    }

    /// The URL to open; nil if it can't be opened.
    package var link: ClickThroughURL? { if case .opens(let link) = self { link } else { nil } }

    // MARK: Parsing

    /// The URL before a browser resolved it, nil if it is empty, and whether it is relative.
    private static func asWritten(_ text: String) -> (address: String?, isRelative: Bool) {
        guard !text.isEmpty else { return (nil, false) }
        if let path = self.pathAtPlaceholder(text) {
            let path = path.first == "/" ? path.dropFirst() : path
            // An empty `href` resolves to the document's own URL.
            return (path.isEmpty ? nil : String(path), true)
        }
        return (text, self.scheme(of: text) == nil)
    }

    /// A relative URL as it appears after a browser has resolved it.
    ///
    /// `/a`, `./a` and `a` are then the same, so every stage shows the same text for them.
    private static func asResolved(_ text: String) -> String {
        guard !text.hasPrefix("#"), let root = HTTPURL("https://\(self.placeholderDomain)/"),
            let whole = try? root.resolving(String(text.unicodeScalars.prefix(400))),
            let path = self.pathAtPlaceholder(whole.text)?.dropFirst(), !path.isEmpty
        else { return text }
        return String(path)
    }

    /// The part after the host in a URL of the placeholder domain; nil for any other URL.
    private static func pathAtPlaceholder(_ text: String) -> Substring? {
        guard text.utf8.startsIgnoringCase("https://") else { return nil }
        let rest = text.dropFirst(8)
        let host = rest.prefix { !"/?#".contains($0) }
        guard host.utf8.count <= 300 else { return nil }
        let name = host.asciiLowercased
        guard name == self.placeholderDomain || name.hasSuffix("." + self.placeholderDomain) else { return nil }
        return rest[host.endIndex...]
    }

    /// The scheme in lower case (RFC 3986 §3.1); nil if there is none.
    private static func scheme(of text: String) -> String? {
        let name = text.utf8.prefix(64).prefix { $0 != UInt8(ascii: ":") }
        guard name.endIndex != text.utf8.endIndex, text.utf8[name.endIndex] == UInt8(ascii: ":"),
            let first = name.first, first.isASCIILetter,
            name.allSatisfy({ $0.isASCIILetter || $0.isDigit || "+-.".utf8.contains($0) })
        else { return nil }
        return String(decoding: name.map(\.lowercased), as: UTF8.self)
    }

    // MARK: Messages

    private static func unresolved(_ macro: String) -> String {
        "the ad server did not replace the macro \(macro) in front of the URL: "
            + "replace it, with nothing where no click tracker is used"
    }

    private static func reason(_ text: String, isRelative: Bool) -> String {
        let shown = Redaction.address(text.excerpt(200))
        if isRelative {
            if text.hasPrefix("#") { return "the link's URL is \"\(shown)\", a place in the creative itself" }
            let host = text.prefix { !"/?#".contains($0) }
            // A name with a dot and without a scheme is more likely a host than a file: `shop.example/x`.
            let fix =
                self.isLikeHost(host) ? "write https://\(shown)" : "use an absolute URL, with https:// and the host"
            return "the link's URL \"\(shown)\" is relative, and a creative has no base URL: \(fix)"
        }
        switch self.scheme(of: text) {
        case "about": return "the link's URL is \(shown), an empty page; set it to the click-through URL"
        case "javascript": return "the link's javascript: code opened nothing"
        case "http", "https":
            // A macro may stand for the host, as in `https://${HOST}/`.
            if let host = text.firstRange(of: "://"), let macro = AdMacroSpelling.leading(text[host.upperBound...]) {
                return self.unresolved(macro)
            }
            return "\(shown) is not a valid URL"
        case let scheme?: return "the link's URL \(shown) can't be opened: an ad may not open \(scheme): URLs"
        case nil: return "\(shown) is not a valid URL"
        }
    }

    private static func isLikeHost(_ text: Substring) -> Bool {
        let labels = text.prefix(300).split(separator: ".", omittingEmptySubsequences: false)
        let files: Set = ["html", "htm", "php", "asp", "aspx", "jsp", "js", "png", "jpg", "jpeg", "gif", "svg", "pdf"]
        guard labels.count > 1, let last = labels.last, last.count > 1 else { return false }
        return labels.allSatisfy { label in
            !label.isEmpty && label.utf8.allSatisfy { $0.isASCIILetter || $0.isDigit || $0 == UInt8(ascii: "-") }
        } && last.utf8.allSatisfy(\.isASCIILetter) && !files.contains(last.asciiLowercased)
    }
}
