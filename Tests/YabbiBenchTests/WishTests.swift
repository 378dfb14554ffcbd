import Testing

@testable import yabbi_bench

@Suite("The benchmarks' command line")
struct WishTests {
    @Test("names one benchmark or all, and may ask for JSON on either side of it")
    func wishes() throws {
        #expect(try Run(parsing: ["load"]).benchmarks == ["load"])
        #expect(try Run(parsing: ["all", "--quick"]).benchmarks == Benchmark.all.map(\.name))
        for words in [["chain", "--json"], ["--json", "chain"]] {
            let run = try Run(parsing: words)
            #expect(run.benchmarks == ["chain"] && run.isJSON && !run.isQuick)
        }
    }

    @Test("may say when it is and what is measured")
    func notes() throws {
        let run = try Run(parsing: ["all", "--date", "2026-01-02", "--commit", "abc"])
        #expect(run.date == "2026-01-02" && run.commit == "abc")
    }

    @Test("parse takes the files behind its name")
    func files() throws {
        #expect(try Run(parsing: ["parse", "a.xml", "--json", "b.xml"]).files == ["a.xml", "b.xml"])
    }

    @Test("a file of records makes the page, or the README's rows")
    func pages() throws {
        #expect(try Wish(parsing: ["page", "a.jsonl"]) == .page("a.jsonl"))
        #expect(try Wish(parsing: ["rows", "a.jsonl"]) == .rows("a.jsonl"))
    }

    @Test("help is given to whoever asks", arguments: [["help"], ["--help"], ["load", "-h"]])
    func help(words: [String]) throws {
        #expect(try Wish(parsing: words) == .help)
        for benchmark in Benchmark.all { #expect(Help.text.contains("  \(benchmark.name)  ")) }
    }

    @Test(
        "a word too many or unknown is refused with what there is",
        arguments: [
            ([], "say what to measure: all, \(Wish.names)"), (["--json"], "say what to measure: all, \(Wish.names)"),
            (
                ["load", "--jsn"],
                "there is no option \u{201C}--jsn\u{201D}; there are --json, --quick, --date, --commit"
            ),
            (["load", "chain"], "one benchmark at a time, or all"),
            (["load", "more"], "only parse and lint take files; what is \u{201C}more\u{201D}?"),
            (["lod"], "there is no benchmark \u{201C}lod\u{201D}; there are all, \(Wish.names)"),
            (["all", "--date"], "--date takes a value"),
            (["page"], "page takes one file of records and nothing else"),
        ]
    )
    func refusals(words: [String], message: String) {
        #expect(throws: WishError(message: message)) { try Wish(parsing: words) }
    }
}
