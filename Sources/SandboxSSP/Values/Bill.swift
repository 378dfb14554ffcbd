package import AdCore
import LoopbackServer

extension Sandbox {
    /// The billable calls of trackers, cards and engagements, as a billing server counts them.
    ///
    /// A call is counted when the server accepted it, even when its response was late, cut, garbled or never sent. Each
    /// `Idempotency-Key` is billed once; a server that ignores the keys bills `counted` instead. Calls without a key
    /// are billed each.
    ///
    /// `counted` is always the sum of `billed` and `repeats`.
    package struct Bill: Hashable, Sendable {
        /// All calls with one key, or one call without a key.
        package struct Line: Hashable, Sendable {
            /// The `Idempotency-Key`; nil when the call has none.
            ///
            /// For a message of a socket, the engagement and the event (`engagement-7/impression`).
            package let key: String?
            /// The event that the call reports.
            ///
            /// For a tracker the event in the key, or else the last part of the path; for a card the event of its
            /// protocol.
            package let event: String
            /// The path of the billed call, or of the first call when all were refused.
            package let path: String
            /// The ad: `ad` of the query, or the member of the body that identifies it (`tracking_token`, `adId`,
            /// `campaign_id`, `engagement_uid`).
            package let ad: String?
            /// The placement: `unit` of the query.
            package let unit: String?
            /// The number of the billed hit; nil when all were refused.
            package let first: Int?
            /// When the billed hit arrived.
            package let at: WallTime?
            /// The number of calls.
            package internal(set) var hits: Int
            /// The number of refused calls.
            package internal(set) var refused: Int

            /// The number of accepted calls.
            package var counted: Int { self.hits - self.refused }
            /// The number of duplicates: accepted calls beyond the billed one.
            package var repeats: Int { max(0, self.counted - 1) }
            /// Whether the line is billed.
            package var isBilled: Bool { self.first != nil }
        }

        /// One line per key, and one per call without a key, in the order of their first calls.
        package let lines: [Line]
        /// The number of older hits that the log no longer has; the bill is complete only when it is 0.
        package let dropped: Int
        /// The number of billed lines.
        package let billed: Int
        /// The number of billed views and VAST impressions.
        package let views: Int
        /// The number of billed clicks.
        package let clicks: Int
        /// The number of billed win notices.
        package let wins: Int
        /// The number of billed loss notices.
        package let losses: Int
        /// The number of billed rewards.
        package let rewards: Int
        /// The number of accepted calls, which a server without idempotency keys would bill.
        package let counted: Int
        /// The number of duplicates: accepted calls with a key that was billed before.
        package let repeats: Int
        /// The number of refused calls.
        package let refused: Int
        /// The number of billed calls without a key.
        package let unkeyed: Int

        /// Creates the bill of hits, oldest first; hits that report no billable event are left out.
        init(_ hits: some Sequence<Hit>, dropped: Int) {
            var lines: [Line] = []
            var lineIndices: [String: Int] = [:]
            for hit in hits {
                guard let call = hit.billed, let event = call.event(of: hit) else { continue }
                let key = call.key(of: hit)
                if let key, let index = lineIndices[key] {
                    lines[index].add(hit, call, event)
                } else {
                    if let key { lineIndices[key] = lines.count }
                    lines.append(Line(hit, call, event, key: key))
                }
            }
            self.lines = lines
            self.dropped = dropped
            let billed = lines.filter(\.isBilled)
            self.billed = billed.count
            self.views = billed.count { $0.event == "view" || $0.event == "impression" }
            self.clicks = billed.count { $0.event == "click" || $0.event == "clickTracking" }
            self.wins = billed.count { $0.event == "win" }
            self.losses = billed.count { $0.event == "loss" }
            self.rewards = billed.count { $0.event == "reward" }
            self.counted = lines.reduce(0) { $0 + $1.counted }
            self.repeats = lines.reduce(0) { $0 + $1.repeats }
            self.refused = lines.reduce(0) { $0 + $1.refused }
            self.unkeyed = billed.count { $0.key == nil }
        }

        /// The event that a tracker call reports.
        ///
        /// It is the event in a beacon's key. For other keys it is the last part of the path.
        package static func event(key: String?, path: String) -> String {
            key.flatMap { BeaconKey.Parts($0)?.event } ?? path.split(separator: "/").last.map(String.init) ?? path
        }
    }
}

extension Sandbox.Bill.Line {
    /// Creates the line for the first hit of a key.
    fileprivate init(
        _ hit: Sandbox.Hit,
        _ call: BillableCall,
        _ event: String,
        key: String?,
        hits: Int = 1,
        refused: Int? = nil
    ) {
        self.key = key
        self.event = event
        self.path = hit.path
        self.ad = call.ad(of: hit)
        self.unit = Query.value(of: "unit", in: hit.query)
        self.first = hit.isCounted ? hit.n : nil
        self.at = hit.isCounted ? hit.at : nil
        self.hits = hits
        self.refused = refused ?? (hit.isCounted ? 0 : 1)
    }

    /// Adds another call with the same key.
    fileprivate mutating func add(_ hit: Sandbox.Hit, _ call: BillableCall, _ event: String) {
        if hit.isCounted, !self.isBilled {
            // The first accepted call is the billed one, not a refused call before it.
            self = Sandbox.Bill.Line(hit, call, event, key: self.key, hits: self.hits + 1, refused: self.refused)
            return
        }
        self.hits += 1
        if !hit.isCounted { self.refused += 1 }
    }
}

extension Sandbox.Bill {
    /// The bill as JSON, the body of `GET /sandbox/bill`.
    ///
    /// `{"billed", "views", "clicks", "wins", "losses", "rewards", "counted", "repeats", "refused", "unkeyed", "dropped",
    /// "lines": [{"key", "event", "path", "ad", "unit", "first", "at", "hits", "repeats", "refused"}]}`: `key`, `event`,
    /// `path`, `ad` and `unit` are strings or null, all others numbers; `first` and `at` are null when nothing is billed.
    /// It is written line by line, because a tree of all lines takes many times the memory.
    var bytes: [UInt8] {
        let totals: [(String, Int)] = [
            ("billed", self.billed), ("views", self.views), ("clicks", self.clicks), ("wins", self.wins),
            ("losses", self.losses), ("rewards", self.rewards), ("counted", self.counted),
            ("repeats", self.repeats), ("refused", self.refused), ("unkeyed", self.unkeyed), ("dropped", self.dropped),
        ]
        var text = Array("{".utf8)
        for (name, count) in totals { text += Array("\"\(name)\":\(count),".utf8) }
        text += Array("\"lines\":[".utf8)
        for (index, line) in self.lines.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text += line.json.bytes()
        }
        return text + Array("]}".utf8)
    }
}

extension Sandbox.Bill.Line {
    fileprivate var json: AdJSON {
        [
            "key": .text(self.key), "event": .string(self.event), "path": .string(self.path), "ad": .text(self.ad),
            "unit": .text(self.unit), "first": self.first.map { .int($0) } ?? .null,
            "at": self.at.map { .int($0.milliseconds) } ?? .null, "hits": .int(self.hits),
            "repeats": .int(self.repeats), "refused": .int(self.refused),
        ]
    }
}
