import PlaySupport
import SystemSupport
import Testing

@testable import PlayConsole

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

    @Test(
        "gives way to the status line of an ad",
        .enabled(if: PseudoTerminal() != nil, "this system has no pseudo-terminals")
    )
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
