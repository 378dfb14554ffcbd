package import AdCore

extension Sandbox {
    /// What the calls of trackers, and the events of cards and engagements, cost: the books of a billing server.
    ///
    /// A call counts when the server took it, even where its answer was late, cut, garbled or never sent. The
    /// `Idempotency-Key` is honoured: a key is billed once, however often it is counted. A server that ignores it would
    /// bill `counted` instead. Calls without a key are billed each.
    ///
    /// `counted` is always `billed` and `repeats` together; `views` are what money is paid for.
    package struct Bill: Hashable, Sendable {
        /// What is billed to one key, or for one call without a key.
        package struct Line: Hashable, Sendable {
            /// The `Idempotency-Key`; nil where the call had none; for what came over a socket the engagement and what
            /// became of it (`engagement-7/impression`).
            package let key: String?
            /// What the call tells of: for a tracker the key's own word or else the last part of the path; for a card
            /// what its protocol says.
            package let event: String
            /// The path of the call that is billed, or of the first one where all were refused.
            package let path: String
            /// The ad: the value of `ad` in the query, or what a body names (`tracking_token`, `adId`, `campaign_id`,
            /// `engagement_uid`).
            package let ad: String?
            /// The value of `unit` in the query.
            package let unit: String?
            /// The number of the hit that is billed; nil where all were refused, and nothing is.
            package let first: Int?
            /// When that hit had arrived.
            package let at: WallTime?
            /// How many calls there were.
            package internal(set) var hits: Int
            /// How many of them were refused.
            package internal(set) var refused: Int

            /// How many of them were taken.
            package var counted: Int { self.hits - self.refused }
            /// How many were taken beyond the one that is billed.
            package var repeats: Int { max(0, self.counted - 1) }
            /// Whether it costs anything.
            package var isBilled: Bool { self.first != nil }
        }

        /// A line for each key, and for each call without one, in the order of their first calls.
        package let lines: [Line]
        /// How many of the newest hits' elders the log gave up: the bill is exact only where it is 0.
        package let dropped: Int
        /// How many keys, and calls without one, are billed.
        package let billed: Int
        /// How many of those are views, of an ad or of a VAST impression.
        package let views: Int
        /// How many of those are clicks.
        package let clicks: Int
        /// How many calls were taken: what a server bills that knows no keys.
        package let counted: Int
        /// How many calls were taken of a key that had been billed.
        package let repeats: Int
        /// How many calls were refused.
        package let refused: Int
        /// How many of those that are billed had no key.
        package let unkeyed: Int

        /// Draws up the bill of hits, oldest first; what tells of no ad costs nothing.
        init(_ hits: some Sequence<Hit>, dropped: Int) {
            var lines: [Line] = []
            var places: [String: Int] = [:]
            for hit in hits {
                guard let call = hit.billed, let event = call.event(of: hit) else { continue }
                let key = call.key(of: hit)
                if let key, let place = places[key] {
                    lines[place].add(hit, call, event)
                } else {
                    if let key { places[key] = lines.count }
                    lines.append(Line(hit, call, event, key: key))
                }
            }
            self.lines = lines
            self.dropped = dropped
            let billed = lines.filter(\.isBilled)
            self.billed = billed.count
            self.views = billed.count { $0.event == "view" || $0.event == "impression" }
            self.clicks = billed.count { $0.event == "click" || $0.event == "clickTracking" }
            self.counted = lines.reduce(0) { $0 + $1.counted }
            self.repeats = lines.reduce(0) { $0 + $1.repeats }
            self.refused = lines.reduce(0) { $0 + $1.refused }
            self.unkeyed = billed.count { $0.key == nil }
        }

        /// What a tracker's call tells of.
        ///
        /// A beacon's key has it as the third part from the end (`ad/creative/event/ordinal/index`); any other key
        /// says nothing, and the path's last part stands for it.
        package static func event(key: String?, path: String) -> String {
            let parts = key?.split(separator: "/", omittingEmptySubsequences: false) ?? []
            if parts.count >= 5, parts.suffix(2).allSatisfy({ Int($0) != nil }), !parts[parts.count - 3].isEmpty {
                return String(parts[parts.count - 3])
            }
            return path.split(separator: "/").last.map(String.init) ?? path
        }
    }
}

extension Sandbox.Bill.Line {
    /// The line that a key's first hit begins.
    fileprivate init(
        _ hit: Sandbox.Hit,
        _ call: BilledCall,
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

    /// Takes one more call of the key.
    fileprivate mutating func add(_ hit: Sandbox.Hit, _ call: BilledCall, _ event: String) {
        if hit.isCounted, !self.isBilled {
            // The first that is taken is what is billed, not the one that was refused before it.
            self = Sandbox.Bill.Line(hit, call, event, key: self.key, hits: self.hits + 1, refused: self.refused)
            return
        }
        self.hits += 1
        if !hit.isCounted { self.refused += 1 }
    }
}

extension Sandbox.Bill {
    /// The bill as `GET /sandbox/bill` tells it.
    ///
    /// `{"billed", "views", "clicks", "counted", "repeats", "refused", "unkeyed", "dropped", "lines": [{"key", "event",
    /// "path", "ad", "unit", "first", "at", "hits", "repeats", "refused"}]}`: numbers, but for texts or null in `key`,
    /// `event`, `path`, `ad` and `unit`; `first` and `at` are null where nothing is billed. It is written line by line:
    /// a tree of it would take many times the memory.
    var bytes: [UInt8] {
        let totals: [(String, Int)] = [
            ("billed", self.billed), ("views", self.views), ("clicks", self.clicks), ("counted", self.counted),
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
