import AdCore
import BrowserSupport
import PlayConsole
import PlayQueue
import PlaySupport
import PostgresClient
import PostgresSupport
import TestSupport
import Testing

@testable import YabbiPlay

@Suite(
    "The commands of a queue",
    .disabled(if: PostgresServer.missing != nil, "\(PostgresServer.missing ?? "")")
)
struct QueueCommandTests {
    private static func run(_ words: [String]) async -> (code: ExitCode, console: BufferConsole) {
        let console = BufferConsole()
        let code = await YabbiPlay.run(words, console)
        return (code, console)
    }

    private static func run(_ url: String, _ words: String...) async -> (code: ExitCode, console: BufferConsole) {
        await self.run(["scan", "--queue", url] + words)
    }

    /// A list with a creative that can't be read, and one that can.
    private static func list(in folder: TemporaryFolder) throws -> String {
        let lines = [
            #"{"id": "gone", "file": "\#(folder.path)/gone.html"}"#,
            #"{"id": "\u001b[2Jcolors", "markup": "<p>An offer</p>"}"#,
        ]
        return try #require(folder.write(lines.joined(separator: "\n"), "list.jsonl"))
    }

    @Test(
        "wrong words are refused with the fix",
        arguments: [
            (["scan", "work"], "scan work requires --queue postgres://host/database"),
            (
                ["scan", "--queue", "db.example", "status"],
                "invalid value “db.example” for --queue; expected the URL of a database, as in postgres://user@host/database"
            ),
            (
                ["scan", "--queue", "postgres://h/d"],
                "missing argument <submit|work|status|results|retry> for --queue"
            ),
            (["scan", "--queue", "postgres://h/d", "status", "more"], "unexpected argument “more” for scan status"),
            (["scan", "--queue", "postgres://h/d", "work", "a.html"], "unexpected argument “a.html” for scan work"),
            (
                ["scan", "--queue", "postgres://h/d", "submit"],
                "missing argument <source>; name files, folders, URLs, lists or - (standard input) to scan"
            ),
            (
                ["scan", "--queue", "postgres://h/d", "work", "--lease", "1"],
                "invalid value “1” for --lease; expected an integer from 2 to 3600"
            ),
            (
                ["scan", "--queue", "postgres://h/d", "work", "--metrics", "8.8.8.8:80"],
                "invalid value “8.8.8.8:80” for --metrics; expected a port, as in 9464, or 0.0.0.0:9464"
            ),
            (
                ["scan", "--queue", "postgres://h/d", "retry", "a", "--failures"],
                "--failures has no effect on named creatives; remove it, or the names"
            ),
            (
                ["scan", "--queue", "postgres://h/d", "status", "--jobs", "2"],
                "--jobs is for scan or scan work; remove it for scan status"
            ),
        ]
    )
    func refused(_ words: [String], _ message: String) async {
        let (code, console) = await Self.run(words)
        #expect(code == .usage && console.err.joined().contains(message), "\(console.err)")
    }

    @Test("creatives go through a queue to verdicts, a page and files", .needsBrowser)
    func life() async throws {
        let server = try #require(PostgresServer.shared)
        let (url, folder) = (server.url(try server.newDatabase()), try #require(TemporaryFolder()))
        defer { folder.remove() }
        let list = try Self.list(in: folder)
        let submission = ["submit", list, "--label", "first", "--watch", "0.2", "--no-tap"]
        let (submitted, text) = await Self.run(["scan", "--queue", url] + submission)
        #expect(submitted == .done && text.out.first == "2 creatives submitted: 2 new", "\(text.out) \(text.err)")
        let (_, again) = await Self.run(["scan", "--queue", url] + submission)
        #expect(again.out.first == "2 creatives submitted: 0 new, 2 are in the queue already")

        let (early, none) = await Self.run(url, "results")
        #expect(early == .showFailed && none.err.joined().contains("2 creatives without a verdict; wait for them"))
        let (worked, work) = await Self.run(url, "work", "--until-empty", "--jobs", "1")
        #expect(worked == .done && work.out.last?.hasPrefix("2 creatives judged:") == true, "\(work.out) \(work.err)")
        let (_, status) = await Self.run(url, "status", "--label", "first")
        #expect(status.out.contains("         2  judged: 0 pass, 1 warn, 1 fail"), "\(status.out)")

        let (page, csv) = (folder.path + "/page", folder.path + "/all.csv")
        let (code, results) = await Self.run(url, "results", "--report", page, "--output", csv, "--verbose")
        let output = results.out.joined(separator: "\n")
        #expect(code == .invalidCreative && output.contains("gone.html can't be read: No such file"), "\(output)")
        #expect(output.contains("colors") && !output.contains("\u{1B}[2J"), "a name can't control the terminal")
        #expect(!folder.bytes("page/index.html").isEmpty)
        #expect(String(decoding: folder.bytes("all.csv"), as: UTF8.self).contains("colors"))

        let (_, retried) = await Self.run(url, "retry", "*colors")
        #expect(retried.out == ["1 creative will be scanned again"])
        let (_, unknown) = await Self.run(url, "retry", "nothing*")
        #expect(unknown.out == ["no creative with a verdict has such a name"])
    }

    @Test("verdicts by two policies are not mixed, and the second policy judges what was measured", .needsBrowser)
    func policies() async throws {
        let server = try #require(PostgresServer.shared)
        let (url, folder) = (server.url(try server.newDatabase()), try #require(TemporaryFolder()))
        defer { folder.remove() }
        let path = try #require(folder.write("<p>An offer</p>", "ad.html"))
        for policy in ["gam", "strict"] {
            _ = await Self.run(url, "submit", path, "--policy", policy, "--watch", "0.2", "--no-tap")
        }
        let (_, work) = await Self.run(url, "work", "--until-empty", "--jobs", "1", "--json")
        let verdicts = work.json.filter { $0["event"] == "verdict" }
        #expect(verdicts.count == 2 && verdicts.first?["measures"] == verdicts.last?["measures"])
        let (refused, message) = await Self.run(url, "results")
        #expect(refused == .usage && message.err.joined().contains("choose one with --policy: "), "\(message.err)")
        let (_, strict) = await Self.run(url, "results", "--policy", "strict", "--json")
        #expect(strict.json.filter { $0["event"] == "verdict" }.count == 1)
        let (other, unknown) = await Self.run(url, "results", "--policy", "mraid")
        #expect(other == .usage && unknown.err.joined().contains("there are no verdicts by the policy mraid"))
    }

    @Test("rows that no submit has stored read no file, and end no worker", .needsBrowser)
    func hostile() async throws {
        let server = try #require(PostgresServer.shared)
        let (database, folder) = (try server.newDatabase(), try #require(TemporaryFolder()))
        defer { folder.remove() }
        let url = server.url(database)
        let secret = try #require(folder.write("<p>secret</p>", "secret.html"))
        let queue = try CreativeQueue(PostgresAddress(url), createsTables: true)
        let (_, good) = await Self.run(url, "submit", secret, "--label", "good", "--no-tap", "--watch", "0.2")
        #expect(good.out.first?.contains("1 new") == true, "\(good.err)")
        let policies = try await queue.policies(nil)
        let strict = try #require(policies.first)
        let damaged = try await queue.add(QueuedPolicy("damaged", version: "1", files: "{}"))
        let creatives: [(String, SubmittedCreative.Kind, String, String, Int64)] = [
            ("path", .url, secret, "[]", strict.number), ("input", .url, "-", "[]", strict.number),
            ("network", .url, "http://127.0.0.1:\(server.port)/", "[]", strict.number),
            ("options", .markup, "<p>", #"["--ledger=/tmp/x"]"#, strict.number),
            ("policy", .markup, "<p>", "[]", damaged),
        ]
        for (name, kind, text, settings, policy) in creatives {
            let creative = SubmittedCreative(name, from: "list", kind, Array(text.utf8), settings: settings)
            let submission = Submission("label", by: policy, priority: 0, keptDays: 1, keptPictureDays: 0)
            _ = try await queue.submit([creative], submission)
        }
        let (worked, work) = await Self.run(url, "work", "--until-empty", "--jobs", "2")
        #expect(worked == .done, "\(work.err)")
        let (_, results) = await Self.run(url, "results", "--policy", strict.policy.name, "--label", "label", "--json")
        let verdicts = results.json.filter { $0["event"] == "verdict" }
        let texts = Dictionary(
            uniqueKeysWithValues: verdicts.map { ($0["id"]?.string ?? "", $0["reasons"]?.text() ?? "") }
        )
        for name in ["path", "input"] {
            #expect(texts[name]?.contains("the URL is not one of http or https") == true, "\(texts)")
        }
        #expect(texts["network"]?.contains("private address") == true, "\(texts)")
        #expect(texts["options"]?.contains("can't be set by a queue") == true, "\(texts)")
        let aside = try await queue.setAside(nil, after: 0)
        #expect(aside.map(\.name) == ["options", "policy"], "\(aside)")
    }

    @Test("each role can do its part, and what it can't do it is told with the fix")
    func roles() async throws {
        let server = try #require(PostgresServer.shared)
        let (database, folder) = (try server.newDatabase(), try #require(TemporaryFolder()))
        defer { folder.remove() }
        let roles = ["submitter", "worker", "reader"].map { "\(database)_\($0)" }
        try server.connection(database).runScript(roles.map { "CREATE ROLE \($0) LOGIN;" }.joined())
        let words = ["prepare", server.url(database), "--scan-queue"]
        let options = zip(["--submitter", "--worker", "--reader"], roles).flatMap { [$0, $1] }
        let (prepared, console) = await Self.run(words + options)
        #expect(prepared == .done && console.out.contains("\(roles[1]) scans"), "\(console.err)")

        let path = try #require(folder.write("{}", "ad.html"))
        func run(_ role: Int, _ words: String...) async -> (code: ExitCode, console: BufferConsole) {
            await Self.run(["scan", "--queue", server.url(database, user: roles[role])] + words)
        }
        let (submitted, submission) = await run(0, "submit", path)
        #expect(submitted == .done, "\(submission.err)")
        for (role, words) in [
            (0, ["work"]), (1, ["submit", path]), (2, ["submit", path]), (2, ["retry", "*"]), (2, ["work"]),
        ] {
            let (code, refused) = await Self.run(
                ["scan", "--queue", server.url(database, user: roles[role])] + words
            )
            let text = refused.err.joined()
            #expect(
                code == .usage && text.contains("grant them with yabbi-play prepare --scan-queue"),
                "\(words): \(text)"
            )
        }
        for role in roles.indices {
            let (code, status) = await run(role, "status")
            #expect(code == .done, "\(status.err)")
        }
        let (retried, retry) = await run(0, "retry", "*")
        #expect(retried == .done, "\(retry.err)")
    }

    @Test("a command that starts while the database is away says so, and goes on when it is back")
    func away() async throws {
        let server = try #require(PostgresServer.shared)
        let database = try server.newDatabase()
        _ = await Self.run(["prepare", server.url(database), "--scan-queue"])
        let proxy = try #require(CuttingProxy(to: server.port))
        defer { proxy.stop() }
        proxy.set(.closed)
        let (url, console) = ("postgres://owner@127.0.0.1:\(proxy.port)/\(database)", BufferConsole())
        async let status = YabbiPlay.run(["scan", "--queue", url, "status"], console)
        let deadline = ContinuousClock.now + .seconds(30)
        while console.err.isEmpty, .now < deadline { try await Task.sleep(for: .milliseconds(20)) }
        proxy.set(.open)
        let code = await status
        #expect(code == .done && console.err.count == 2, "\(console.err)")
        #expect(console.err.first?.hasSuffix("; it is tried again for a minute") == true, "\(console.err)")
        #expect(console.err.last == "yabbi-play: the database responds again")
    }

    @Test("a database that is missing, not prepared, read-only, or another program's is refused with the fix")
    func databases() async throws {
        let server = try #require(PostgresServer.shared)
        let (_, missing) = await Self.run(server.url("nothing"), "status")
        #expect(missing.err.joined().contains("has no such database"), "\(missing.err)")
        let empty = try server.newDatabase()
        let (_, unprepared) = await Self.run(server.url(empty), "status")
        #expect(unprepared.err.joined().contains("prepare --scan-queue"), "\(unprepared.err)")
        let foreign = try server.newDatabase()
        try server.connection(foreign).runScript("CREATE SCHEMA yabbi_scan; CREATE TABLE yabbi_scan.creative (id int);")
        let (_, other) = await Self.run(server.url(foreign), "work")
        #expect(other.err.joined().contains("yabbi_scan"), "\(other.err)")
        let old = try server.newDatabase()
        try server.connection(old).runScript("ALTER DATABASE \(old) SET default_transaction_read_only = on")
        let (_, readOnly) = await Self.run(server.url(old), "work")
        #expect(readOnly.err.joined().contains("is read-only"), "\(readOnly.err)")
        let newer = try server.newDatabase()
        _ = await Self.run(["prepare", server.url(newer), "--scan-queue"])
        try server.connection(newer).runScript("UPDATE yabbi_scan.layout SET version = 99")
        let (_, tooNew) = await Self.run(server.url(newer), "status")
        #expect(tooNew.err.joined().contains("newer"), "\(tooNew.err)")
    }
}
