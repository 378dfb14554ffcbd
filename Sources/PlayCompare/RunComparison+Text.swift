package import AdCore
package import PlayConsole

/// How much was compared.
struct ComparedCounts: Hashable, Sendable {
    let ads: Int
    let events: Int
    let beacons: Int
    let requests: Int
    let pictures: Int

    init(_ pairs: [ComparedPair]) {
        self.ads = pairs.count
        self.events = pairs.reduce(0) { $0 + max($1.a.events.count, $1.b.events.count) }
        self.beacons = pairs.reduce(0) { $0 + max($1.a.beacons.count, $1.b.beacons.count) }
        self.requests = pairs.reduce(0) { $0 + min($1.a.requests?.count ?? 0, $1.b.requests?.count ?? 0) }
        self.pictures = pairs.reduce(0) { $0 + min($1.a.pictures?.count ?? 0, $1.b.pictures?.count ?? 0) }
    }

    fileprivate var text: String {
        let rest = [(self.requests, "request"), (self.pictures, "picture")].filter { $0.0 > 0 }
        return ([(self.ads, "ad"), (self.events, "event"), (self.beacons, "beacon")] + rest)
            .map { Quantity.text($0.0, $0.1) }.joined(separator: ", ")
    }
}

extension RunComparison {
    /// How many different differences of a kind the text lists, and how many ads of one.
    private static let maxListed = 50
    private static let maxNames = 3

    /// How many differences are of these kinds.
    package func count(_ kinds: Set<RunDifference.Kind>) -> Int {
        self.differences.count { kinds.contains($0.kind) }
    }

    /// The differences as text: by kind, equal ones of several ads once, both sides of each with their names.
    package func lines(_ style: Style, _ a: String = "A", _ b: String = "B") -> [String] {
        var lines: [String] = []
        for kind in RunDifference.Kind.allCases {
            let groups = DifferenceGroup.all(self.differences.filter { $0.kind == kind })
            guard !groups.isEmpty else { continue }
            lines.append(style.red("\(kind.rawValue): \(groups.reduce(0) { $0 + $1.count })"))
            for group in groups.prefix(RunComparison.maxListed) {
                lines += group.lines(style, [a, b], naming: self.counts.ads > 1 ? RunComparison.maxNames : 0)
            }
            let unlisted = groups.count - RunComparison.maxListed
            if unlisted > 0 { lines.append("  and \(unlisted) more; --json lists all") }
        }
        return lines + self.notes.map { style.yellow("note: ") + Style.printable($0, upTo: 400) }
    }

    /// The numbers of differences by kind, or what was compared without one; nil without a policy.
    package func summary(_ kinds: Set<RunDifference.Kind>?, _ style: Style) -> String {
        guard !self.differences.isEmpty else {
            return style.green("no differences: ") + "\(self.counts.text) compared"
        }
        let counts = RunDifference.Kind.allCases.map { (kind: $0, count: self.count([$0])) }.filter { $0.count > 0 }
        let all = counts.map { "\($0.count) \($0.kind.rawValue)" }.joined(separator: ", ")
        let failing = kinds.map(self.count) ?? self.differences.count
        let named = failing == 0 ? "none" : "\(failing)"
        let policy = failing == self.differences.count ? "" : "; the policy names \(named) of them"
        let text = "\(Quantity.text(self.differences.count, "difference")): "
        return (failing > 0 && kinds != nil ? style.red(text) : style.yellow(text)) + all + policy
    }

    /// The last line of `--json`.
    package func json(_ kinds: Set<RunDifference.Kind>?) -> AdJSON {
        [
            "event": "compared", "differences": .int(self.differences.count), "failing": .int(self.count(kinds ?? [])),
            "notes": .array(self.notes.map { .string($0) }),
        ]
    }
}

/// Equal differences of several ads.
private struct DifferenceGroup {
    let first: RunDifference
    private(set) var names: [String] = []
    private(set) var count = 0

    static func all(_ differences: [RunDifference]) -> [DifferenceGroup] {
        var groups: [DifferenceGroup] = []
        var indices: [[String?]: Int] = [:]
        for difference in differences {
            let key = [difference.text, difference.a, difference.b]
            let index = indices[key] ?? groups.count
            if index == groups.count { groups.append(DifferenceGroup(first: difference)) }
            indices[key] = index
            groups[index].add(difference.place.name)
        }
        return groups
    }

    private init(first: RunDifference) { self.first = first }

    private mutating func add(_ name: String) {
        self.count += 1
        // Ads of one name are listed once.
        if self.names.count < 100, !self.names.contains(name) { self.names.append(name) }
    }

    func lines(_ style: Style, _ sides: [String], naming limit: Int) -> [String] {
        let times = self.count > 1 ? "  ×\(self.count)" : ""
        let more = self.names.count > limit ? ", and \(self.names.count - limit) more" : ""
        let names = self.names.prefix(limit).map { Style.printable($0, upTo: 60) }.joined(separator: ", ")
        let width = sides.map(\.count).max() ?? 0
        let texts = zip(sides, [self.first.a, self.first.b]).map { name, text in
            let padding = String(repeating: " ", count: width - name.count)
            return "      \(name)\(padding)  \(DifferenceGroup.side(text, style))"
        }
        return [
            "  \(Style.printable(self.first.text, upTo: 400))\(times)"
                + (limit > 0 ? style.dim("  in \(names)\(more)") : "")
        ] + texts
    }

    private static func side(_ text: String?, _ style: Style) -> String {
        text.map { Style.printable($0, upTo: 400) } ?? style.dim("nothing")
    }
}
