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
        // Of too many ads, each is compared with the one at its position.
        let whole = CommonSubsequence.Gap(left: 0..<a.ads.count, right: 0..<b.ads.count)
        let gaps = CommonSubsequence(keys(a), keys(b))?.gaps ?? [whole]
        var pairs: [Pair] = []
        var (i, j) = (0, 0)
        func addCommon(to gap: CommonSubsequence.Gap) {
            while i < gap.left.lowerBound {
                pairs.append(Pair(a: i, b: j))
                i += 1
                j += 1
            }
        }
        for gap in gaps {
            addCommon(to: gap)
            for offset in 0..<max(gap.left.count, gap.right.count) {
                pairs.append(
                    Pair(
                        a: offset < gap.left.count ? gap.left.lowerBound + offset : nil,
                        b: offset < gap.right.count ? gap.right.lowerBound + offset : nil
                    )
                )
            }
            (i, j) = (gap.left.upperBound, gap.right.upperBound)
        }
        let end = CommonSubsequence.Gap(left: a.ads.count..<a.ads.count, right: b.ads.count..<b.ads.count)
        addCommon(to: end)
        self.pairs = pairs
    }
}
