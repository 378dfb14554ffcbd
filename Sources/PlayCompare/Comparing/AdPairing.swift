/// Which ads of two runs are compared with each other.
struct AdPairing {
    /// The indices of an ad in the runs; nil where a run has none.
    struct Pair: Hashable {
        let a: Int?
        let b: Int?
    }

    let pairs: [Pair]

    /// Matches ads by their names in order, and those between them by position.
    ///
    /// So an ad that one run lacks does not shift those behind it, and one file is compared with another.
    init(_ a: ComparedRun, _ b: ComparedRun) {
        // A trace has no names.
        let hasNames = (a.ads + b.ads).allSatisfy { $0.name != nil }
        func keys(_ run: ComparedRun) -> [String] {
            run.ads.map { "\($0.provider)\u{0}\(hasNames ? $0.name ?? "" : "")" }
        }
        let gaps = CommonSubsequence(keys(a), keys(b))?.gaps
        self.pairs = CommonSubsequence.matches(gaps, left: a.ads.count, right: b.ads.count).map {
            Pair(a: $0.left, b: $0.right)
        }
    }
}
