import AdCore

/// One complete HTTP request, or a message of a socket.
package struct ServerRequest: Hashable, Sendable {
    /// The method as received.
    package let method: String
    /// The path, percent-encoded as received.
    package let path: String
    /// The query; empty when there is none.
    package let query: String
    /// The headers, with lowercase names; the values of repeated fields are joined by commas (RFC 9110 §5.3).
    package let headers: [String: String]
    /// The body, without transfer coding.
    package let body: [UInt8]

    /// Creates a request from its target, which is a path with a query or an absolute URL (RFC 9112 §3.2).
    package init(method: String, target: String, headers: [String: String] = [:], body: [UInt8] = []) {
        // Bytes, not characters: a combining mark after a slash or question mark must not hide it.
        var bytes = Substring(target).utf8
        if bytes.startsIgnoringCase("http://"), let slash = bytes.dropFirst(7).firstIndex(of: UInt8(ascii: "/")) {
            bytes = bytes[slash...]
        }
        let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        self.method = method
        self.path = String(Substring(bytes[..<mark]))
        self.query = String(Substring(bytes[mark...].dropFirst()))
        self.headers = headers
        self.body = body
    }

    /// Whether a page in a browser sent it, and not a program or a user who typed the URL: browsers add these
    /// headers.
    package var isFromPage: Bool { self.headers["origin"] != nil || self.headers["sec-fetch-site"] ?? "none" != "none" }

    /// The decoded value of the first query field with a name; nil when there is none.
    package func queryValue(_ name: String) -> String? { Query.value(of: name, in: self.query) }
}

/// Reads query strings.
package enum Query {
    /// The decoded value of the first field with a name; nil when there is none.
    package static func value(of name: String, in query: String) -> String? {
        for field in query.split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if PercentEncoding.decoded(parts[0]) == name {
                return parts.count == 2 ? PercentEncoding.decoded(parts[1]) : ""
            }
        }
        return nil
    }
}

extension String {
    /// Whether a path starts with a prefix, compared by bytes.
    package func isPath(below prefix: String) -> Bool { self.utf8.starts(with: prefix.utf8) }
}
