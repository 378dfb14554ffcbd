import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("The stage of the demo")
struct DemoStageTests {
    private func staged(_ words: String..., hasBrowser: Bool = true) throws -> Showing {
        try DemoCommand(parsing: words).showing(hasBrowser: hasBrowser)
    }

    @Test("a report uses a browser if one is installed, at eight times real time")
    func browser() throws {
        let showing = try self.staged("--report", "out")
        #expect(showing == .real(speed: 8, .browser(BrowserSettings()), opensLinks: false))
        #expect(try self.staged("--stage", "chromium").stage == .browser(BrowserSettings()))
    }

    @Test("otherwise the demo uses the terminal in virtual time")
    func terminal() throws {
        for showing in [
            try self.staged(), try self.staged("--report", "out", hasBrowser: false),
            try self.staged("--report", "out", "--stage", "terminal"),
            try self.staged("--report", "out", "--clock", "virtual"),
        ] { #expect(showing == .virtual(isSilent: false)) }
    }

    @Test("--speed is applied in real time and refused in virtual time")
    func speed() throws {
        #expect(try self.staged("--report", "out", "--speed", "2").time == .real(speed: 2))
        #expect(throws: UsageError(TimeOptions.speedNeedsRealTime)) {
            try Invocation(parsing: ["demo", "--clock", "virtual", "--speed", "2"])
        }
        #expect(throws: UsageError.self) { try Invocation(parsing: ["show", "a.html", "--speed", "0"]) }
        #expect(throws: UsageError("--report can't be combined with --repeat; remove one of them")) {
            try Invocation(parsing: ["show", "a.html", "--report", "out", "--repeat", "2"])
        }
    }
}
