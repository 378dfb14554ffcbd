import AdCore
import Testing

@testable import PlayConsole
@testable import PlayStages
@testable import YabbiPlay

@Suite("The command line")
struct ArgumentTests {
    /// The command that the words ask for.
    private func command<Kind: Command>(_ kind: Kind.Type, _ words: [String]) throws -> Kind {
        guard case .command(let command as Kind) = try Invocation(parsing: words) else {
            throw UsageError("\(words) ask for another command")
        }
        return command
    }

    /// Whether the words ask for help, and about what.
    private func asksForHelp(_ words: [String], about topic: String?) throws -> Bool {
        try self.command(HelpCommand.self, words).topic == topic
    }

    @Test("nothing at all is the demo, and so are options alone")
    func demo() throws {
        #expect(try !self.command(DemoCommand.self, []).options.isJSON)
        #expect(try self.command(DemoCommand.self, ["--json"]).options.isJSON)
    }

    @Test("values come behind the name or behind an equals sign")
    func values() throws {
        let show = try self.command(
            ShowCommand.self,
            [
                "show", "--unit", "banner", "--size=320x480", "--do", "close@6s, click@1.5s", "--geo",
                "42.7,23.3,100", "--timeout=2.5s", "--seed", "7", "--clock", "virtual", "--repeat=3", "--format",
                "interstitial",
            ]
        )
        guard case .placement(let query) = show.session.query else {
            Testing.Issue.record("no placement")
            return
        }
        let options = show.session.options
        #expect(query.unit == "banner")
        #expect(options.container == Size(width: 320, height: 480))
        #expect(show.script.steps.map(\.act) == [.click, .close])
        #expect(show.script.steps.map(\.at) == [.milliseconds(1500), .seconds(6)])
        #expect(options.app.location?.precision == 100)
        #expect(options.timeout == .milliseconds(2500))
        #expect(show.session.time == .virtual)
        #expect(show.session.repeats == 3)
        #expect(query.format == .interstitial)
    }

    @Test(
        "what can't be understood is refused with what to write instead",
        arguments: [
            (["shwo"], "did you mean show?"),
            (["show", "--jsn"], "did you mean --json?"),
            (["show", "--size", "big"], "320x480"),
            (["show", "--size"], "needs a value"),
            (["show", "--json=yes"], "takes no value"),
            (["show", "--do", "clik@2s"], "did you mean click?"),
            (["show", "--do", "click"], "click@2s"),
            (["show", "--do", "click@-2s"], "2s, 1.5s"),
            (["show", "--repeat", "0"], "from 1 to"),
            (["show", "--timeout", "nan"], "seconds"),
            (["show", "--timeout", "5ms"], "seconds"),
            (["show", "--geo", "91,0,1"], "LAT,LON,PRECISION"),
            (["show", "--stage", "moon"], "terminal or chromium or none"),
            (["show", "--neighbour", "ftp://x"], "the http or https address of a server"),
            (["show", "--neighbour", "http://127.0.0.1:9"], "--neighbour is for a browser; write --stage chromium"),
            (["show", "--endpoint", "ftp://x"], "http or https"),
            (["show", "--endpoint", "http://a.example/"], "--unit"),
            (["show", "a.html", "b.html"], "one source"),
            (["show", "a.html", "--endpoint", "http://a.example/"], "two places"),
            (["demo", "--dry-run"], "of show, load"),
            (["show", "--follow"], "--follow is no option of show, but of inspect"),
            (["sandbox", "--all"], "but of outbox, reconcile"),
            (["show", "--folow=x"], "--follow is an option of inspect"),
            (["inspect", "--folow"], "did you mean --follow?"),
            (["show", "--stage=cromium"], "did you mean chromium?"),
            (
                ["show", "--unit", "--json"],
                "--unit needs a value, and --json is an option; write --unit ID, or --unit=--json"
            ),
            (["show", "--unit", "--stage=none"], "--stage is an option"),
            (["inspect", "a.xml", "--map="], "--map needs a value: --map FILE"),
            (
                ["show", "--unit", "a", "--unit=b"],
                "--unit was given twice, with \u{201C}a\u{201D} and \u{201C}b\u{201D}"
            ),
            (["version"], "did you mean --version?"),
            (["tag.xml"], "did you mean yabbi-play show tag.xml?"),
            (["load", "--dry-run", "a.html"], "\u{201C}a.html\u{201D} needs none; leave one of them out"),
            (["show", "--unit", "u", "--repeat", "2", "--dry-run"], "leave out --repeat"),
            (["demo", "x"], "takes no"),
            (["inspect"], "say what to inspect"),
            (["inspect", "a.xml", "--unit", "x"], "of show, load"),
            (["sandbox", "--port", "70000"], "from 0 to 65535"),
            (["reconcile"], "--ledger FILE"),
            (["reconcile", "--ledger", "b.db"], "--hits FILE"),
            (["reconcile", "--ledger", "b.db", "--hits", "h.json", "--late", "-1"], "seconds"),
            (["reconcile", "b.db"], "takes no \u{201C}b.db\u{201D}"),
            (["demo", "--late", "1"], "of reconcile"),
            (["demo", "--endpoint", "http://a.example/"], "--endpoint is no option of demo, but of show, load"),
            (
                ["show", "--endpoint", "http://a.example/", "--unit", "u", "--creatives", "x"],
                "--creatives is for the built-in server"
            ),
        ]
    )
    func refusals(words: [String], hint: String) {
        #expect {
            try Invocation(parsing: words)
        } throws: { error in
            (error as? UsageError)?.message.contains(hint) ?? false
        }
    }

    @Test("every option is in the help of each of its commands, and every command in the overview")
    func help() throws {
        let overview = try Help.text(nil)
        for command in Commands.all {
            #expect(overview.contains("yabbi-play \(command.name)"))
            let text = try Help.text(command.name)
            for option in command.options { #expect(text.contains(option.name)) }
            #expect(text.contains("-h, --help"))
            #expect(text.contains("--version"))
        }
        #expect(overview.contains("-h, --help") && overview.contains("--version"))
        #expect(throws: UsageError.self) { try Help.text("everything") }
        #expect(try Help.text("providers").contains("openrtb"))
    }

    @Test("the help promises what is there: defaults, exit codes that are used, and where units are listed")
    func helpIsTrue() throws {
        let app = try AppOptions(Arguments([], for: ShowCommand.self))
        let show = try Help.text("show")
        let lines = show.split(separator: "\n")
        // A long placeholder has a line of its own.
        func line(_ option: String) -> String? {
            lines.firstIndex { $0.contains("  \(option) ") }.map { lines[$0...].prefix(2).joined(separator: " ") }
        }
        for (option, value) in [
            ("--provider", "yabbi"), ("--publisher", app.publisher), ("--app-bundle", app.bundle),
            ("--app-name", app.appName), ("--stage", "terminal"),
            ("--clock", "real"), ("--timeout", "10"),
        ] {
            #expect(line(option)?.split(separator: " ").dropFirst(2).joined(separator: " ").contains(value) ?? false)
        }
        for code in [ExitCode.done, .usage, .noFill, .loadFailed, .showFailed, .beacons] {
            #expect(show.contains("\(code.rawValue) "))
        }
        #expect(!show.contains("6 invalid"))
        #expect(!(try Help.text("load")).contains("the same without"))
        #expect(try Help.text("providers").contains("GET / of the address"))
    }

    @Test("a command behind its options is told its place")
    func misplaced() {
        for (words, right) in [
            (["--json", "show"], "yabbi-play show --json"),
            (["--unit", "a b", "load", "x.html"], "yabbi-play load --unit \"a b\" x.html"),
        ] {
            #expect(throws: UsageError("the command comes first: \(right)")) { try Invocation(parsing: words) }
        }
        #expect(throws: UsageError("one topic at a time: \u{201C}show\u{201D} or \u{201C}load\u{201D}")) {
            try Invocation(parsing: ["help", "show", "load"])
        }
    }

    @Test("what adds up may be said again, and so may the same thing; a hyphen alone makes no option of a value")
    func again() throws {
        let show = try self.command(
            ShowCommand.self,
            [
                "show", "a.html", "--json", "--json", "--unit", "a", "--unit=a", "--stage=chromium",
                "--neighbour", "http://127.0.0.1:1", "--neighbour", "http://127.0.0.1:2", "--publisher", "-7",
            ]
        )
        #expect(show.stage.browser?.allowedHosts.count == 2)
        #expect(show.session.options.app.publisher == "-7")
        #expect(try self.asksForHelp(["show", "--unit", "--help"], about: "show"))
        let named = try self.command(ShowCommand.self, ["show", "a.html", "--app-name=--json"])
        #expect(named.session.options.app.appName == "--json")
    }

    @Test("--help and --version count wherever they stand, whatever else is missing")
    func helpAnywhere() throws {
        #expect(try self.asksForHelp(["show", "--endpoint", "http://a.example/", "--help"], about: "show"))
        #expect(try self.asksForHelp(["--json", "-h"], about: nil))
        #expect(try self.asksForHelp(["outbox", "help"], about: "outbox"))
        guard case .version = try Invocation(parsing: ["--version"]) else {
            Testing.Issue.record("no version")
            return
        }
    }

    @Test("scripts keep the order of steps at the same time")
    func scripts() throws {
        let script = try Script(parsing: "cover@1s,uncover@1s,scroll 40@500ms,close@0.1m")
        #expect(script.steps.map(\.act) == [.scroll(40), .cover, .uncover, .close])
        #expect(script.steps.last?.at == .seconds(6))
    }
}
