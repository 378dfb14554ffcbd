import PlayConsole
import PlaySupport
import TestSupport
import Testing

@testable import YabbiPlay

@Suite("Combinations of options")
struct CombinationTests {
    /// A command line, and the message that refuses it.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let words: [String]
        let message: String

        init(_ line: String, _ message: String) {
            self.words = line.split(separator: " ").map(String.init)
            self.message = message
        }

        var testDescription: String { self.words.joined(separator: " ") }
    }

    private static let cards = "is for --provider yabbi and openrtb; remove it, or --provider"
    private static let dry = "--dry-run sends nothing; remove"
    private static let browser = "requires a browser; add --stage chromium"

    private static let providers = [
        Refusal("show --provider attentionmarket --publisher p", "--publisher \(cards) attentionmarket"),
        Refusal("show --provider ceedads --ifa i", "--ifa \(cards) ceedads"),
        Refusal("load --provider activeads --geo 1,2,3", "--geo \(cards) activeads"),
        Refusal("load --provider activeads --app-name n", "--app-name \(cards) activeads"),
        Refusal("load --provider activeads --app-bundle b", "--app-bundle \(cards) activeads"),
        Refusal("show --provider activeads --creatives c", "--creatives \(cards) activeads"),
        Refusal("show --provider smartico --publisher p", "--publisher \(cards) smartico"),
        Refusal("show --provider smartico --creatives c", "--creatives \(cards) smartico"),
        Refusal("show --provider smartico --resend", "--resend is not for --provider smartico; remove it"),
        Refusal(
            "show --provider smartico --app-bundle b --set domain=d",
            "--app-bundle can't be combined with --set domain=…; remove one of them"
        ),
        Refusal("watch --app-bundle b --set domain=d", "--app-bundle can't be combined with --set domain=…"),
        Refusal("watch --set message_id=1", "--set message_id=… requires --set report=…"),
        Refusal("watch --set action=dp:x", "--set action=… requires --set report=…"),
        Refusal("load --provider activeads --size 300x250", "--size is for placements, or for show; remove it"),
        Refusal("load --provider smartico --size 300x250", "--size is for placements, or for show; remove it"),
        Refusal("show --unit u --set a=b", "--set is not for --provider yabbi"),
    ]

    private static let dryRuns = [
        Refusal("load --unit u --dry-run --trace t.jsonl", "\(dry) --trace"),
        Refusal("load --unit u --dry-run --report out", "\(dry) --report"),
        Refusal("load --unit u --dry-run --ledger l.db", "\(dry) --ledger"),
        Refusal("load --unit u --dry-run --timeout 1", "\(dry) --timeout"),
        Refusal("load --unit u --dry-run --resend", "\(dry) --resend"),
        Refusal("load --unit u --dry-run --repeat 1", "\(dry) --repeat"),
        Refusal("show --unit u --dry-run --stage chromium", "\(dry) --stage"),
        Refusal("show --unit u --dry-run --screenshot a.png", "\(dry) --screenshot"),
        Refusal("show --unit u --dry-run --do click@1s", "\(dry) --do"),
        Refusal("show --unit u --dry-run --open", "\(dry) --open"),
        Refusal("show --unit u --dry-run --speed 2", "\(dry) --speed"),
        Refusal("show --unit u --dry-run --headful", "\(dry) --headful"),
        Refusal("show --provider smartico --dry-run --set push=popup", "\(dry) --set push=…"),
        Refusal(
            "show --provider smartico --dry-run --set token=t --set platform=6 --set register=get",
            "\(dry) --set register=…"
        ),
    ]

    private static let stages = [
        Refusal("show a.html --report out --stage terminal --allow-host http://127.0.0.1:9", "--allow-host \(browser)"),
        Refusal("show a.html --report out --clock virtual --allow-host http://127.0.0.1:9", "--allow-host \(browser)"),
        Refusal("show a.html --stage terminal --screenshot a.png", "--screenshot \(browser)"),
        Refusal("show a.html --report out --scale 2", "--scale \(browser)"),
        Refusal("show a.html --no-sandbox", "--no-sandbox \(browser)"),
        Refusal("show a.html --allow-blank --stage none", "--allow-blank \(browser)"),
        Refusal("show a.html --clock virtual --headful", "a browser needs real time"),
        Refusal("show a.html --clock virtual --speed 2", "--speed is for real time"),
        Refusal("show a.html --clock virtual --open", "--open needs real time"),
        Refusal("show a.html --ledger l.db --speed 2", "--ledger needs real time at its normal speed; remove --speed"),
        Refusal("show a.html --stage chromium,terminal", "combines terminal with a browser; name it alone"),
        Refusal("show a.html --stage webkit,webkit", "--stage names webkit twice"),
        Refusal("show a.html --stage chromium,", "for --stage; expected terminal, chromium, webkit or none"),
        Refusal("show a.html --stage chromium,webkit --clock virtual", "a browser needs real time"),
        Refusal("show a.html --stage chromium,webkit --repeat 2", "--repeat can't be combined with two stages"),
        Refusal("show a.html --stage chromium,webkit --trace t.jsonl", "--trace records one run; name one stage"),
        Refusal(
            "show a.html --stage chromium,webkit --screenshot a.png",
            "--screenshot can't be combined with two stages; use --report"
        ),
        Refusal("auction --stage chromium,webkit", "for --stage; expected terminal, chromium, webkit or none"),
        Refusal("show a.html --trace-secrets", "--trace-secrets requires --trace <file>"),
        Refusal("show a.html --screenshot a.png --repeat 2", "--screenshot can't be combined with --repeat"),
        Refusal("load a.html --report out --repeat 2", "--report can't be combined with --repeat"),
        Refusal(
            "load --unit u --endpoint https://a.example/ --ledger l.db --clock virtual",
            "--ledger with a real server needs real time"
        ),
        Refusal(
            "load --provider activeads --endpoint https://a.example/ --ledger l.db --clock virtual",
            "--ledger with a real server needs real time"
        ),
        Refusal("demo --stage chromium --clock virtual", "a browser needs real time"),
        Refusal("demo --clock virtual --speed 2", "--speed is for real time"),
    ]

    private static let tools = [
        Refusal(
            "outbox list --ledger l.db --timeout 2",
            "--timeout is for outbox flush; remove it, or use outbox flush"
        ),
        Refusal(
            "outbox prune --ledger l.db --timeout 2",
            "--timeout is for outbox flush; remove it, or use outbox flush"
        ),
        Refusal("outbox flush --ledger l.db --older-than 2", "--older-than is for outbox prune"),
        Refusal("outbox prune --ledger l.db --state dead", "--state is for outbox list"),
        Refusal(
            "outbox list --ledger postgres://ads:secret@db.example/billing",
            "the URL of --ledger has a password, which others can see in the list of processes"
        ),
        Refusal(
            "outbox list --ledger postgres://db.example/billing?sslpassword=secret",
            "the URL of --ledger has the option sslpassword, which others can see in the list of processes"
        ),
        Refusal("outbox list --ledger postgres://[", "the value of --ledger is not a valid URL of a database"),
        Refusal(
            "reconcile --ledger l.db --hits h.json --log a.log",
            "--log can't be combined with --hits; compare one after the other"
        ),
        Refusal(
            "reconcile --ledger l.db --hits h.json --log-format x",
            "--log-format is the format of --log, but --hits was given; remove it"
        ),
        Refusal("reconcile --ledger l.db", "missing --hits <file|url> or --log <file>; name what the server received"),
        Refusal("prepare", "missing argument <database>"),
        Refusal("prepare billing", "is no URL of a database; write it as in postgres://host/database"),
        Refusal("prepare postgres://db.example/billing --writer=", "the value of --writer is empty; expected a role"),
        Refusal("inspect a.xml --timeout 2", "--timeout is for URLs, but no <input> is one; remove it"),
        Refusal("inspect a.xml --map m.json --timeout 2", "--timeout is for URLs, but no <input> is one; remove it"),
        Refusal("lint a.xml - --timeout 2", "--timeout is for URLs, but no <input> is one; remove it"),
        Refusal("lint --rules --strict", "--strict can't be combined with --rules"),
        Refusal("lint --rules --ignore duration-missing", "--ignore can't be combined with --rules"),
        Refusal("lint --rules --timeout 2", "--timeout can't be combined with --rules"),
        Refusal("lint --rules --json --markdown", "--json can't be combined with --markdown; remove one of them"),
        Refusal("lint --json --sarif a.xml", "--json can't be combined with --sarif"),
        Refusal(
            "reconcile --ledger l.db --hits hits.json --timeout 2",
            "--timeout is for fetching the hits, but --hits is no URL; remove it"
        ),
    ]

    @Test(
        "an option without effect is refused when the command line is parsed",
        arguments: providers + dryRuns + stages + tools
    )
    func refusals(refusal: Refusal) {
        #expect {
            try Invocation(parsing: refusal.words)
        } throws: { error in
            (error as? UsageError)?.message.contains(refusal.message) ?? false
        }
    }

    @Test(
        "a similar option with an effect is accepted",
        arguments: [
            "show --provider smartico --app-bundle b", "show --provider activeads --size 300x250",
            "load --unit u --size 300x250", "load --unit u --dry-run --clock virtual --seed 1",
            "show a.html --report out --allow-host http://127.0.0.1:9", "inspect a.xml --follow --timeout 2",
            "inspect a.xml https://a.example/tag --timeout 2", "lint http://a.example/tag --timeout 2",
            "lint --rules --markdown", "reconcile --ledger l.db --hits http://127.0.0.1:8080 --timeout 2",
            "load --provider activeads --endpoint http://127.0.0.1:9/ --ledger l.db --clock virtual",
            "watch --set report=action --set engagement_uid=e --set message_id=1 --set action=dp:x",
        ]
    )
    func accepted(line: String) throws {
        _ = try Invocation(parsing: line.split(separator: " ").map(String.init))
    }

    @Test("each word of outbox is a command of its own")
    func outbox() throws {
        for (word, type) in [("list", OutboxList.self), ("flush", OutboxFlush.self), ("prune", OutboxPrune.self)]
            as [(String, any Command.Type)]
        {
            for words in [["outbox", word, "--ledger", "l.db"], ["outbox", "--ledger", "l.db", word]] {
                guard case .command(let command) = try Invocation(parsing: words) else {
                    Testing.Issue.record("no command")
                    return
                }
                #expect(Swift.type(of: command) == type)
            }
        }
        #expect(OutboxCommand.usage == "outbox <list|flush|prune>")
    }

    @Test("--speed makes a demo without a browser run in real time")
    func speedOfDemo() throws {
        for words in [["--report", "out", "--speed", "2"], ["--speed", "2"], ["--stage", "none", "--speed", "2"]] {
            #expect(try DemoCommand(parsing: words).showing(hasBrowser: false).time == .real(speed: 2))
        }
    }

    @Test("the app of a demo is that of every provider")
    func appOfDemo() async throws {
        let demo = try DemoCommand(parsing: ["--app-bundle", "b", "--publisher", "p"])
        #expect(demo.app.bundle == "b" && demo.app.publisher == "p")
        guard
            case .engagement(let options) = try ShowCommand(parsing: [
                "--provider", "smartico", "--app-bundle", "b",
            ]).run.query
        else {
            Testing.Issue.record("no engagement")
            return
        }
        #expect(options.domain == "b")
    }

    @Test(
        "an option of requests is refused for a source that is already a response",
        arguments: [
            (
                "<VAST version=\"4.3\"></VAST>", "--provider=openrtb",
                "is a tag without an ad response; remove --provider"
            ),
            ("<VAST version=\"4.3\"></VAST>", "--provider=yabbi", "is a tag without an ad response; remove --provider"),
            ("<VAST version=\"4.3\"></VAST>", "--publisher=p", "--publisher is for ad requests, but"),
            ("<VAST version=\"4.3\"></VAST>", "--app-name=n", "needs none; remove --app-name"),
            ("<VAST version=\"4.3\"></VAST>", "--creatives=Creatives", "--creatives is for ad requests"),
            (#"{"seatbid": []}"#, "--provider=yabbi", "is a response of openrtb; remove --provider"),
            (#"{"adm": "<p>a</p>", "type": 1}"#, "--provider=openrtb", "is a response of yabbi; remove --provider"),
        ]
    )
    func sources(text: String, option: String, message: String) async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let path = try #require(folder.write(text, "source.txt"))
        let (code, console) = await play("show", path, option)
        #expect(code == .usage)
        #expect(console.err.count == 1 && console.err[0].contains(message), "\(console.err)")
    }
}
