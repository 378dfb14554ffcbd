/// Something that can be measured.
struct Benchmark: Sendable {
    /// What it is called on the command line.
    let name: String
    /// What it measures, in a few words.
    let title: String
    /// What it is held against, as a sentence; nil where nothing smaller does the same.
    let floor: String?
    /// About how long the long form takes, in seconds.
    let seconds: Int
    /// Measures, and tells each figure when it is there.
    let measure: @Sendable (Bench) async throws -> Void

    /// How to repeat it.
    var command: String { "swift run -c release yabbi-bench \(self.name)" }

    /// The benchmark of a name; nil where there is none.
    static func named(_ name: String) -> Benchmark? { self.all.first { $0.name == name } }
}
