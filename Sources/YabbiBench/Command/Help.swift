/// The help text of `yabbi-bench`.
enum Help {
    static var text: String {
        let width = Benchmark.all.map(\.name.count).max() ?? 0
        let list = Benchmark.all.map { benchmark in
            "  \(benchmark.name.padded(to: width))  \(benchmark.title)\n"
        }
        return """
            yabbi-bench all|NAME [--json] [--quick] [--date DATE] [--commit NAME]
              runs benchmarks and prints each figure as soon as it exists
              --json    one JSON object per line: figures, gaps, and finally the machine
              --quick   small sizes and few samples, to test that the benchmarks run
              --date, --commit   values for the last line
            yabbi-bench \(Benchmark.takingFiles.joined(separator: "|")) FILE…   also measures your own documents
            yabbi-bench page FILE   prints the benchmark page from the output of --json
            yabbi-bench rows FILE   prints the README's table from the output of --json
            yabbi-bench compare RECORDED MEASURED   compares the ratios of two such files; exits with 1 if one is worse

            """ + "\n\n" + list.joined()
    }
}
