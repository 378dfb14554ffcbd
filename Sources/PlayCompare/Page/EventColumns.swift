import AdCore

/// The events of two ads in two columns: equal ones in the same row.
enum EventColumns {
    struct Entry: Hashable {
        /// The time since the ad's first event.
        let time: String
        /// The name and the deciding fields.
        let text: String
    }

    struct Row: Hashable {
        let a: Entry?
        let b: Entry?

        var isSame: Bool { self.a?.text == self.b?.text }
    }

    static func rows(_ pair: ComparedPair) -> [Row] {
        let a = self.entries(of: pair.a, pair.normalization)
        let b = self.entries(of: pair.b, pair.normalization)
        let gaps = CommonSubsequence(a.map(\.text), b.map(\.text))?.gaps
        return CommonSubsequence.matches(gaps, left: a.count, right: b.count).map { match in
            Row(a: match.left.map { a[$0] }, b: match.right.map { b[$0] })
        }
    }

    /// The events that are compared in order.
    private static func entries(of ad: ComparedAd, _ normalization: Normalization) -> [Entry] {
        let start = ad.events.lazy.compactMap { $0["t"]?.whole(Int.self) }.first ?? 0
        return ad.events.filter { EventKey.role(of: EventKey.name(of: $0)) == .inOrder }.map { event in
            let time = event["t"]?.whole(Int.self).map { ComparedFacts.duration($0 &- start) } ?? ""
            return Entry(time: time, text: EventKey(event, normalization).text)
        }
    }
}
