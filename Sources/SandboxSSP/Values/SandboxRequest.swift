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
        var target = Substring(target)
        if target.utf8.startsIgnoringCase("http://"), let slash = target.dropFirst(7).firstIndex(of: "/") {
            target = target[slash...]
        }
        let mark = target.firstIndex(of: "?") ?? target.endIndex
        self.method = method
        self.path = String(target[..<mark])
        self.query = String(target[mark...].dropFirst())
        self.headers = headers
        self.body = body
    }

    /// The decoded value of a field of the query; nil where there is none, the first where there are several.
    func queryValue(_ name: String) -> String? {
        for field in self.query.split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if PercentEncoding.decoded(parts[0]) == name {
                return parts.count == 2 ? PercentEncoding.decoded(parts[1]) : ""
            }
        }
        return nil
    }
}
