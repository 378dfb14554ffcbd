/// A figure that the README shows.
struct Highlight {
    /// What it says there.
    let sentence: String
    let benchmark: String
    /// The figure's own words, and how much it was measured with.
    let what: String
    let count: Int?

    init(_ sentence: String, _ benchmark: String, _ what: String, at count: Int? = nil) {
        self.sentence = sentence
        self.benchmark = benchmark
        self.what = what
        self.count = count
    }

    /// The README's table: each row is one figure of the page, and says how to repeat it.
    static func table(_ highlights: [Highlight] = Highlight.all, of records: [Record]) -> String {
        var table = Table([" ", "figure", "`yabbi-bench`"])
        for highlight in highlights {
            let figure = highlight.figure(in: records)?.shortly ?? "not measured"
            table.add([highlight.sentence, figure, "`\(highlight.benchmark)`"])
        }
        return table.text
    }

    /// The figure that is meant.
    func figure(in records: [Record]) -> Figure? {
        for case .figure(let figure) in records
        where figure.benchmark == self.benchmark && figure.what == self.what
            && (self.count == nil || figure.amount?.count == self.count)
        {
            return figure
        }
        return nil
    }
}

extension Figure {
    /// The figure in a few words: its ratio where it has one, then its value.
    fileprivate var shortly: String {
        guard let floor else { return self.value + (self.spread.p99.map { " (p99 \(Digits.text($0)))" } ?? "") }
        let ratio = "\(floor.ratioText) (\(self.value), \(floor.name) \(Digits.text(floor.spread.median)))"
        return ratio + (self.aimText.map { "; aim \($0)" } ?? "")
    }
}
