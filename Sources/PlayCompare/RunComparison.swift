/// In what two runs differ.
package struct RunComparison: Sendable {
    /// The differences by kind, the worst kind first, and by ad.
    package let differences: [RunDifference]
    /// What could not be compared, and why.
    package let notes: [String]
    /// The pictures of both runs side by side, also those that do not differ.
    package let pictures: [ComparedPictures]
    /// How much was compared.
    let counts: ComparedCounts

    /// The most work that comparisons in order may take in all; more would take seconds.
    private static let maxCost = 100_000_000

    /// Compares two runs; pictures with other bytes differ.
    package init(_ a: ComparedRun, _ b: ComparedRun) { self.init(a, b, pictures: [:]) }

    /// Compares two runs, and asks how many pixels of their pictures differ.
    package static func comparing(
        _ a: ComparedRun,
        _ b: ComparedRun,
        pictures: (any PictureComparing)?
    ) async -> RunComparison {
        guard let pictures else { return RunComparison(a, b) }
        var known: [PictureComparison.Place: PictureDifference] = [:]
        for (number, pair) in RunComparison.pairs(a, b).both.enumerated() {
            for match in PictureComparison(pair, number: number).undecided {
                known[match.place] = await pictures.difference(match.a, match.b)
            }
        }
        return RunComparison(a, b, pictures: known)
    }

    private init(
        _ a: ComparedRun,
        _ b: ComparedRun,
        pictures known: [PictureComparison.Place: PictureDifference]
    ) {
        let (pairs, others) = RunComparison.pairs(a, b)
        var differences = others
        var allPictures: [ComparedPictures] = []
        var notes = RunComparison.notes(a.source, b.source)
        var cost = 0
        for (number, pair) in pairs.enumerated() {
            let events = EventComparison(pair)
            let isOrdered = events.canBeOrdered && cost + events.cost <= RunComparison.maxCost
            if isOrdered {
                cost += events.cost
            } else {
                let name = "\u{201C}\(pair.place.name)\u{201D}"
                notes.append("\(name) has too many events to compare their order; their numbers are compared")
            }
            let pictures = PictureComparison(pair, number: number)
            differences += TrackerComparison(pair).differences + events.differences(inOrder: isOrdered)
            differences += RequestComparison(pair).differences + pictures.differences(known)
            differences += LayoutComparison(pair).differences
            differences += ConsoleComparison(pair).differences + LintComparison(pair).differences
            notes += pictures.notes
            allPictures += pictures.compared(known)
        }
        self.differences = RunDifference.Kind.allCases.flatMap { kind in differences.filter { $0.kind == kind } }
        self.notes = notes
        self.pictures = allPictures
        self.counts = ComparedCounts(pairs)
    }

    /// The ads of both runs, and those of one as differences.
    static func pairs(_ a: ComparedRun, _ b: ComparedRun) -> (both: [ComparedPair], one: [RunDifference]) {
        var both: [ComparedPair] = []
        var one: [RunDifference] = []
        for pair in AdPairing(a, b).pairs {
            let (left, right) = (pair.a.map { a.ads[$0] }, pair.b.map { b.ads[$0] })
            let name = [left, right].compactMap { $0?.heading }.min() ?? ""
            let place = RunDifference.Place(a: pair.a.map { $0 + 1 }, b: pair.b.map { $0 + 1 }, name: name)
            if let left, let right {
                both.append(ComparedPair(left, right, at: place))
            } else {
                one.append(RunDifference(.event, "the whole ad", a: left?.heading, b: right?.heading, in: place))
            }
        }
        return (both, one)
    }

    private static func notes(_ a: ComparedRun.Source, _ b: ComparedRun.Source) -> [String] {
        guard a == .trace || b == .trace else { return [] }
        let which = a == b ? "both runs are traces" : a == .trace ? "A is a trace" : "B is a trace"
        return ["\(which): pictures, lint findings and trackers that did not fire are not compared"]
    }
}
