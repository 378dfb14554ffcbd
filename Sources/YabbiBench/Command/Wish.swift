/// What the command line asks for.
enum Wish: Equatable {
    case help
    case run(Run)
    /// The page of all figures, from a file of records.
    case page(String)
    /// The README's rows, from a file of records.
    case rows(String)

    /// Reads the words; what is not understood would otherwise be measured for minutes as something else.
    init(parsing words: [String]) throws(WishError) {
        if words.first == "help" || words.contains("--help") || words.contains("-h") {
            self = .help
        } else if let first = words.first, first == "page" || first == "rows" {
            guard words.count == 2 else {
                throw WishError(message: "\(first) takes one file of records and nothing else")
            }
            self = first == "page" ? .page(words[1]) : .rows(words[1])
        } else {
            self = .run(try Run(parsing: words))
        }
    }

    /// The names of all benchmarks.
    static var names: String { Benchmark.all.map(\.name).joined(separator: ", ") }
}

/// What is to be measured, and how.
struct Run: Equatable, Sendable {
    /// The benchmarks' names, in the order in which they run.
    var benchmarks: [String] = []
    /// Whether records are printed as JSON.
    var isJSON = false
    /// Whether sizes are small, for a try.
    var isQuick = false
    /// When it is, and what is measured, for whoever reads the records later.
    var date: String?
    var commit: String?
    /// Documents of the user's, for the benchmark that takes some.
    var files: [String] = []
}

extension Run {
    init(parsing words: [String]) throws(WishError) {
        var words = words[...]
        while let word = words.popFirst() {
            switch word {
            case "--json": self.isJSON = true
            case "--quick": self.isQuick = true
            case "--date", "--commit":
                guard let value = words.popFirst(), !value.hasPrefix("-") else {
                    throw WishError(message: "\(word) takes a value")
                }
                if word == "--date" { self.date = value } else { self.commit = value }
            case _ where word.hasPrefix("-"):
                throw WishError(
                    message: "there is no option \(word.quoted); there are --json, --quick, --date, --commit"
                )
            case _ where self.benchmarks.isEmpty: self.benchmarks = try Run.benchmarks(named: word)
            case _ where self.benchmarks.count == 1 && Benchmark.takingFiles.contains(self.benchmarks[0]):
                self.files.append(word)
            case _ where word == "all" || Benchmark.named(word) != nil:
                throw WishError(message: "one benchmark at a time, or all")
            default:
                let names = Benchmark.takingFiles.joined(separator: " and ")
                throw WishError(message: "only \(names) take files; what is \(word.quoted)?")
            }
        }
        guard !self.benchmarks.isEmpty else { throw WishError(message: "say what to measure: all, \(Wish.names)") }
    }

    private static func benchmarks(named word: String) throws(WishError) -> [String] {
        if word == "all" { return Benchmark.all.map(\.name) }
        guard Benchmark.named(word) != nil else {
            throw WishError(message: "there is no benchmark \(word.quoted); there are all, \(Wish.names)")
        }
        return [word]
    }
}

extension String {
    fileprivate var quoted: String { "\u{201C}\(self)\u{201D}" }
}

/// Why words can't be understood, or what they ask for can't be had.
struct WishError: Error, Equatable, CustomStringConvertible {
    let message: String

    var description: String { self.message }
}
