import AdCore
import LibC
import PlaySupport
import SandboxSSP
import SystemSupport
import TestSupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("The progress line")
struct ProgressTests {
    private let plain = Style(isColored: false)

    @Test("shows the count, the total and the current item")
    func text() {
        var line = ProgressLine("ads", of: 67)
        #expect(line.text(self.plain) == "0 of 67 ads …")
        line.step("yabbi  banner")
        line.step("yabbi  \u{1B}[2Jvideo")
        #expect(line.text(self.plain) == "2 of 67 ads  yabbi   [2Jvideo", "control characters of a name are removed")
        #expect(line.text(Style(isColored: true)).hasSuffix("\u{1B}[0m"))
        line.step()
        #expect(line.text(self.plain) == "3 of 67 ads …")
        #expect(ProgressLine("writing the report").text(self.plain) == "writing the report …")
    }

    @Test("a count above the total raises the total")
    func more() {
        var line = ProgressLine("beacons", of: 1)
        line.step()
        line.step()
        #expect(line.text(self.plain) == "2 of 2 beacons …")
    }

    @Test("the demo announces the expected number of steps")
    func steps() async throws {
        let (_, console) = await play("demo")
        let creatives = try CreativesFolder.catalogue(nil).creatives.filter { !$0.tags.contains(.fault) }
        // The report line follows an empty line, too.
        let announced = console.out.filter { $0.hasPrefix("\n") && !$0.contains("report") }
        #expect(announced.count == DemoTour.steps(creatives: creatives.count))
    }

    @Test("is not shown with JSON or without a terminal")
    func silent() {
        #expect(Progress(ProgressLine("ads", of: 2), on: BufferConsole(), isSilent: false) == nil)
        let counting = CountingConsole()
        #expect(Progress(ProgressLine("ads", of: 2), on: counting, isSilent: true) == nil)
        #expect(counting.drawn.isEmpty)
    }

    @Test("is drawn at a limited rate, and never after its end")
    func rate() async throws {
        let console = CountingConsole()
        let progress = try #require(Progress(ProgressLine("ads", of: 100_000), on: console, isSilent: false))
        let start = ContinuousClock.now
        while start.duration(to: .now) < .milliseconds(450) { for _ in 0..<100 { progress.step("x") } }
        progress.end()
        progress.end()
        let drawn = console.drawn
        #expect((2...8).contains(drawn.count))
        #expect(drawn.last == .some(nil) && drawn.dropLast().allSatisfy { $0 != nil })
        progress.step("late")
        try await Task.sleep(for: .milliseconds(250))
        #expect(console.drawn.count == drawn.count)
    }

    /// Stores the drawn lines.
    private final class CountingConsole: Console {
        private let lines = Locked<[String?]>([])
        let isColored = false
        let loss: OutputLoss? = nil
        let width = 80
        let showsProgress = true
        var drawn: [String?] { self.lines.withLock { $0 } }

        func out(_ line: String) {}
        func err(_ line: String) {}
        func showProgress(_ line: String?) { self.lines.withLock { $0.append(line) } }
        func startInteraction(onKey: @escaping @Sendable (Key) -> Void) -> (any Interaction)? { nil }
    }
}

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

    @Test("gives way to the status line of an ad")
    func live() async throws {
        let terminal = try #require(PseudoTerminal())
        let console = terminal.console()
        #expect(console.showsProgress)
        let interaction = try #require(console.startInteraction { _ in })
        interaction.status("the ad's own line")
        console.showProgress("1 of 2")
        #expect(await terminal.shows("the ad's own line"))
        interaction.end()
        console.showProgress("2 of 2")
        #expect(await terminal.shows("2 of 2"))
        console.showProgress(nil)
        #expect(!terminal.screen.contains("1 of 2"))
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
