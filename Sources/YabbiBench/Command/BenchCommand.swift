/// The command line of `yabbi-bench`.
enum BenchCommand: Equatable {
    case help
    case run(Run)
    /// Prints the page, from a file of records.
    case page(String)
    /// Prints the README's rows, from a file of records.
    case rows(String)
    /// Compares the ratios of a run with recorded ones, from two files of records.
    case compare(recorded: String, measured: String)

    /// Parses the arguments strictly: a misspelled one would start a measurement of minutes.
    init(parsing words: [String]) throws(BenchError) {
        if words.first == "help" || words.contains("--help") || words.contains("-h") {
            self = .help
        } else if words.first == "compare" {
            guard words.count == 3 else {
                throw BenchError(message: "compare needs two files of records: the recorded ones, and those of a run")
            }
            self = .compare(recorded: words[1], measured: words[2])
        } else if let first = words.first, first == "page" || first == "rows" {
            guard words.count == 2 else {
                throw BenchError(message: "\(first) needs exactly one file of records")
            }
            self = first == "page" ? .page(words[1]) : .rows(words[1])
        } else {
            self = .run(try Run(parsing: words))
        }
    }

    /// The names of all benchmarks.
    static var names: String { Benchmark.all.map(\.name).joined(separator: ", ") }
}

/// What to measure, and how.
struct Run: Equatable, Sendable {
    /// The benchmarks' names, in the order in which they run.
    var benchmarks: [String] = []
    /// Whether records are printed as JSON.
    var isJSON = false
    /// Whether sizes are small, to test that the benchmarks run.
    var isQuick = false
    /// The date and the commit, for the records.
    var date: String?
    var commit: String?
    /// The user's documents, for the benchmarks that accept them.
    var files: [String] = []
}

extension Run {
    init(parsing words: [String]) throws(BenchError) {
        var words = words[...]
        while let word = words.popFirst() {
            switch word {
            case "--json": self.isJSON = true
            case "--quick": self.isQuick = true
            case "--date", "--commit":
                guard let value = words.popFirst(), !value.hasPrefix("-") else {
                    throw BenchError(message: "\(word) needs a value")
                }
                if word == "--date" { self.date = value } else { self.commit = value }
            case _ where word.hasPrefix("-"):
                throw BenchError(
                    message: "unknown option \(word.quoted); use --json, --quick, --date, --commit"
                )
            case _ where self.benchmarks.isEmpty: self.benchmarks = try Run.benchmarks(named: word)
            case _ where self.benchmarks.count == 1 && Benchmark.takingFiles.contains(self.benchmarks[0]):
                self.files.append(word)
            case _ where word == "all" || Benchmark.named(word) != nil:
                throw BenchError(message: "use one benchmark, or all")
            default:
                let names = Benchmark.takingFiles.joined(separator: " and ")
                throw BenchError(message: "unexpected argument \(word.quoted): only \(names) accept files")
            }
        }
        guard !self.benchmarks.isEmpty else {
            throw BenchError(message: "missing benchmark; use all, \(BenchCommand.names)")
        }
    }

    private static func benchmarks(named word: String) throws(BenchError) -> [String] {
        if word == "all" { return Benchmark.all.map(\.name) }
        guard Benchmark.named(word) != nil else {
            throw BenchError(message: "unknown benchmark \(word.quoted); use all, \(BenchCommand.names)")
        }
        return [word]
    }
}

extension String {
    fileprivate var quoted: String { "\u{201C}\(self)\u{201D}" }
}

/// An invalid command line, or a benchmark that failed.
struct BenchError: Error, Equatable, CustomStringConvertible {
    let message: String

    var description: String { self.message }
}
