import AdCore

/// The hits of one beacon, or those without one, oldest first: what a verdict needs of them.
///
/// A URL may have millions of hits, so only the first ones have their numbers here; the rest is counted.
struct Arrivals: Sendable {
    /// How many numbers of hits a verdict lists.
    static let maximumNumbers = 1_000
    /// How many groups of hits the text lists, and how many numbers in one.
    private static let maximumGroups = 6
    private static let maximumNamed = 4

    /// Consecutive hits that were handled the same.
    private struct Group: Sendable {
        let handling: String
        /// The first ones.
        var numbers: [Int]
        var count = 1
    }

    private(set) var first: ReceivedHit?
    private(set) var count = 0
    /// How many of them the server counted.
    private(set) var counted = 0
    /// When the first one came that the server counted.
    private(set) var firstCounted: WallTime?
    /// The numbers of the first hits.
    private(set) var numbers: [Int] = []
    private var groups: [Group] = []
    /// How many hits are in no group.
    private var ungrouped = 0

    init() {}

    init(_ hits: [ReceivedHit]) {
        for hit in hits { self.add(hit) }
    }

    mutating func add(_ hit: ReceivedHit) {
        if self.first == nil { self.first = hit }
        self.count += 1
        if hit.isCounted {
            self.counted += 1
            if self.firstCounted == nil { self.firstCounted = hit.at }
        }
        if self.numbers.count < Arrivals.maximumNumbers { self.numbers.append(hit.n) }
        self.group(hit)
    }

    /// Adds hits of which only the number is known.
    mutating func addUnlisted(_ count: Int) {
        self.count += count
        self.ungrouped += count
    }

    private mutating func group(_ hit: ReceivedHit) {
        guard self.ungrouped == 0 else {
            self.ungrouped += 1
            return
        }
        let handling = ArrivalText.handling(hit)
        if let last = self.groups.indices.last, self.groups[last].handling == handling {
            self.groups[last].count += 1
            if self.groups[last].numbers.count < Arrivals.maximumNamed { self.groups[last].numbers.append(hit.n) }
        } else if self.groups.count < Arrivals.maximumGroups {
            self.groups.append(Group(handling: handling, numbers: [hit.n]))
        } else {
            self.ungrouped += 1
        }
    }

    /// How each hit was handled; consecutive hits that were handled the same are one group.
    var text: String {
        var parts = self.groups.map { group in
            "\(Arrivals.name(group)) \(group.count == 1 ? "was" : "were") \(group.handling)"
        }
        if self.ungrouped > 0 { parts.append("and \(self.ungrouped) more") }
        return parts.joined(separator: "; ")
    }

    /// A note that not all numbers are listed; empty if they are.
    var note: String {
        self.count > self.numbers.count ? "; the first \(self.numbers.count) of \(self.count) hits are listed" : ""
    }

    private static func name(_ group: Group) -> String {
        guard let last = group.numbers.last else { return "no hit" }
        if group.count == 1 { return "hit \(last)" }
        if group.count > self.maximumNamed {
            let first = group.numbers.prefix(self.maximumNamed - 1).map(String.init).joined(separator: ", ")
            return "hits \(first) and \(group.count - self.maximumNamed + 1) more"
        }
        return "hits \(group.numbers.dropLast().map(String.init).joined(separator: ", ")) and \(last)"
    }
}
