import LibC
import PlaySupport
import TestSupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite(
    "The progress line on a terminal",
    .enabled(if: PseudoTerminal() != nil, "this system has no pseudo-terminals")
)
struct ProgressTerminalTests {
    private func inputs() throws -> (folder: TemporaryFolder, words: [String]) {
        let folder = try #require(TemporaryFolder())
        let files = try (0..<3).map {
            try #require(folder.write("<p>Hello \($0)</p>", "a-rather-long-name-\($0).html"))
        }
        return (folder, ["lint"] + files)
    }

    @Test("is cut to the columns, colored unless NO_COLOR is set, and removed at the end")
    func drawn() async throws {
        let (folder, words) = try self.inputs()
        defer { folder.remove() }
        let terminal = try #require(PseudoTerminal(columns: 40))
        _ = await YabbiPlay.run(words, terminal.console(noColor: "1"))
        let screen = terminal.screen
        #expect(screen.contains("of 3 inputs"))
        #expect(!screen.contains("\u{1B}[2m") && !screen.contains("\u{1B}[3"))
        for part in screen.replacing("\r\u{1B}[2K", with: "\n").split(whereSeparator: \.isNewline)
        where part.contains("of 3 inputs") { #expect(Style.columns(part) < 40, "\(part)") }
        #expect(screen.hasSuffix("\r\u{1B}[2K"), "the line is removed at the end")
    }

    @Test("is not shown with --json, in a pipe, or on a dumb terminal")
    func absent() async throws {
        let (folder, words) = try self.inputs()
        defer { folder.remove() }
        for (more, term) in [(["--json"], "xterm"), ([], "dumb")] {
            let terminal = try #require(PseudoTerminal())
            _ = await YabbiPlay.run(words + more, terminal.console(term: term))
            #expect(!terminal.screen.contains("of 3 inputs"))
            #expect(!terminal.screen.contains("\u{1B}[2K"))
        }
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let terminal = try #require(PseudoTerminal())
        let piped = ProcessConsole(input: 0, output: ends[1], error: terminal.slave, term: "xterm", noColor: nil)
        #expect(!piped.showsProgress, "the reader of the pipe may write to the same terminal")
    }

    @Test("goes to the terminal of the errors if results go to a file")
    func file() async throws {
        let (folder, words) = try self.inputs()
        defer { folder.remove() }
        let terminal = try #require(PseudoTerminal())
        let file = open(folder.path + "/out", O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let console = ProcessConsole(input: 0, output: file, error: terminal.slave, term: "xterm", noColor: nil)
        _ = await YabbiPlay.run(words, console)
        #expect(terminal.screen.contains("of 3 inputs"))
        let text = String(decoding: folder.bytes("out"), as: UTF8.self)
        #expect(text.contains("a-rather-long-name-2") && !text.contains("of 3 inputs") && !text.contains("\u{1B}"))
    }

    @Test(
        "a reader that takes only the first line ends the command without an error",
        arguments: [
            "help", "help show", "manual", "completions bash", "demo --json", "doctor --json",
        ]
    )
    func cut(words: String) throws {
        let path = try #require(ChildCommand.path)
        let result = Shell.run("{ '\(path)' \(words); echo \"code $?\" >&2; } | head -n 1")
        #expect(result.output.contains("code 0"), "\(result.output)")
        #expect(result.output.split(separator: "\n").count == 2, "\(result.output)")
    }
}
