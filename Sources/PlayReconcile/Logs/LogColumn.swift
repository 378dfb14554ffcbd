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
}

/// A name of a field, with how much its value is to be trusted.
struct LogColumn: Hashable, Sendable {
    let field: LogField
    /// Of several values of a field the one with the lowest rank counts.
    let rank: Int

    private init(_ field: LogField, _ rank: Int = 0) {
        self.field = field
        self.rank = rank
    }

    /// The field of a name, in nginx's formats, extended logs (W3C), headers of CSV files and members of JSON lines.
    init?(name: String) {
        let name = name.lowercased().replacing("_", with: "").replacing("-", with: "")
        switch name {
        case "date": self.init(.day)
        case "timeofday": self.init(.clock)
        case "request", "requestline": self.init(.request)
        case "args", "query", "querystring", "csuriquery": self.init(.query)
        case "status", "statuscode", "scstatus", "edgeresponsestatus", "responsestatus": self.init(.status)
        case "httpidempotencykey", "idempotencykey", "cs(idempotencykey)": self.init(.key)
        default:
            let column = LogColumn.time(name) ?? LogColumn.target(name) ?? LogColumn.host(name)
            guard let column else { return nil }
            self = column
        }
    }

    /// A time, with its rank.
    ///
    /// First that of the request with milliseconds, then that of the server in whole seconds, then any, then that of a
    /// program that has only passed the line on.
    private static func time(_ name: String) -> LogColumn? {
        switch name {
        case "msec", "starttime", "edgestarttimestamp", "requesttimestamp": LogColumn(.time, 0)
        case "timeiso8601", "timelocal": LogColumn(.time, 1)
        case "time", "timestamp", "datetime", "ts": LogColumn(.time, 2)
        case "@timestamp": LogColumn(.time, 3)
        default: nil
        }
    }

    /// A target, with its rank: as the client sent it, then as the server may have changed it.
    private static func target(_ name: String) -> LogColumn? {
        switch name {
        case "requesturi", "clientrequesturi", "requesturl", "csuri": LogColumn(.target, 0)
        case "uri", "url", "path", "target", "csuristem": LogColumn(.target, 1)
        default: nil
        }
    }

    /// A host, with its rank: the header of the client, then what may be another name of the server.
    ///
    /// In logs of CloudFront, `cs(Host)` is the name of the distribution, and `x-host-header` the name in the URL.
    private static func host(_ name: String) -> LogColumn? {
        switch name {
        case "xhostheader", "httphost", "clientrequesthost": LogColumn(.host, 0)
        case "host": LogColumn(.host, 1)
        case "cs(host)", "cshost": LogColumn(.host, 2)
        case "servername": LogColumn(.host, 3)
        default: nil
        }
    }
}
