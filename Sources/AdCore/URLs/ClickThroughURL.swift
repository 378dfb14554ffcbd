/// Where a click leads.
///
/// It is opened by the host's `URLOpener`, never called by the runtime.
public struct ClickThroughURL: Hashable, Sendable, CustomStringConvertible {
    /// The address as the creative gave it, made fit for opening.
    public let text: String
    /// The scheme in lower case, as in `https` or `itms-apps`.
    public let scheme: String

    /// Schemes that run code or read local data and never lead anywhere.
    private static let refused: Set<String> = [
        "javascript", "data", "file", "about", "blob", "vbscript", "filesystem", "view-source", "content",
        "chrome", "ws", "wss",
    ]

    /// Reads an address; nil where it leads nowhere, or where opening it would run code.
    public init?(_ text: String) {
        let text = text.trimmed
        if let web = HTTPURL(text) {
            let fragment =
                text.utf8.firstIndex(of: UInt8(ascii: "#")).map { PercentEncoding.repaired(text[$0...].utf8) } ?? ""
            let whole = web.text + fragment
            guard whole.utf8.count <= HTTPURL.longest else { return nil }
            self.text = whole
            self.scheme = web.isSecure ? "https" : "http"
            return
        }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text.utf8.count <= HTTPURL.longest else {
            return nil
        }
        let scheme = text[..<colon].asciiLowercased
        guard let first = scheme.utf8.first, first.isASCIILetter,
            scheme.utf8.allSatisfy({ $0.isASCIILetter || $0.isDigit || "+-.".utf8.contains($0) }),
            !ClickThroughURL.refused.contains(scheme), scheme != "http", scheme != "https",
            text.utf8.index(after: colon) != text.utf8.endIndex
        else { return nil }
        // What is escaped grows, and an address that was taken must be taken again.
        let whole = scheme + PercentEncoding.repaired(text[colon...].utf8)
        guard whole.utf8.count <= HTTPURL.longest else { return nil }
        self.scheme = scheme
        self.text = whole
    }

    /// Whether it is a page of the web: `http` or `https`.
    public var isWeb: Bool { self.scheme == "http" || self.scheme == "https" }

    /// The address itself.
    public var description: String { self.text }
}

/// Where a beacon is sent.
///
/// It is called by the runtime and never opened.
public struct TrackingURL: Hashable, Sendable, CustomStringConvertible {
    /// The address, fit for the wire.
    public let http: HTTPURL

    /// Reads an address; nil where it can't be called.
    public init?(_ text: String) {
        guard let http = HTTPURL(text) else { return nil }
        self.http = http
    }

    /// Takes an address that was read already.
    public init(_ http: HTTPURL) { self.http = http }

    /// The address itself.
    public var description: String { self.http.text }
}

/// An address with macros still in it: kept to the letter, and finished only at the moment of sending.
public struct URLTemplate: Hashable, Sendable, CustomStringConvertible {
    /// The text as it came, without white space at its ends.
    public let text: String

    /// Keeps a text; nil where there is nothing to keep.
    public init?(_ text: String) {
        let text = text.trimmed
        guard !text.isEmpty else { return nil }
        self.text = text
    }

    /// Keeps a text that is neither empty nor has white space at its ends.
    package init(verbatim text: String) { self.text = text }

    /// The template itself.
    public var description: String { self.text }
}
