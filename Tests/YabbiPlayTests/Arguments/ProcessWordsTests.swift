import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("The words that the process was started with")
struct ProcessWordsTests {
    private func told(_ words: [String]) -> [UInt8] { words.flatMap { Array($0.utf8) + [0] } }

    @Test("what Swift finds and the system tells is taken, empty words and all")
    func alike() throws {
        let words = ["yabbi-play", "show", "", "a b", "ä"]
        #expect(try ProcessWords.behindName(words, told: self.told(words)) == ["show", "", "a b", "ä"])
        #expect(try ProcessWords.behindName(["yabbi-play"], told: self.told(["yabbi-play"])).isEmpty)
    }

    @Test("where the system tells nothing, what was found is taken")
    func untold() throws {
        #expect(try ProcessWords.behindName(["yabbi-play", "--version"], told: nil) == ["--version"])
        #expect(try ProcessWords.behindName(["yabbi-play", "--version"], told: []) == ["--version"])
    }

    @Test(
        "lost words are an error, and never the demo",
        arguments: [
            ([], ["yabbi-play", "--version"]), (["yabbi-play"], ["yabbi-play", "--version"]),
            (["yabbi-play", "x", "y"], ["yabbi-play", "x"]), (["yabbi-play", "demo"], ["yabbi-play", "show"]),
            ([""], [""]),
        ] as [([String], [String])]
    )
    func lost(found: [String], told: [String]) {
        #expect(throws: UsageError.self) { try ProcessWords.behindName(found, told: self.told(told)) }
    }

    #if os(Linux)
        @Test("this very process is told of by the system")
        func own() throws {
            let told = try #require(ProcessWords.tellOfSystem())
            #expect(
                try ProcessWords.behindName(CommandLine.arguments, told: told)
                    == Array(CommandLine.arguments.dropFirst())
            )
        }
    #endif
}
