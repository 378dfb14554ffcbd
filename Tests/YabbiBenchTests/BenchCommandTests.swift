import Testing

@testable import yabbi_bench

@Suite("The benchmarks' command line")
struct BenchCommandTests {
    @Test("names one benchmark or all, with options before or after it")
    func benchmarks() throws {
        #expect(try Run(parsing: ["load"]).benchmarks == ["load"])
        #expect(try Run(parsing: ["all", "--quick"]).benchmarks == Benchmark.all.map(\.name))
        for words in [["chain", "--json"], ["--json", "chain"]] {
            let run = try Run(parsing: words)
            #expect(run.benchmarks == ["chain"] && run.isJSON && !run.isQuick)
        }
    }

    @Test("has options for the date and the commit")
    func dateAndCommit() throws {
        let run = try Run(parsing: ["all", "--date", "2026-01-02", "--commit", "abc"])
        #expect(run.date == "2026-01-02" && run.commit == "abc")
    }

    @Test("parse accepts files after its name")
    func files() throws {
        #expect(try Run(parsing: ["parse", "a.xml", "--json", "b.xml"]).files == ["a.xml", "b.xml"])
    }

    @Test("a file of records gives the page or the README's rows")
    func pages() throws {
        #expect(try BenchCommand(parsing: ["page", "a.jsonl"]) == .page("a.jsonl"))
        #expect(try BenchCommand(parsing: ["rows", "a.jsonl"]) == .rows("a.jsonl"))
        #expect(try BenchCommand(parsing: ["compare", "a", "b"]) == .compare(recorded: "a", measured: "b"))
    }

    @Test("help is available in three forms", arguments: [["help"], ["--help"], ["load", "-h"]])
    func help(words: [String]) throws {
        #expect(try BenchCommand(parsing: words) == .help)
        for benchmark in Benchmark.all { #expect(Help.text.contains("  \(benchmark.name)  ")) }
    }

    @Test(
        "an unknown or extra argument is refused with the valid ones",
        arguments: [
            ([], "missing benchmark; use all, \(BenchCommand.names)"),
            (["--json"], "missing benchmark; use all, \(BenchCommand.names)"),
            (
                ["load", "--jsn"],
                "unknown option \u{201C}--jsn\u{201D}; use --json, --quick, --date, --commit"
            ),
            (["load", "chain"], "use one benchmark, or all"),
            (["load", "more"], "unexpected argument \u{201C}more\u{201D}: only parse and lint accept files"),
            (["lod"], "unknown benchmark \u{201C}lod\u{201D}; use all, \(BenchCommand.names)"),
            (["all", "--date"], "--date needs a value"),
            (["compare", "a"], "compare needs two files of records: the recorded ones, and those of a run"),
            (["page"], "page needs exactly one file of records"),
        ]
    )
    func refusals(words: [String], message: String) {
        #expect(throws: BenchError(message: message)) { try BenchCommand(parsing: words) }
    }
}
