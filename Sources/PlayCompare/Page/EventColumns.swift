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
        let isSame: Bool
    }

    static func rows(_ pair: ComparedPair) -> [Row] {
        let a = self.entries(of: pair.a, pair.normalization)
        let b = self.entries(of: pair.b, pair.normalization)
        let whole = CommonSubsequence.Gap(left: 0..<a.count, right: 0..<b.count)
        let gaps = CommonSubsequence(a.map(\.text), b.map(\.text))?.gaps ?? [whole]
        var rows: [Row] = []
        var (i, j) = (0, 0)
        func addSame(upTo end: Int) {
            while i < end {
                rows.append(Row(a: a[i], b: b[j], isSame: true))
                i += 1
                j += 1
            }
        }
        for gap in gaps {
            addSame(upTo: gap.left.lowerBound)
            for offset in 0..<max(gap.left.count, gap.right.count) {
                rows.append(
                    Row(
                        a: offset < gap.left.count ? a[gap.left.lowerBound + offset] : nil,
                        b: offset < gap.right.count ? b[gap.right.lowerBound + offset] : nil,
                        isSame: false
                    )
                )
            }
            (i, j) = (gap.left.upperBound, gap.right.upperBound)
        }
        addSame(upTo: a.count)
        return rows
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
