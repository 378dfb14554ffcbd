/// What the command line asks for: one benchmark, and how to print it.
struct Wish: Equatable {
    enum Benchmark: String, CaseIterable {
        case load, sessions, chain, memory, beacons, cards, sockets, stage, parse
    }

    let benchmark: Benchmark
    let isJSON: Bool
    /// What `parse` reads.
    let files: [String]

    /// Reads the words; what is not understood would otherwise be measured for minutes as something else.
    init(parsing words: [String]) throws(WishError) {
        var benchmark: Benchmark?
        var isJSON = false
        var files: [String] = []
        for word in words {
            if word == "--json" {
                isJSON = true
            } else if benchmark == .parse, !word.hasPrefix("-") {
                files.append(word)
            } else if let known = Benchmark(rawValue: word) {
                guard benchmark == nil else { throw WishError(message: "one benchmark at a time") }
                benchmark = known
            } else {
                let kind = word.hasPrefix("-") ? "option" : "benchmark"
                throw WishError(message: "there is no \(kind) \u{201C}\(word)\u{201D}")
            }
        }
        guard let benchmark else { throw WishError(message: "say what to measure") }
        if benchmark == .parse, files.isEmpty { throw WishError(message: "name the files to parse") }
        self.benchmark = benchmark
        self.files = files
        self.isJSON = isJSON
    }
}

/// Why the words can't be understood.
struct WishError: Error, Equatable {
    let message: String
}
