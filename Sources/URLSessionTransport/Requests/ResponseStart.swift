import AdCore

/// The status and the header of a response.
struct ResponseStart: Hashable, Sendable {
    let status: Int
    let headers: AdHTTPHeaders
    /// Whether the header exceeds the limits of a response.
    let exceedsLimits: Bool

    /// Creates a start from a dictionary, in which URLSession joins the fields of a name and keeps no order.
    init(status: Int, fields: [(name: String, value: String)]) {
        self.status = status
        var headers = AdHTTPHeaders()
        for field in fields.sorted(by: { $0.name < $1.name }) { headers.add(field.name, field.value) }
        self.headers = headers
        let bytes = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        self.exceedsLimits = fields.count > AdHTTPResponse.maxHeaderFields || bytes > AdHTTPResponse.maxHeaderBytes
    }

    /// The announced size of the body.
    var announced: Int? { self.headers["Content-Length"].flatMap { Int($0.trimmed) } }
}
