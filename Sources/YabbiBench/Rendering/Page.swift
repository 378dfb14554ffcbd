/// All records of a run on one page of Markdown: the same records always make the same page.
struct Page {
    private let records: [Record]
    private let benchmarks: [Benchmark]

    init(_ records: [Record], of benchmarks: [Benchmark] = Benchmark.all) {
        self.records = records
        self.benchmarks = benchmarks
    }

    /// The page.
    var text: String {
        let machine = self.records.compactMap { if case .machine(let machine) = $0 { machine } else { nil } }.last
        return Page.beginning + self.machine(machine) + Page.explanation + self.aims
            + self.benchmarks.map(self.section).joined()
    }

    private static let beginning = """
        # Benchmarks

        `make bench` measures all of this anew and writes this page and the README's table; nothing on either is written by
        hand. `swift run -c release yabbi-bench NAME` repeats one benchmark, `… all` every one, `--json` prints what this page
        is made of. Let the machine have nothing else to do meanwhile.


        """

    private func machine(_ machine: Machine?) -> String {
        guard let machine else { return "The run was not finished: of the machine nothing is known.\n\n" }
        var table = Table(["machine", " "])
        for fact in machine.facts { table.add([fact.name, fact.value]) }
        return table.text + "\n"
    }

    private static let explanation = """
        ## How to read it

        - A figure is the median of its turns. “Half within” are its quartiles: where they lie far apart, the machine was
          not at rest or the thing itself varies, and a difference that is smaller than that means nothing.
        - A floor is the least that has to be done in any case, or somebody else's way of doing the same. It is measured in the
          same run, turn by turn with the figure, so that what else the machine does falls on both.
        - A ratio is the median of the ratios of all turns, each to the floor beside it. Of times and memory less is better,
          of what is done in a second more.
        - Times move from one whole run to the next, on a virtual machine to the half or the double; ratios mostly by three
          percent, one in ten by more than a fifth (echoes, memory of few things). Compare ratios, and times of one
          benchmark alone.
        - In a curve, “one” is what one of the things counted costs, and “growth” how many times as much as at the step
          before. Bars show the same: the highest is the most.
        - Memory is that of the whole process, in pages: of little it tells little.
        - Everything is on loopback, and servers are in the same process: their work is in all figures.


        """

    private var figures: [Figure] {
        self.records.compactMap { if case .figure(let figure) = $0 { figure } else { nil } }
    }

    /// What was to be reached, at a glance.
    private var aims: String {
        var table = Table(["benchmark", "what", "of", "ratio", "half within", "aim"])
        for figure in self.figures where figure.aim != nil {
            let cells = [figure.floor?.ratioText, figure.floor?.ratio.half, figure.aimText]
            table.add([figure.benchmark, figure.what, figure.amount?.text] + cells)
        }
        return "## Aims\n\n\(table.text)\n"
    }

    private func section(_ benchmark: Benchmark) -> String {
        var text = "## `\(benchmark.name)`\n\n\(benchmark.title).\n\n"
        text += "- Floor: \(benchmark.floor ?? "none; nothing smaller does the same.")\n"
        text += "- Repeat: `\(benchmark.command)`\n\n"
        let figures = self.figures.filter { $0.benchmark == benchmark.name }
        let gaps = self.records.compactMap { record -> Record.Gap? in
            if case .gap(let gap) = record, gap.benchmark == benchmark.name { gap } else { nil }
        }
        let groups = Page.grouped(figures)
        text += Page.singles(groups.filter { Curve($0) == nil }.flatMap { $0 })
        text += groups.compactMap { Curve($0) }.map(Page.curve).joined()
        for gap in gaps {
            text += "\(gap.isFailure ? "Failed" : "Left out"): \(gap.what.map { "\($0): " } ?? "")\(gap.reason)\n\n"
        }
        if figures.isEmpty, gaps.isEmpty { text += "Not measured in this run.\n\n" }
        return text
    }

    /// Figures of the same words together, in the order in which they came.
    private static func grouped(_ figures: [Figure]) -> [[Figure]] {
        var groups: [[Figure]] = []
        for figure in figures {
            if let place = groups.firstIndex(where: { $0[0].what == figure.what }) {
                groups[place].append(figure)
            } else {
                groups.append([figure])
            }
        }
        return groups
    }

    private static let common = ["median", "half within", "p99", "turns", "floor", "ratio", "half within", "aim"]

    private static func cells(_ figure: Figure) -> [String?] {
        [
            figure.value, figure.spread.half, figure.spread.p99.map(Digits.text),
            figure.spread.turns > 1 ? Digits.text(figure.spread.turns) : nil,
            figure.floor.map { "\($0.name): \(Digits.text($0.spread.median))" }, figure.floor?.ratioText,
            figure.floor?.ratio.half, figure.aimText,
        ]
    }

    private static func singles(_ figures: [Figure]) -> String {
        guard !figures.isEmpty else { return "" }
        var table = Table(["what", "of"] + self.common)
        for figure in figures { table.add([figure.what, figure.amount?.text] + self.cells(figure)) }
        return table.text + "\n"
    }

    private static func curve(_ curve: Curve) -> String {
        var table = Table([curve.things] + self.common + ["one", "growth"])
        for (figure, point) in zip(curve.figures, curve.points) {
            let growth = point.growth.map { "\(Digits.text($0))×" }
            table.add(
                [figure.amount.map { Digits.text($0.count) }] + self.cells(figure)
                    + [figure.unit.meaning == .each ? nil : curve.unit.text(point.cost), growth]
            )
        }
        let shape = curve.bars.isEmpty ? "" : " `\(curve.bars)` \(curve.verdict)"
        return "**\(curve.figures[0].what)**\(shape)\n\n\(table.text)\n"
    }
}
