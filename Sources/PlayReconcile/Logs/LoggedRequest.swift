import AdCore

/// A request that a server or a CDN has logged.
struct LoggedRequest: Hashable, Sendable {
    /// When it was received; nil if the log does not say.
    var time: WallTime?
    /// The path and the query.
    var target: String
    /// The host without its port, in lower case; nil if the log does not say.
    var host: String?
    var status: Int
    /// The value of `Idempotency-Key`; nil if the log does not have it.
    var key: String?

    /// The path without the query.
    var path: Substring { self.target.prefix { $0 != "?" } }

    /// Whether a tracker that answers so has counted the request: it counts before it redirects.
    static func isCounted(_ status: Int) -> Bool { (200..<400).contains(status) }
}

/// What a field of a log means.
enum LogField: Hashable, Sendable {
    /// A time in any of the common forms.
    case time
    /// A day, whose time is another field.
    case day
    /// A time of day.
    case clock
    /// The request line, as in `GET /view?ad=1 HTTP/1.1`.
    case request
    /// The path, or the whole URL, with its query or without.
    case target
    /// The query.
    case query
    case host
    case status
    case key

    /// The field of a name, in nginx's formats, extended logs (W3C), headers of CSV files and members of JSON lines.
    init?(name: String) {
        switch name.lowercased().replacing("_", with: "").replacing("-", with: "") {
        case "time", "timelocal", "timeiso8601", "msec", "timestamp", "@timestamp", "datetime", "ts", "starttime",
            "edgestarttimestamp", "requesttimestamp":
            self = .time
        case "date": self = .day
        case "timeofday": self = .clock
        case "request", "requestline": self = .request
        case "requesturi", "uri", "url", "path", "target", "csuristem", "csuri", "clientrequesturi", "requesturl":
            self = .target
        case "args", "query", "querystring", "csuriquery": self = .query
        case "host", "httphost", "servername", "cshost", "cs(host)", "xhostheader", "clientrequesthost": self = .host
        case "status", "statuscode", "scstatus", "edgeresponsestatus", "responsestatus": self = .status
        case "httpidempotencykey", "idempotencykey", "cs(idempotencykey)": self = .key
        default: return nil
        }
    }
}

/// Puts the fields of a line together.
struct LoggedFields {
    private var request: LoggedRequest?
    private var time: WallTime?
    private var day: String?
    private var clock: String?
    private var requested: String?
    private var target: String?
    private var query: String?
    private var host: String?
    private var status: Int?
    private var key: String?

    mutating func set(_ field: LogField, _ text: String) {
        // A field without a value.
        guard !text.isEmpty, text != "-" else { return }
        switch field {
        case .time: self.time = LogTime.time(text)
        case .day: self.day = text
        case .clock: self.clock = text
        case .request:
            // The line as it came, with its query; a server may have changed other forms of it.
            let parts = text.split(separator: " ")
            self.requested = parts.count >= 2 ? String(parts[1]) : nil
        case .target: self.target = text.contains("?") ? text : self.target ?? text
        case .query: self.query = text
        // A server's own name may be a placeholder such as `_`.
        case .host: if text.contains(".") || self.host == nil { self.host = text }
        case .status: self.status = Int(text)
        case .key: self.key = text
        }
    }

    /// The request; nil if its target or its status is missing.
    var result: LoggedRequest? {
        guard var target = self.requested ?? self.target, let status else { return nil }
        var host = self.host
        if let url = HTTPURL(target) {
            (target, host) = (String(url.target), host ?? url.host)
        }
        if let query, !target.contains("?") { target += "?" + query }
        var time = self.time
        if let day { time = LogTime.time("\(day)T\(self.clock ?? "00:00:00")Z") }
        let name = host.map { $0.lowercased().prefix { $0 != ":" } }
        return LoggedRequest(time: time, target: target, host: name.map(String.init), status: status, key: self.key)
    }
}
