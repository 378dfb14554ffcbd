import AdCore
import Testing

@testable import PlayConsole
@testable import PlayStages
@testable import YabbiPlay

@Suite("The command line")
struct ArgumentTests {
    /// The command that the words request.
    private func command<Kind: Command>(_ kind: Kind.Type, _ words: [String]) throws -> Kind {
        guard case .command(let command as Kind) = try Invocation(parsing: words) else {
            throw UsageError("\(words) request another command")
        }
        return command
    }

    /// Whether the words request help on a topic.
    private func requestsHelp(_ words: [String], about topic: String?) throws -> Bool {
        try self.command(HelpCommand.self, words).topic == topic
    }

    @Test("without a command, demo runs with the given options")
    func demo() throws {
        #expect(try !self.command(DemoCommand.self, []).options.isJSON)
        #expect(try self.command(DemoCommand.self, ["--json"]).options.isJSON)
    }

    @Test("values follow the option's name or an equals sign")
    func values() throws {
        let show = try self.command(
            ShowCommand.self,
            [
                "show", "--unit", "banner", "--size=320x480", "--do", "close@6s, click@1.5s", "--geo",
                "42.7,23.3,100", "--timeout=2.5s", "--seed", "7", "--clock", "virtual", "--repeat=3", "--format",
                "interstitial",
            ]
        )
        guard case .placement(let query) = show.run.query else {
            Testing.Issue.record("no placement")
            return
        }
        let options = show.run.options
        #expect(query.unit == "banner")
        #expect(options.container == Size(width: 320, height: 480))
        #expect(show.script.steps.map(\.action) == [.click, .close])
        #expect(show.script.steps.map(\.at) == [.milliseconds(1500), .seconds(6)])
        #expect(query.app.location?.precision == 100)
        #expect(options.timeout == .milliseconds(2500))
        #expect(show.run.showing.time == .virtual)
        #expect(show.run.repeats == 3)
        #expect(query.format == .interstitial)
    }

    @Test(
        "an invalid command line is refused with what to write instead",
        arguments: [
            (["shwo"], "did you mean show?"),
            (["show", "--jsn"], "did you mean --json?"),
            (["show", "--size", "big"], "320x480"),
            (["show", "--size"], "missing value for --size"),
            (["show", "--json=yes"], "takes no value"),
            (["show", "--do", "clik@2s"], "did you mean click?"),
            (["show", "--do", "click"], "click@2s"),
            (["show", "--do", "click@-2s"], "2s, 1.5s"),
            (["show", "--repeat", "0"], "from 1 to"),
            (["show", "--timeout", "nan"], "seconds"),
            (["show", "--timeout", "0.5ms"], "seconds"),
            (["show", "--geo", "91,0,1"], "<lat>,<lon>,<precision>"),
            (["show", "--stage", "moon"], "terminal, chromium, webkit or none"),
            (["show", "--allow-host", "ftp://x"], "for --allow-host; expected an http or https URL"),
            (
                ["show", "--allow-host", "http://127.0.0.1:9"],
                "--allow-host requires a browser; add --stage chromium"
            ),
            (["show", "--endpoint", "ftp://x"], "http or https"),
            (["show", "--endpoint", "http://a.example/"], "--unit"),
            (["show", "a.html", "b.html"], "one source"),
            (["show", "a.html", "--endpoint", "http://a.example/"], "can't be combined with --endpoint"),
            (["demo", "--dry-run"], "of show, load"),
            (["show", "--follow"], "--follow is not an option of show; it is an option of inspect"),
            (["sandbox", "--all"], "option of outbox, reconcile"),
            (["show", "--folow=x"], "--follow is an option of inspect"),
            (["inspect", "--folow"], "did you mean --follow?"),
            (["show", "--stage=cromium"], "did you mean chromium?"),
            (
                ["show", "--unit", "--json"],
                "missing value for --unit <id>: --json is an option; to use it as the value, write --unit=--json"
            ),
            (["show", "--unit", "--stage=none"], "--stage is an option"),
            (["inspect", "a.xml", "--map="], "missing value for --map <file>"),
            (
                ["show", "--unit", "a", "--unit=b"],
                "--unit was given twice, with \u{201C}a\u{201D} and \u{201C}b\u{201D}"
            ),
            (["version"], "did you mean --version?"),
            (["tag.xml"], "did you mean yabbi-play show tag.xml?"),
            (["load", "--dry-run", "a.html"], "remove --dry-run or \u{201C}a.html\u{201D}"),
            (["show", "--unit", "u", "--repeat", "2", "--dry-run"], "remove --repeat"),
            (["demo", "x"], "unexpected argument"),
            (["inspect"], "missing argument <input>"),
            (["inspect", "a.xml", "--unit", "x"], "of show, load"),
            (["sandbox", "--port", "70000"], "from 0 to 65535"),
            (["reconcile"], "--ledger <file>"),
            (["reconcile", "--ledger", "b.db"], "--hits <file|url>"),
            (["reconcile", "--ledger", "b.db", "--hits", "h.json", "--late", "-1"], "seconds"),
            (["reconcile", "b.db"], "unexpected argument \u{201C}b.db\u{201D}"),
            (["demo", "--late", "1"], "of reconcile"),
            (
                ["demo", "--endpoint", "http://a.example/"],
                "--endpoint is not an option of demo; it is an option of show, load"
            ),
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

    @Test("every option is in the help of its commands, and every command in the overview")
    func help() throws {
        let overview = try Help.text(nil)
        for command in Commands.all {
            #expect(overview.contains("\n  \(command.name) "))
            let text = try Help.text(command.name)
            for option in command.options { #expect(text.contains(option.name)) }
            #expect(text.contains("-h, --help"))
            #expect(text.contains("--version"))
        }
        #expect(overview.contains("-h, --help") && overview.contains("--version"))
        #expect(throws: UsageError.self) { try Help.text("everything") }
        #expect(try Help.text("providers").contains("openrtb"))
    }

    @Test("the help lists the actual defaults, exit codes and units")
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

    @Test("for options before the command the error shows the correct order")
    func misplaced() {
        for (words, right) in [
            (["--json", "show"], "yabbi-play show --json"),
            (["--unit", "a b", "load", "x.html"], "yabbi-play load --unit \"a b\" x.html"),
        ] {
            #expect(throws: UsageError("options must follow the command; write \(right)")) {
                try Invocation(parsing: words)
            }
        }
        let message = "only one topic is allowed; remove one of \u{201C}show\u{201D} and \u{201C}load\u{201D}"
        #expect(throws: UsageError(message)) { try Invocation(parsing: ["help", "show", "load"]) }
    }

    @Test("repeatable options add up, equal values may be repeated, and a value may start with a hyphen")
    func again() throws {
        let show = try self.command(
            ShowCommand.self,
            [
                "show", "a.html", "--json", "--json", "--unit", "a", "--unit=a", "--stage=chromium",
                "--allow-host", "http://127.0.0.1:1", "--neighbour", "http://127.0.0.1:2", "--publisher", "-7",
            ]
        )
        #expect(show.run.showing.stage.browser?.allowedHosts.count == 2, "--neighbour is an older name of --allow-host")
        #expect(show.run.query.app.publisher == "-7")
        #expect(try self.requestsHelp(["show", "--unit", "--help"], about: "show"))
        let named = try self.command(ShowCommand.self, ["show", "a.html", "--app-name=--json"])
        #expect(named.run.query.app.appName == "--json")
    }

    @Test("--help and --version are accepted at every place, even if other arguments are invalid")
    func helpAnywhere() throws {
        #expect(try self.requestsHelp(["show", "--endpoint", "http://a.example/", "--help"], about: "show"))
        #expect(try self.requestsHelp(["--json", "-h"], about: nil))
        #expect(try self.requestsHelp(["outbox", "help"], about: "outbox"))
        guard case .version = try Invocation(parsing: ["--version"]) else {
            Testing.Issue.record("no version")
            return
        }
    }
}
