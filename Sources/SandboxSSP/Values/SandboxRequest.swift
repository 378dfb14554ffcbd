import AdCore

/// One request that arrived whole.
struct SandboxRequest: Hashable, Sendable {
    /// The method, in capitals as it came.
    let method: String
    /// The path as it stood on the wire, escapes and all.
    let path: String
    /// What stood behind the question mark; empty where there was none.
    let query: String
    /// Names in lower case; what came under one name several times is joined by commas.
    let headers: [String: String]
    /// The body, without its transfer encoding.
    let body: [UInt8]

    /// Takes a request apart.
    ///
    /// The target may be a path, or a whole address as a proxy gets it.
    init(method: String, target: String, headers: [String: String] = [:], body: [UInt8] = []) {
        // Byte by byte: a letter that joins what stands before it must not hide a slash or a question mark.
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

    /// Whether a page in a browser asks, and neither a program nor somebody who wrote the address: browsers say so.
    var isFromPage: Bool { self.headers["origin"] != nil || self.headers["sec-fetch-site"] ?? "none" != "none" }

    /// The decoded value of a field of the query; nil where there is none, the first where there are several.
    func queryValue(_ name: String) -> String? { Query.value(of: name, in: self.query) }
}

/// Reads what stands behind the question mark.
enum Query {
    /// The decoded value of a field; nil where there is none, the first where there are several.
    static func value(of name: String, in query: String) -> String? {
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
    /// Whether a path begins with another, byte by byte.
    func isPath(below prefix: String) -> Bool { self.utf8.starts(with: prefix.utf8) }
}
