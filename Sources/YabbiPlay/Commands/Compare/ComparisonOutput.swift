import AdCore
import AdRuntime
import PlayCompare
import PlayConsole
import PlayReport

/// The differences of two runs, as `compare` and `show` print them.
struct ComparisonOutput {
    private let comparison: RunComparison
    private let names: (a: String, b: String)
    private let failing: Set<RunDifference.Kind>?
    private let isJSON: Bool

    /// Creates the output.
    ///
    /// - Parameters:
    ///   - comparison: The comparison of the runs.
    ///   - a: The name of the first run.
    ///   - b: The name of the second run.
    ///   - failing: The kinds of differences that are an error; nil without a policy.
    ///   - isJSON: Whether each difference is a line of JSON.
    init(_ comparison: RunComparison, _ a: String, _ b: String, failing: Set<RunDifference.Kind>?, isJSON: Bool) {
        self.comparison = comparison
        self.names = (a, b)
        self.failing = failing
        self.isJSON = isJSON
    }

    func print(on console: any Console) {
        if self.isJSON {
            for difference in self.comparison.differences where console.loss == nil {
                console.out(difference.json.text())
            }
            console.out(self.comparison.json(self.failing).text())
        } else {
            let style = Style(isColored: console.isColored)
            for line in self.comparison.lines(style, self.names.a, self.names.b) where console.loss == nil {
                console.out(line)
            }
            console.out(self.comparison.summary(self.failing, style))
        }
    }
}

/// The page of a comparison in a folder.
struct ComparisonFile {
    private let path: String

    /// Makes the folder, and checks that the page can be written.
    init(in folder: String) throws(PlayError) {
        self.path = ReportWriter.files(in: folder)[0]
        if let error = FileWriting.makeFolder(folder, for: .owner) ?? FileWriting.failure(at: self.path) {
            throw PlayError(.usage, "the report can't be written: \(error); --report expects a folder")
        }
    }

    /// Writes the page, and prints its path.
    func write(
        _ title: String,
        _ a: ComparisonPage.Side,
        _ b: ComparisonPage.Side,
        _ comparison: RunComparison,
        isJSON: Bool,
        on console: any Console
    ) throws(PlayError) {
        let page = ComparisonPage(title: title, madeAt: SystemClock().wallTime, a, b, comparison)
        if let failure = FileWriting.write(Array(page.text.utf8), to: self.path, for: .owner) {
            throw PlayError(.usage, "the report is incomplete: \(failure)")
        }
        let line: AdJSON = ["event": "report", "path": .string(self.path)]
        console.out(isJSON ? line.text() : "\n  report  \(self.path)")
    }
}
