import PlaySupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("show on a terminal", .enabled(if: PseudoTerminal() != nil, "this system has no pseudo-terminals"))
struct LiveShowTests {
    private let words = ["show", "--unit", "banner-300x250"]

    @Test("counts down, clicks at c, ignores x before its time, and leaves at x when it can be closed")
    func keys() async throws {
        let terminal = try #require(PseudoTerminal())
        #expect(terminal.echoes)
        async let code = YabbiPlay.run(self.words, terminal.console())
        #expect(await terminal.shows("can be closed in "))
        #expect(!terminal.echoes, "the terminal is taken over while the ad is on screen")
        terminal.type("x")
        #expect(await terminal.shows("the ad can't be closed yet"))
        terminal.type("\u{1B}[Cc")
        #expect(await terminal.shows("click\u{1B}[0m  counted"))
        #expect(await terminal.shows("s  \u{1B}[32mcan be closed"))
        terminal.type("x")
        #expect(await code == .done)
        #expect(await terminal.shows("by user (closeTimeout)"))
        #expect(terminal.echoes, "the terminal is as it was")
        #expect(terminal.screen.last?.isNewline ?? false, "nothing of the status line is left")
    }

    @Test("stands still under a cover, and leaves at q", arguments: ["q", "\u{3}", "\u{4}"])
    func quit(_ key: String) async throws {
        let terminal = try #require(PseudoTerminal())
        async let code = YabbiPlay.run(self.words, terminal.console(noColour: "1"))
        #expect(await terminal.shows("can be closed in "))
        terminal.type(" ")
        #expect(await terminal.shows("to go   c click · x close · space uncover"))
        terminal.type(" ")
        #expect(await terminal.shows("space cover"))
        terminal.type(key)
        #expect(await code == .done)
        #expect(await terminal.shows("by host (host)"))
        #expect(!terminal.screen.contains("\u{1B}[3"), "NO_COLOR takes the colours, not the keys")
        #expect(terminal.echoes)
    }

    @Test("q and Ctrl-C end the demo, and not one ad of it", arguments: ["q", "\u{3}"])
    func demo(_ key: String) async throws {
        let terminal = try #require(PseudoTerminal())
        async let code = YabbiPlay.run(["demo", "--clock", "real"], terminal.console(noColour: "1"))
        #expect(await terminal.shows("q quit"))
        terminal.type(key)
        #expect(await code == .done)
        #expect(await terminal.shows("ended by the user"))
        #expect(await terminal.shows("0 lost"))
        #expect(terminal.screen.components(of: "requesting an ad") == 1, "nothing more was asked for")
        #expect(terminal.echoes)
    }

    @Test("a video has a bar, stops and goes on at space, loses its sound at m, and is skipped at s")
    func video() async throws {
        let terminal = try #require(PseudoTerminal())
        async let code = YabbiPlay.run(["show", "--unit", "video-inline"], terminal.console(noColour: "1"))
        #expect(await terminal.shows("/15.0 s  skip in "))
        terminal.type("m")
        #expect(await terminal.shows("beacon recorded  mute"))
        terminal.type(" ")
        #expect(await terminal.shows("beacon recorded  pause"))
        terminal.type("s")
        #expect(await terminal.shows("the video can't be skipped yet"))
        terminal.type(" ")
        #expect(await terminal.shows("beacon recorded  resume"))
        terminal.type("q")
        #expect(await code == .done)
        #expect(await terminal.shows("by host (host)"))
        #expect(terminal.echoes)
    }

    @Test("a script leaves by itself also where somebody looks on")
    func script() async throws {
        let terminal = try #require(PseudoTerminal(columns: 40))
        let code = await YabbiPlay.run(self.words + ["--do", "click@10ms"], terminal.console())
        #expect(code == .done)
        #expect(terminal.screen.contains("can be closed in"))
        for line in terminal.screen.split(whereSeparator: \.isNewline) {
            let drawn = line.split(separator: "\u{1B}[2K").map { Style.plain(String($0.drop { $0 == "\r" })) }
            for status in drawn where status.contains("can be closed in") {
                #expect(Style.columns(status) < 40, "the line fits the terminal: \(status)")
            }
        }
    }

    @Test("a dumb terminal, JSON and virtual time have no user")
    func plain() async throws {
        for (words, term) in [(["--clock", "virtual"], "xterm"), (["--json"], "xterm"), ([], "dumb")] {
            let terminal = try #require(PseudoTerminal())
            #expect(
                await YabbiPlay.run(["show", "--unit", "banner-320x50"] + words, terminal.console(term: term)) == .done
            )
            #expect(!terminal.screen.contains("c click"))
        }
    }
}

extension String {
    /// How often another text stands in it.
    fileprivate func components(of text: String) -> Int { self.ranges(of: text).count }
}
