/// A benchmark: a function of a `Bench`, and an entry in `Benchmark.all`.
///
/// It is compared with the least work that is needed in any case, in turns in the same run (`PairedSamples`).
struct Benchmark: Sendable {
    /// The name on the command line.
    let name: String
    /// What it measures.
    let title: String
    /// What it is compared with, as a sentence; nil without a baseline.
    let baseline: String?
    /// What follows from the figures, in paragraphs of the page; nil without a conclusion.
    var remark: String?
    /// The approximate duration without `--quick`, in seconds.
    let seconds: Int
    /// Measures, and reports each figure as soon as it exists.
    let measure: @Sendable (BenchContext) async throws -> Void

    /// The command that repeats it.
    var command: String { "swift run -c release yabbi-bench \(self.name)" }

    /// The benchmark with a name; nil when there is none.
    static func named(_ name: String) -> Benchmark? { self.all.first { $0.name == name } }
}
