import AdCore
import CurlTransport
import PlaySupport
import SandboxSSP
import TestSupport
import Testing

@testable import PlayConsole
@testable import PlayReconcile
@testable import PlayText
@testable import YabbiPlay

@Suite("Reconcile")
struct ReconcileTests {
    /// Runs the command with the lines of a ledger.
    private func run(
        _ lines: [LedgerLine],
        hits: String,
        _ words: String...
    ) async throws -> (code: ExitCode?, error: String?, console: BufferConsole) {
        let console = BufferConsole()
        let command = try ReconcileCommand(parsing: ["--ledger", "b.db", "--hits", hits] + words)
        do throws(PlayError) {
            let code = try await command.run(on: console) { (_) throws(PlayError) in lines }
            return (code, nil, console)
        } catch {
            #expect(error.code == .usage)
            return (nil, error.message, console)
        }
    }

    private static func hit(_ n: Int, _ key: String?, at time: Int64 = 0, counted: Bool = true) -> String {
        let members: AdJSON = [
            "n": .int(n), "at": .int(time), "method": "GET", "path": "/t/view", "query": "",
            "headers": ["host": "127.0.0.1:8080"], "body": "", "key": .text(key),
            "fault": counted ? nil : "status", "counted": .bool(counted),
        ]
        return members.text()
    }

    private static func list(_ hits: String..., dropped: Int = 0) -> String {
        "{\"hits\":[\(hits.joined(separator: ","))],\"dropped\":\(dropped)}"
    }

    struct Case: Sendable {
        let lines: [LedgerLine]
        let hits: String
        let code: ExitCode
        let verdicts: [String]

        init(_ lines: [LedgerLine], _ hits: String, _ code: ExitCode, _ verdicts: [String]) {
            self.lines = lines
            self.hits = hits
            self.code = code
            self.verdicts = verdicts
        }
    }

    static let cases: [Case] = [
        Case([], list(), .done, []),
        Case([.sample()], list(hit(1, "k")), .done, []),
        Case([.sample()], list(hit(1, "k", counted: false), hit(2, "k")), .done, []),
        Case([.sample()], list(hit(1, "k", at: 60_001)), .done, ["late"]),
        Case([.sample()], list(), .beacons, ["lost"]),
        Case([.sample()], list(hit(1, "k", counted: false)), .beacons, ["lost"]),
        Case([.sample()], list(hit(1, "k"), hit(2, "k")), .beacons, ["doubled"]),
        Case([.sample("k", .unconfirmed(reason: "?"))], list(hit(1, "k")), .beacons, ["unconfirmed"]),
        Case([.sample("k", .dead(reason: "?"))], list(), .beacons, ["dead"]),
        Case([.sample("k", .pending(reason: "?"))], list(), .beacons, ["pending"]),
        Case([], list(hit(1, "k")), .beacons, ["unknown"]), Case([], list(hit(1, nil)), .beacons, ["unknown"]),
    ]

    @Test("ends with 0 if all beacons match, late ones included, and otherwise with 7", arguments: Self.cases)
    func codes(example: Case) async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let file = try #require(folder.write(example.hits, "hits.json"))
        let (code, _, console) = try await self.run(example.lines, hits: file, "--json")
        #expect(code == example.code)
        #expect(console.json.compactMap { $0["verdict"]?.string } == example.verdicts)
        #expect(console.json.last?["event"] == "reconciled")
        for line in console.json {
            guard case .object(let members) = line else {
                Issue.record("\(line)")
                continue
            }
            let row = try #require(EventTable.ofRuns.first { $0.name == line["event"]?.string })
            #expect(members.map(\.name) == ["event"] + row.fields)
        }
        let (sameCode, _, text) = try await self.run(example.lines, hits: file)
        #expect(sameCode == example.code)
        #expect(text.out.last?.hasPrefix(example.code == .done ? "reconciled: " : "NOT reconciled: ") ?? false)
    }

    @Test("--all lists matched beacons, --late sets the age of late ones")
    func options() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let file = try #require(folder.write(Self.list(Self.hit(1, "k", at: 1500)), "hits.json"))
        let all = try await self.run([.sample()], hits: file, "--json", "--all").console
        #expect(all.json.first?["verdict"] == "matched")
        let late = try await self.run([.sample()], hits: file, "--json", "--late", "1").console
        #expect(late.json.first?["verdict"] == "late")
        #expect(late.json.last?["late"] == 1)
    }

    @Test("dropped hits are reported with the verdicts")
    func dropped() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let file = try #require(folder.write(Self.list(dropped: 5), "hits.json"))
        let json = try await self.run([.sample()], hits: file, "--json").console.json
        #expect(json.first?["cause"]?.string?.contains("the 5 hits that the server dropped") ?? false)
        #expect(json.last?["dropped"] == 5)
        let text = try await self.run([.sample()], hits: file).console.out
        #expect(text.contains { $0.hasPrefix("incomplete: ") })
    }

    @Test(
        "a sandbox is requested at its URL, or at the URL of its hits",
        arguments: ["", "/", "/sandbox/hits?path=/t/"]
    )
    func overHTTP(path: String) async throws {
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        try sandbox.setFaults(["/t/": [Sandbox.Fault(.status(503)), Sandbox.Fault(.truncate)]])
        let transport: any Transport = try CurlTransport.forCommand()
        let url = try #require(sandbox.url("/t/view"))
        for _ in 0..<3 { _ = try? await transport.send(AdHTTPRequest(.get, url, headers: ["Idempotency-Key": "k"])) }
        let address =
            sandbox.baseURL.text.hasSuffix("/") ? String(sandbox.baseURL.text.dropLast()) : sandbox.baseURL.text
        let (code, _, console) = try await self.run([.sample()], hits: address + path, "--json")
        #expect(code == .beacons)
        #expect(console.json.first?["verdict"] == "doubled")
        #expect(console.json.first?["hits"] == [1, 2, 3])
        // The hits over HTTP equal those in the process.
        let inside = Reconciliation([.sample()], against: HitList(sandbox), lateAfter: .seconds(60))
        #expect(console.out == inside.jsonDetails(all: false) + [inside.json])
    }

    @Test("unreadable input is reported with a fix, and ends with 2")
    func unreadable() async throws {
        let sandbox = try Sandbox.start()
        let base = "http://127.0.0.1:\(sandbox.port)"
        let (_, missing, _) = try await self.run([], hits: base + "/nowhere")
        #expect(missing == "\(base)/nowhere responded with status 404; check that a sandbox runs there")
        let (_, page, _) = try await self.run([], hits: base + "/sandbox/faults")
        #expect(page?.contains("the member \"hits\" is missing; use the response of GET /sandbox/hits") ?? false)
        sandbox.stop()
        let (_, gone, _) = try await self.run([], hits: base)
        #expect(gone?.hasPrefix("\(base)/sandbox/hits can't be fetched: ") ?? false)
        let (_, file, _) = try await self.run([], hits: "/nowhere/hits.json")
        #expect(file?.hasPrefix("/nowhere/hits.json can't be read: ") ?? false)
        let (_, scheme, _) = try await self.run([], hits: "ftp://127.0.0.1/hits")
        #expect(scheme?.contains("for a file, give its path") ?? false)
        let (code, console) = await play("reconcile", "--ledger", "/nowhere/b.db", "--hits", "/nowhere/hits.json")
        #expect(code == .usage)
        #expect(console.err.count == 1 && console.err.first?.contains("/nowhere/b.db") ?? false)
    }
}
