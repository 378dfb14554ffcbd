/// What `yabbi-bench help` prints.
enum Help {
    static var text: String {
        let width = Benchmark.all.map(\.name.count).max() ?? 0
        let list = Benchmark.all.map { benchmark in
            "  \(benchmark.name.padded(to: width))  \(benchmark.title)\n"
        }
        return """
            yabbi-bench all|NAME [--json] [--quick] [--date DATE] [--commit NAME]
              measures, and prints each figure when it is there
              --json    one JSON object per line: figures, gaps, and at the end the machine
              --quick   small sizes and few turns: whether it runs, not how fast
              --date, --commit   stand in the last line as they are given
            yabbi-bench \(Benchmark.takingFiles.joined(separator: "|")) FILE…   also reads documents of yours
            yabbi-bench page FILE   makes a page of the lines that --json has printed
            yabbi-bench rows FILE   makes the README's table of them

            """ + "\n\n" + list.joined()
    }
}
