import AdCore
import Testing

@testable import YabbiPlay

@Suite("The command line")
struct ArgumentTests {
    @Test("nothing at all is the demo, and so are options alone")
    func demo() throws {
        #expect(try Settings(parsing: []).command == .demo)
        #expect(try Settings(parsing: ["--json"]).isJSON)
    }

    @Test("values come behind the name or behind an equals sign")
    func values() throws {
        let settings = try Settings(parsing: [
            "show", "--unit", "banner", "--size=320x480", "--do", "close@6s, click@1.5s", "--geo", "42.7,23.3,100",
            "--timeout=2.5s", "--seed", "7", "--clock", "virtual", "--repeat=3", "--format", "interstitial",
        ])
        #expect(settings.unit == "banner")
        #expect(settings.container == Size(width: 320, height: 480))
        #expect(settings.script.steps.map(\.act) == [.click, .close])
        #expect(settings.script.steps.map(\.at) == [.milliseconds(1500), .seconds(6)])
        #expect(settings.location?.precision == 100)
        #expect(settings.timeout == .milliseconds(2500))
        #expect(settings.clock == .virtual)
        #expect(settings.repeats == 3)
        #expect(settings.format == .interstitial)
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
            try Settings(parsing: words)
        } throws: { error in
            (error as? UsageError)?.message.contains(hint) ?? false
        }
    }

    @Test("every option is in the help of each of its commands, and every command in the overview")
    func help() throws {
        let overview = try Help.text(nil)
        for command in Settings.Command.allCases {
            #expect(overview.contains("yabbi-play \(command.rawValue)"))
            let text = try Help.text(command.rawValue)
            for option in Option.all where option.commands.contains(command) { #expect(text.contains(option.name)) }
            #expect(text.contains("-h, --help"))
            #expect(text.contains("--version"))
        }
        #expect(overview.contains("-h, --help") && overview.contains("--version"))
        #expect(throws: UsageError.self) { try Help.text("everything") }
        #expect(try Help.text("providers").contains("openrtb"))
    }

    @Test("the help promises what is there: defaults, exit codes that are used, and where units are listed")
    func helpIsTrue() throws {
        let settings = Settings()
        let show = try Help.text("show")
        let lines = show.split(separator: "\n")
        // A long placeholder has a line of its own.
        func line(_ option: String) -> String? {
            lines.firstIndex { $0.contains("  \(option) ") }.map { lines[$0...].prefix(2).joined(separator: " ") }
        }
        for (option, value) in [
            ("--provider", settings.provider.rawValue), ("--publisher", settings.publisher),
            ("--app-bundle", settings.bundle), ("--app-name", settings.appName), ("--stage", settings.stage.rawValue),
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
            #expect(throws: UsageError("the command comes first: \(right)")) { try Settings(parsing: words) }
        }
        #expect(throws: UsageError("one topic at a time: \u{201C}show\u{201D} or \u{201C}load\u{201D}")) {
            try Settings(parsing: ["help", "show", "load"])
        }
    }

    @Test("what adds up may be said again, and so may the same thing; a hyphen alone makes no option of a value")
    func again() throws {
        let settings = try Settings(parsing: [
            "show", "a.html", "--json", "--json", "--unit", "a", "--unit=a", "--stage=chromium",
            "--neighbour", "http://127.0.0.1:1", "--neighbour", "http://127.0.0.1:2", "--publisher", "-7",
        ])
        #expect(settings.neighbours.count == 2)
        #expect(settings.publisher == "-7")
        #expect(try Settings(parsing: ["show", "--unit", "--help"]).isHelp)
        #expect(try Settings(parsing: ["show", "a.html", "--app-name=--json"]).appName == "--json")
    }

    @Test("--help and --version count wherever they stand, whatever else is missing")
    func helpAnywhere() throws {
        #expect(try Settings(parsing: ["show", "--endpoint", "http://a.example/", "--help"]).isHelp)
        #expect(try Settings(parsing: ["--version"]).isVersion)
    }

    @Test("scripts keep the order of steps at the same time")
    func scripts() throws {
        let script = try Script(parsing: "cover@1s,uncover@1s,scroll 40@500ms,close@0.1m")
        #expect(script.steps.map(\.act) == [.scroll(40), .cover, .uncover, .close])
        #expect(script.steps.last?.at == .seconds(6))
    }
}
