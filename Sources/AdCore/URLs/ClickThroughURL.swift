/// A click-through URL.
///
/// The host's `URLOpener` opens it; the runtime never requests it.
public struct ClickThroughURL: Hashable, Sendable, CustomStringConvertible {
    /// The URL of the creative, escaped to be valid.
    public let text: String
    /// The scheme in lower case, as in `https` or `itms-apps`.
    public let scheme: String

    /// Schemes that run code, read local data or open no page.
    private static let refused: Set<String> = [
        "javascript", "data", "file", "about", "blob", "vbscript", "filesystem", "view-source", "content",
        "chrome", "ws", "wss",
    ]

    /// Parses a URL; nil if it is invalid or its scheme is refused.
    public init?(_ text: String) {
        let text = text.trimmed
        if let web = HTTPURL(text) {
            let fragment =
                text.utf8.firstIndex(of: UInt8(ascii: "#")).map { PercentEncoding.repaired(text[$0...].utf8) } ?? ""
            let whole = web.text + fragment
            guard whole.utf8.count <= HTTPURL.maximumLength else { return nil }
            self.text = whole
            self.scheme = web.isSecure ? "https" : "http"
            return
        }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text.utf8.count <= HTTPURL.maximumLength else {
            return nil
        }
        let scheme = text[..<colon].asciiLowercased
        guard let first = scheme.utf8.first, first.isASCIILetter,
            scheme.utf8.allSatisfy({ $0.isASCIILetter || $0.isDigit || "+-.".utf8.contains($0) }),
            !ClickThroughURL.refused.contains(scheme), scheme != "http", scheme != "https",
            text.utf8.index(after: colon) != text.utf8.endIndex
        else { return nil }
        // Escaping makes the text longer; the limit applies to the result, so that parsing it again succeeds.
        let whole = scheme + PercentEncoding.repaired(text[colon...].utf8)
        guard whole.utf8.count <= HTTPURL.maximumLength else { return nil }
        self.scheme = scheme
        self.text = whole
    }

    /// Whether it is a web page: `http` or `https`.
    public var isWeb: Bool { self.scheme == "http" || self.scheme == "https" }

    /// The URL as text.
    public var description: String { self.text }
}

/// The URL of a beacon.
///
/// The runtime requests it; it is never opened.
public struct TrackingURL: Hashable, Sendable, CustomStringConvertible {
    /// The URL to request.
    public let http: HTTPURL

    /// Parses a URL; nil if it is invalid.
    public init?(_ text: String) {
        guard let http = HTTPURL(text) else { return nil }
        self.http = http
    }

    /// Creates a tracking URL from a parsed URL.
    public init(_ http: HTTPURL) { self.http = http }

    /// The URL as text.
    public var description: String { self.http.text }
}

/// A URL with macros, which are replaced when it is requested.
public struct URLTemplate: Hashable, Sendable, CustomStringConvertible {
    /// The text as received, trimmed.
    public let text: String

    /// Creates a template; nil for an empty text.
    public init?(_ text: String) {
        let text = text.trimmed
        guard !text.isEmpty else { return nil }
        self.text = text
    }

    /// Creates a template from a text that is trimmed and not empty.
    package init(verbatim text: String) { self.text = text }

    /// The template's text.
    public var description: String { self.text }
}
