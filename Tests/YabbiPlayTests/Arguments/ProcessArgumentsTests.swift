import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("The arguments of the process")
struct ProcessArgumentsTests {
    private func record(_ words: [String]) -> [UInt8] { words.flatMap { Array($0.utf8) + [0] } }

    @Test("arguments that match the system's record are accepted, empty ones included")
    func alike() throws {
        let words = ["yabbi-play", "show", "", "a b", "ä"]
        #expect(try ProcessArguments.afterName(words, systemRecord: self.record(words)) == ["show", "", "a b", "ä"])
        #expect(
            try ProcessArguments.afterName(["yabbi-play"], systemRecord: self.record(["yabbi-play"])).isEmpty
        )
    }

    @Test("without a system record the arguments are accepted as they are")
    func withoutRecord() throws {
        let words = ["yabbi-play", "--version"]
        #expect(try ProcessArguments.afterName(words, systemRecord: nil) == ["--version"])
        #expect(try ProcessArguments.afterName(words, systemRecord: []) == ["--version"])
    }

    @Test(
        "lost arguments are an error and do not start the demo",
        arguments: [
            ([], ["yabbi-play", "--version"]), (["yabbi-play"], ["yabbi-play", "--version"]),
            (["yabbi-play", "x", "y"], ["yabbi-play", "x"]), (["yabbi-play", "demo"], ["yabbi-play", "show"]),
            ([""], [""]),
        ] as [([String], [String])]
    )
    func lost(found: [String], recorded: [String]) {
        #expect(throws: UsageError.self) {
            try ProcessArguments.afterName(found, systemRecord: self.record(recorded))
        }
    }

    #if os(Linux)
        @Test("the system has a record of this process")
        func own() throws {
            let record = try #require(ProcessArguments.systemRecord())
            #expect(
                try ProcessArguments.afterName(CommandLine.arguments, systemRecord: record)
                    == Array(CommandLine.arguments.dropFirst())
            )
        }
    #endif
}
