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

/// Puts the fields of a line together.
///
/// A line may have several values of one field. That of the name with the lowest rank counts, and of one rank the
/// first, so the same line is always the same request.
struct LoggedFields {
    private var time = Ranked<WallTime>()
    private var day = Ranked<String>()
    private var clock = Ranked<String>()
    private var requested = Ranked<String>()
    private var target = Ranked<String>()
    private var query = Ranked<String>()
    private var host = Ranked<String>()
    private var status = Ranked<Int>()
    private var key = Ranked<String>()

    /// The best value of a field so far.
    private struct Ranked<Value> {
        private(set) var value: Value?
        private var rank = Int.max

        mutating func offer(_ value: Value, _ rank: Int) {
            guard self.value == nil || rank < self.rank else { return }
            self.value = value
            self.rank = rank
        }
    }

    mutating func set(_ column: LogColumn, _ text: String) {
        // A field without a value.
        guard !text.isEmpty, text != "-" else { return }
        let rank = column.rank
        switch column.field {
        case .time:
            // Beside a date, a time is that of the day (W3C Extended Log File Format).
            if let time = LogTime.time(text) { self.time.offer(time, rank) } else { self.clock.offer(text, rank) }
        case .day: self.day.offer(text, rank)
        case .clock: self.clock.offer(text, rank)
        case .request:
            // The line as it came, with its query; a server may have changed other forms of it.
            let parts = text.split(separator: " ")
            if parts.count >= 2 { self.requested.offer(String(parts[1]), rank) }
        // Of one rank, a target with its query says more.
        case .target: self.target.offer(text, rank * 2 + (text.contains("?") ? 0 : 1))
        case .query: self.query.offer(text, rank)
        case .host: self.host.offer(text, rank)
        case .status: if let status = Int(text) { self.status.offer(status, rank) }
        case .key: self.key.offer(text, rank)
        }
    }

    /// The request; nil if its target or its status is missing.
    var result: LoggedRequest? {
        guard var target = self.requested.value ?? self.target.value, let status = self.status.value else { return nil }
        var host = self.host.value
        if let url = HTTPURL(target) {
            (target, host) = (String(url.target), host ?? url.host)
        }
        if let query = self.query.value, !target.contains("?") { target += "?" + query }
        let name = host.map { $0.lowercased().prefix { $0 != ":" } }
        return LoggedRequest(
            time: self.received,
            target: target,
            host: name.map(String.init),
            status: status,
            key: self.key.value
        )
    }

    /// The day with its time, or else a time in one field; a day alone is its start.
    private var received: WallTime? {
        guard let day = self.day.value else { return self.time.value }
        // Some logs call a whole time a date.
        if day.utf8.count >= 19, let time = LogTime.time(day) { return time }
        if let clock = self.clock.value, let time = LogTime.time("\(day)T\(clock)Z") { return time }
        return self.time.value ?? (self.clock.value == nil ? LogTime.time("\(day)T00:00:00Z") : nil)
    }
}
