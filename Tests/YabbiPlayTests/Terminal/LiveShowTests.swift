import PlaySupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("Show on a terminal", .enabled(if: PseudoTerminal() != nil, "this system has no pseudo-terminals"))
struct LiveShowTests {
    private let words = ["show", "--unit", "banner-300x250"]

    @Test("counts down, clicks with c, ignores an early x, and closes with x")
    func keys() async throws {
        let terminal = try #require(PseudoTerminal())
        #expect(terminal.echoes)
        async let code = YabbiPlay.run(self.words, terminal.console())
        #expect(await terminal.shows("closable in "))
        #expect(!terminal.echoes, "the terminal does not echo while the ad is on screen")
        terminal.type("x")
        #expect(await terminal.shows("the ad can't be closed yet"))
        terminal.type("\u{1B}[Cc")
        #expect(await terminal.shows("click\u{1B}[0m  counted"))
        #expect(await terminal.shows("s  \u{1B}[32mclosable"))
        terminal.type("x")
        #expect(await code == .done)
        #expect(await terminal.shows("by user (closeTimeout)"))
        #expect(terminal.echoes, "the terminal is restored")
        #expect(terminal.screen.last?.isNewline ?? false, "the status line is removed")
    }

    @Test("does not count down while covered, and quits with q", arguments: ["q", "\u{3}", "\u{4}"])
    func quit(_ key: String) async throws {
        let terminal = try #require(PseudoTerminal())
        async let code = YabbiPlay.run(self.words, terminal.console(noColor: "1"))
        #expect(await terminal.shows("closable in "))
        terminal.type(" ")
        #expect(await terminal.shows("left   c click · x close · space uncover"))
        terminal.type(" ")
        #expect(await terminal.shows("space cover"))
        terminal.type(key)
        #expect(await code == .done)
        #expect(await terminal.shows("by host (host)"))
        #expect(!terminal.screen.contains("\u{1B}[3"), "NO_COLOR removes colors only")
        #expect(terminal.echoes)
    }

    @Test("q and Ctrl-C quit the whole demo", arguments: ["q", "\u{3}"])
    func demo(_ key: String) async throws {
        let terminal = try #require(PseudoTerminal())
        async let code = YabbiPlay.run(["demo", "--clock", "real"], terminal.console(noColor: "1"))
        #expect(await terminal.shows("q quit"))
        terminal.type(key)
        #expect(await code == .done)
        #expect(await terminal.shows("ended by the user"))
        #expect(await terminal.shows("0 lost"))
        #expect(terminal.screen.components(of: "requesting an ad") == 1, "no other ad was requested")
        #expect(terminal.echoes)
    }

    @Test("a video has a progress bar, pauses and resumes with space, mutes with m, and skips with s")
    func video() async throws {
        let terminal = try #require(PseudoTerminal())
        async let code = YabbiPlay.run(["show", "--unit", "video-inline"], terminal.console(noColor: "1"))
        #expect(await terminal.shows("/15.0 s  skippable in "))
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

    @Test("a script closes the ad also on a terminal")
    func script() async throws {
        let terminal = try #require(PseudoTerminal(columns: 40))
        let code = await YabbiPlay.run(self.words + ["--do", "click@10ms"], terminal.console())
        #expect(code == .done)
        #expect(terminal.screen.contains("closable in"))
        for line in terminal.screen.split(whereSeparator: \.isNewline) {
            let drawn = line.split(separator: "\u{1B}[2K").map { Style.plain(String($0.drop { $0 == "\r" })) }
            for status in drawn where status.contains("closable in") {
                #expect(Style.columns(status) < 40, "the line fits the terminal: \(status)")
            }
        }
    }

    @Test("a dumb terminal, JSON and virtual time have no keys")
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
    /// The number of occurrences of a text.
    fileprivate func components(of text: String) -> Int { self.ranges(of: text).count }
}
