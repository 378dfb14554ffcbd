import Testing

@testable import yabbi_bench

@Suite("The benchmarks' command line")
struct WishTests {
    @Test("names one benchmark, and may ask for JSON on either side of it")
    func wishes() throws {
        #expect(try Wish(parsing: ["load"]).benchmark == .load)
        for words in [["sessions", "--json"], ["--json", "sessions"]] {
            let wish = try Wish(parsing: words)
            #expect(wish.benchmark == .sessions && wish.isJSON)
        }
    }

    @Test("parse takes the files behind its name")
    func files() throws {
        #expect(try Wish(parsing: ["parse", "a.xml", "--json", "b.xml"]).files == ["a.xml", "b.xml"])
        #expect(throws: WishError(message: "name the files to parse")) { try Wish(parsing: ["parse"]) }
    }

    @Test(
        "a word too many or unknown is refused",
        arguments: [
            ([], "say what to measure"), (["--json"], "say what to measure"),
            (["load", "--jsn"], "there is no option \u{201C}--jsn\u{201D}"),
            (["load", "sessions"], "one benchmark at a time"),
            (["load", "more"], "there is no benchmark \u{201C}more\u{201D}"),
        ]
    )
    func refusals(words: [String], message: String) {
        #expect(throws: WishError(message: message)) { try Wish(parsing: words) }
    }
}
