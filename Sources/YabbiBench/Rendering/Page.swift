/// All records of a run as a page of Markdown; equal records give equal pages.
struct Page {
    private let records: [Record]
    private let benchmarks: [Benchmark]

    init(_ records: [Record], of benchmarks: [Benchmark] = Benchmark.all) {
        self.records = records
        self.benchmarks = benchmarks
    }

    /// The page.
    var text: String {
        let environment = self.records.compactMap {
            if case .environment(let environment) = $0 { environment } else { nil }
        }.last
        return Page.introduction + self.section(environment) + Page.explanation + self.targets
            + self.benchmarks.map(self.section).joined() + self.longTests
    }

    private static let introduction = """
        # Benchmarks

        `make bench` measures everything and writes this page and the README's table; neither is edited by hand.
        `swift run -c release yabbi-bench NAME` repeats one benchmark, `… all` all of them, and `--json` prints the records
        that this page is made from. Close other programs meanwhile.


        """

    private func section(_ environment: RunEnvironment?) -> String {
        guard let environment else { return "The run was not finished; the machine is unknown.\n\n" }
        var table = Table(["machine", " "])
        for fact in environment.facts { table.add([fact.name, fact.value]) }
        return table.text + "\n"
    }

    private static let explanation = """
        ## How to read it

        - A figure is the median of its samples. The IQR is the range between the quartiles: when it is wide, the machine was
          busy or the quantity itself varies, and smaller differences are not significant.
        - A baseline is a simpler way to do the same, or another program's way. It is measured alternately with the figure in
          the same run, so that other load affects both.
        - A ratio is the median of the ratios of each sample to the baseline's sample next to it. For times and memory less is
          better, for rates more.
        - On a virtual machine, times vary from run to run by a factor of up to two; most ratios vary by three percent, one in
          ten by more than a fifth (echoes, memory of few things). Compare ratios, and times within one benchmark only.
        - In a curve, “per item” is the cost of one of the counted things, and “growth” its ratio to the previous step. The
          bars show the cost per item, relative to the highest.
        - Memory is that of the whole process, in pages: small values are imprecise.
        - Everything runs on loopback, and servers run in the same process: their work is part of all figures.


        """

    private var figures: [Figure] {
        self.records.compactMap { if case .figure(let figure) = $0 { figure } else { nil } }
    }

    /// The targets and whether they are met.
    private var targets: String {
        var table = Table(["benchmark", "what", "of", "ratio or value", "IQR", "target"])
        for figure in self.figures {
            let result: (String?, Distribution?)
            switch figure.target {
            case .atMost, .atLeast: result = (figure.baseline?.ratioText, figure.baseline?.ratio)
            case .valueAtMost: result = (figure.value, figure.distribution)
            case nil: continue
            }
            let cells = [result.0, result.1?.interquartileRange, figure.targetText]
            table.add([figure.benchmark, figure.what, figure.amount?.text] + cells)
        }
        return "## Targets\n\n\(table.text)\n"
    }

    /// The long forms of tests, which `make bench` does not run: their last results.
    private var longTests: String {
        let tests = self.records.compactMap { if case .longTest(let test) = $0 { test } else { nil } }
        guard !tests.isEmpty else { return "" }
        var table = Table(["what", "result", "took", "date", "repeat"])
        for test in tests {
            let took = "\(NumberFormat.text(test.seconds)) s"
            table.add([test.what, test.result, took, test.date, "`\(test.command)`"])
        }
        return "## Long tests\n\nThe last complete runs; `make bench` does not repeat them.\n\n\(table.text)"
    }

    private func section(_ benchmark: Benchmark) -> String {
        var text = "## `\(benchmark.name)`\n\n\(benchmark.title).\n\n"
        text += "- Baseline: \(benchmark.baseline ?? "none.")\n"
        text += "- Repeat: `\(benchmark.command)`\n\n"
        let figures = self.figures.filter { $0.benchmark == benchmark.name }
        let omissions = self.records.compactMap { record -> Record.Gap? in
            if case .gap(let gap) = record, gap.benchmark == benchmark.name { gap } else { nil }
        }
        let groups = Page.grouped(figures)
        text += Page.singles(groups.filter { Curve($0) == nil }.flatMap { $0 })
        text += groups.compactMap { Curve($0) }.map(Page.curve).joined()
        for gap in omissions {
            text += "\(gap.isFailure ? "Failed" : "Skipped"): \(gap.what.map { "\($0): " } ?? "")\(gap.reason)\n\n"
        }
        if figures.isEmpty, omissions.isEmpty { text += "Not measured in this run.\n\n" }
        return text + (benchmark.remark ?? "")
    }

    /// The figures grouped by `what`, in their order.
    private static func grouped(_ figures: [Figure]) -> [[Figure]] {
        var groups: [[Figure]] = []
        for figure in figures {
            if let index = groups.firstIndex(where: { $0[0].what == figure.what }) {
                groups[index].append(figure)
            } else {
                groups.append([figure])
            }
        }
        return groups
    }

    private static let common = ["median", "IQR", "p99", "samples", "baseline", "ratio", "IQR", "target"]

    private static func cells(_ figure: Figure) -> [String?] {
        [
            figure.value, figure.distribution.interquartileRange, figure.distribution.p99.map(NumberFormat.text),
            figure.distribution.count > 1 ? NumberFormat.text(figure.distribution.count) : nil,
            figure.baseline.map { "\($0.name): \(NumberFormat.text($0.distribution.median))" },
            figure.baseline?.ratioText,
            figure.baseline?.ratio.interquartileRange, figure.targetText,
        ]
    }

    private static func singles(_ figures: [Figure]) -> String {
        guard !figures.isEmpty else { return "" }
        var table = Table(["what", "of"] + self.common)
        for figure in figures { table.add([figure.what, figure.amount?.text] + self.cells(figure)) }
        return table.text + "\n"
    }

    private static func curve(_ curve: Curve) -> String {
        var table = Table([curve.things] + self.common + ["per item", "growth"])
        for (figure, point) in zip(curve.figures, curve.points) {
            let growth = point.growth.map { "\(NumberFormat.text($0))×" }
            table.add(
                [figure.amount.map { NumberFormat.text($0.count) }] + self.cells(figure)
                    + [figure.unit.meaning == .each ? nil : curve.unit.text(point.cost), growth]
            )
        }
        let shape = curve.bars.isEmpty ? "" : " `\(curve.bars)` \(curve.growthText)"
        return "**\(curve.figures[0].what)**\(shape)\n\n\(table.text)\n"
    }
}
