import AdCore

/// Compares the events of two ads: what happened and by which rule, in order and whatever the time.
struct EventComparison {
    private let pair: ComparedPair
    private let a: [EventKey]
    private let b: [EventKey]

    init(_ pair: ComparedPair) {
        self.pair = pair
        func keys(_ ad: ComparedAd) -> [EventKey] {
            ad.events.filter { [.inOrder, .counted].contains(EventKey.role(of: EventKey.name(of: $0))) }
                .map { EventKey($0, pair.normalization) }
        }
        self.a = keys(pair.a)
        self.b = keys(pair.b)
    }

    /// The events that are compared in order.
    private var ordered: (a: [EventKey], b: [EventKey]) { (self.a.filter(\.isOrdered), self.b.filter(\.isOrdered)) }

    /// How much work their comparison in order is.
    var cost: Int { self.ordered.a.count * self.ordered.b.count }

    /// Whether they are few enough to be compared in order.
    var canBeOrdered: Bool { max(self.ordered.a.count, self.ordered.b.count) <= CommonSubsequence.maxLength }

    /// The differences; out of order, only the numbers of equal events are compared.
    func differences(inOrder isOrdered: Bool) -> [RunDifference] {
        let ordered = self.ordered
        guard isOrdered, let common = CommonSubsequence(ordered.a.map(\.text), ordered.b.map(\.text)) else {
            return self.counted(self.a, self.b)
        }
        return common.gaps.flatMap { self.changed(Array(ordered.a[$0.left]), Array(ordered.b[$0.right])) }
            + self.counted(self.a.filter { !$0.isOrdered }, self.b.filter { !$0.isOrdered })
    }

    /// The differences at one place; events of the same name are one difference.
    private func changed(_ a: [EventKey], _ b: [EventKey]) -> [RunDifference] {
        // The order is the same with the runs exchanged.
        let isExchanged = b.map(\.text).lexicographicallyPrecedes(a.map(\.text))
        var seen: Set<String> = []
        let names = (isExchanged ? b + a : a + b).map(\.name).filter { seen.insert($0).inserted }
        let (lefts, rights) = (Dictionary(grouping: a, by: \.name), Dictionary(grouping: b, by: \.name))
        return names.flatMap { name -> [RunDifference] in
            let (left, right) = (lefts[name, default: []], rights[name, default: []])
            return (0..<max(left.count, right.count)).map { index in
                self.pair.difference(
                    .event,
                    name,
                    a: index < left.count ? left[index].presence : nil,
                    b: index < right.count ? right[index].presence : nil
                )
            }
        }
    }

    private func counted(_ a: [EventKey], _ b: [EventKey]) -> [RunDifference] {
        SideBySide.groups(a, b) { [$0.text] }.compactMap { group in
            guard group.a.count != group.b.count else { return nil }
            return self.pair.difference(
                .event,
                group.key[0],
                a: Times.text(group.a.count),
                b: Times.text(group.b.count)
            )
        }
    }
}

extension EventKey {
    fileprivate var isOrdered: Bool { EventKey.role(of: self.name) == .inOrder }

    /// The fields, or a word for an event without any.
    fileprivate var presence: String { self.fields.isEmpty ? "happened" : self.fields }
}
