/// An absolute `http` or `https` URL in the form that is sent: ASCII only, without user name and fragment.
///
/// Ad servers send URLs with spaces, brackets and non-ASCII letters. Such bytes are percent-encoded; a valid `%XX` is
/// not changed.
public struct HTTPURL: Hashable, Sendable, CustomStringConvertible {
    /// The whole URL.
    public let text: String
    /// Whether the scheme is `https`.
    public let isSecure: Bool
    /// The host in ASCII and lower case; an IPv6 address without its brackets.
    public let host: String
    /// The port; the scheme's default if none was given.
    public let port: Int

    /// Why a text is not a valid URL.
    public enum ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        /// It begins with neither `http://` nor `https://`.
        case notHTTP
        /// It names no host.
        case noHost
        /// Its host is neither a valid name nor a valid IP address.
        case badHost
        /// Its port is not a number from 1 to 65535.
        case badPort
        /// It has a user name before its host, which is never sent.
        case hasUserName
        /// It is longer than `HTTPURL.maximumLength` bytes.
        case tooLong

        /// What is wrong, as a clause that begins with "it" or "its".
        package var reason: String {
            switch self {
            case .notHTTP: "it begins with neither http:// nor https://"
            case .noHost: "it names no host"
            case .badHost: "its host is neither a valid name nor a valid IP address"
            case .badPort: "its port is not a number from 1 to 65535"
            case .hasUserName: "it has a user name before its host, which is never sent"
            case .tooLong: "it is longer than \(HTTPURL.maximumLength) bytes"
            }
        }

        private var fix: String {
            switch self {
            case .notHTTP: "write the whole URL, as in https://ssp.example/load"
            case .noHost: "write the host after ://"
            case .badHost: "write a name of ASCII letters, digits, dots and hyphens, or an IP address"
            case .badPort: "write another port, or none for the default"
            case .hasUserName: "remove it, and send secrets in headers"
            case .tooLong: "shorten its query"
            }
        }

        /// What is wrong and the fix, in one sentence.
        public var description: String { "the URL is invalid: \(self.reason); \(self.fix)" }
    }

    /// The maximum length of a URL in bytes.
    public static let maximumLength = 32_768

    /// Parses a URL; nil if it is invalid.
    public init?(_ text: String) {
        guard let parsed = try? HTTPURL(parsing: text) else { return nil }
        self = parsed
    }

    /// The parts of a URL.
    private struct Parts {
        let isSecure: Bool
        let host: String
        let port: Int?
        /// Path and query.
        let target: ArraySlice<UInt8>
    }

    /// The host of a URL, for checks that need no more of it.
    package static func host(of text: String) throws(ParseError) -> String {
        try self.parts(Array(text.utf8)[...]).host
    }

    /// Parses a URL.
    public init(parsing text: String) throws(ParseError) {
        let parts = try HTTPURL.parts(Array(text.utf8)[...])
        self.isSecure = parts.isSecure
        self.host = parts.host
        self.port = parts.port ?? (parts.isSecure ? 443 : 80)

        var text = parts.isSecure ? "https://" : "http://"
        text.reserveCapacity(parts.target.count + 280)
        text += HTTPURL.written(parts.host)
        if let port = parts.port { text += ":\(port)" }
        if parts.target.first != UInt8(ascii: "/") { text += "/" }
        text += PercentEncoding.repaired(parts.target)
        // Escaping makes the text longer; the limit applies to the result, so that parsing it again succeeds.
        guard text.utf8.count <= HTTPURL.maximumLength else { throw .tooLong }
        self.text = text
    }

    private static func parts(_ text: ArraySlice<UInt8>) throws(ParseError) -> Parts {
        var bytes = text
        while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        guard bytes.count <= HTTPURL.maximumLength else { throw .tooLong }

        let isSecure = bytes.startsIgnoringCase("https://")
        guard isSecure || bytes.startsIgnoringCase("http://") else { throw .notHTTP }
        bytes = bytes.dropFirst(isSecure ? 8 : 7)

        let authorityEnd = bytes.firstIndex(where: HTTPURL.endsAuthority) ?? bytes.endIndex
        let authority = bytes[..<authorityEnd]
        var rest = bytes[authorityEnd...]
        if let fragment = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<fragment] }

        if authority.contains(UInt8(ascii: "@")) { throw .hasUserName }
        let (host, port) = try HTTPURL.split(authority)
        return Parts(isSecure: isSecure, host: host, port: port, target: rest)
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
            || byte == UInt8(ascii: "\\")
    }

    /// The URL as text.
    public var description: String { self.text }

    /// Scheme, host and port.
    public var origin: String {
        (self.isSecure ? "https://" : "http://") + self.writtenHost + ":\(self.port)"
    }

    /// The host as in a URL, an IPv6 address in brackets.
    package var writtenHost: String { HTTPURL.written(self.host) }

    /// The value of the `Host` header: without the scheme's default port (RFC 9110 §7.2).
    package var authority: String {
        self.port == (self.isSecure ? 443 : 80) ? self.writtenHost : "\(self.writtenHost):\(self.port)"
    }

    private static func written(_ host: String) -> String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    }

    /// Path and query, which begin with a slash.
    public var target: Substring {
        let afterScheme = self.text.utf8.index(self.text.startIndex, offsetBy: self.isSecure ? 8 : 7)
        let slash = self.text.utf8[afterScheme...].firstIndex(of: UInt8(ascii: "/")) ?? self.text.endIndex
        return self.text[slash...]
    }

    private static func split(_ authority: ArraySlice<UInt8>) throws(ParseError) -> (host: String, port: Int?) {
        var hostBytes = authority
        var portBytes: ArraySlice<UInt8>?
        if authority.first == UInt8(ascii: "[") {
            guard let close = authority.firstIndex(of: UInt8(ascii: "]")) else { throw .badHost }
            hostBytes = authority[authority.index(after: authority.startIndex)..<close]
            let after = authority[authority.index(after: close)...]
            if let colon = after.first {
                guard colon == UInt8(ascii: ":") else { throw .badHost }
                portBytes = after.dropFirst()
            }
            guard IPv6Literal.isValid(hostBytes) else { throw .badHost }
        } else if let colon = authority.lastIndex(of: UInt8(ascii: ":")) {
            hostBytes = authority[..<colon]
            guard !hostBytes.contains(UInt8(ascii: ":")) else { throw .badHost }
            portBytes = authority[authority.index(after: colon)...]
        }
        guard !hostBytes.isEmpty else { throw .noHost }

        var port: Int?
        if let digits = portBytes, !digits.isEmpty {
            guard digits.count <= 5, digits.allSatisfy(\.isDigit),
                let value = Int(String(decoding: digits, as: UTF8.self)),
                (1...65535).contains(value)
            else { throw .badPort }
            port = value
        }
        guard let host = HostName.ascii(hostBytes) else { throw .badHost }
        return (host, port)
    }
}
