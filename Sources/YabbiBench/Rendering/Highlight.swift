/// A figure in the README's table.
struct Highlight {
    /// Its description there.
    let sentence: String
    let benchmark: String
    /// The figure's `what` and the count of its amount.
    let what: String
    let count: Int?

    init(_ sentence: String, _ benchmark: String, _ what: String, at count: Int? = nil) {
        self.sentence = sentence
        self.benchmark = benchmark
        self.what = what
        self.count = count
    }

    /// The README's table: a row for each highlight, with its sentence, its figure and its benchmark.
    static func table(_ highlights: [Highlight] = Highlight.all, of records: [Record]) -> String {
        var table = Table([" ", "figure", "`yabbi-bench`"])
        for highlight in highlights {
            let figure = highlight.figure(in: records)?.summary ?? "not measured"
            table.add([highlight.sentence, figure, "`\(highlight.benchmark)`"])
        }
        return table.text
    }

    /// The figure among the records.
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
    /// The figure in short: the ratio, when there is one, and the value.
    fileprivate var summary: String {
        guard let baseline else {
            return self.value + (self.distribution.p99.map { " (p99 \(NumberFormat.text($0)))" } ?? "") + self.aim
        }
        let ratio =
            "\(baseline.ratioText) (\(self.value), \(baseline.name) \(NumberFormat.text(baseline.distribution.median)))"
        return ratio + self.aim
    }

    private var aim: String { self.targetText.map { "; target \($0)" } ?? "" }
}
