import AdCore
import LibC
import PlaySupport
import PostgresClient
import PostgresSupport
import SandboxSSP
import TestSupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite(
    "Ledgers in a database",
    .disabled(if: PostgresServer.missing != nil, "\(PostgresServer.missing ?? "")")
)
struct DatabaseLedgerTests {
    private static func run(_ words: [String]) async -> (code: ExitCode, console: BufferConsole) {
        let console = BufferConsole()
        let code = await YabbiPlay.run(words, console)
        return (code, console)
    }

    @Test("beacons of a show are in the database, and are listed, delivered, compared and removed there")
    func life() async throws {
        let server = try #require(PostgresServer.shared)
        let url = server.url(try server.newDatabase())
        let sandbox = try Sandbox.bundled()
        defer { sandbox.stop() }
        let (prepared, text) = await Self.run(["prepare", url, "--writer", "owner"])
        #expect(prepared == .done && text.out == ["the tables are there", "owner records and delivers"])

        try sandbox.setFaults(["/t/": [Sandbox.Fault(.status(503))]])
        let show = [
            "show", "--endpoint", "http://127.0.0.1:\(sandbox.port)/yabbi/load", "--unit", "banner-320x50",
            "--stage", "none", "--json", "--do", "close@1ms", "--timeout", "2", "--ledger", url,
        ]
        let (_, shown) = await Self.run(show)
        #expect(shown.json.contains { $0["event"] == "beaconRecorded" }, "\(shown.err)")
        let (listed, list) = await Self.run(["outbox", "list", "--json", "--ledger", url])
        #expect(listed == .done && !list.json.isEmpty)
        let (flushed, flush) = await Self.run(["outbox", "flush", "--ledger", url])
        #expect(flushed == .done, "\(flush.out)")
        let hits = "http://127.0.0.1:\(sandbox.port)"
        let (reconciled, report) = await Self.run(["reconcile", "--ledger", url, "--hits", hits])
        #expect(reconciled == .done, "\(report.out) \(report.err)")
        let (healthy, doctor) = await Self.run(["doctor", "--stage", "none", "--ledger", url])
        #expect(healthy == .done || doctor.out.contains { $0.contains("is intact") }, "\(doctor.out)")
        let (pruned, prune) = await Self.run(["outbox", "prune", "--ledger", url])
        #expect(pruned == .done && prune.out.first?.hasSuffix("0 delivered, 0 pending, 0 unconfirmed, 0 dead") ?? false)
    }

    @Test("a show while the database is away keeps its beacons, and outbox flush carries them over")
    func away() async throws {
        let server = try #require(PostgresServer.shared)
        let (database, folder) = (try server.newDatabase(), try #require(TemporaryFolder()))
        defer { folder.remove() }
        let proxy = try #require(CuttingProxy(to: server.port))
        defer { proxy.stop() }
        setenv("XDG_STATE_HOME", folder.path, 1)
        defer { unsetenv("XDG_STATE_HOME") }
        let sandbox = try Sandbox.bundled()
        defer { sandbox.stop() }
        _ = await Self.run(["prepare", server.url(database)])
        let url = "postgres://owner@127.0.0.1:\(proxy.port)/\(database)"
        proxy.set(.closed)
        let (code, shown) = await Self.run([
            "show", "--endpoint", "http://127.0.0.1:\(sandbox.port)/yabbi/load", "--unit", "banner-320x50", "--stage",
            "none", "--json", "--do", "close@1ms", "--timeout", "5", "--ledger", url,
        ])
        #expect(code == .done, "\(shown.err)")
        #expect(shown.err.joined().contains("can't be reached"))
        #expect(shown.json.contains { $0["event"] == "beaconDelivered" })
        let (stillAway, _) = await Self.run(["outbox", "flush", "--ledger", url, "--timeout", "1"])
        #expect(stillAway != .done)
        proxy.set(.open)
        let (flushed, flush) = await Self.run(["outbox", "flush", "--ledger", url])
        #expect(flushed == .done, "\(flush.out) \(flush.err)")
        let (_, list) = await Self.run(["outbox", "list", "--json", "--ledger", server.url(database)])
        #expect(!list.json.isEmpty && list.json.allSatisfy { $0["state"] == "delivered" }, "\(list.out)")
    }

    @Test("a database without tables is refused, and the message names the command that creates them")
    func unprepared() async throws {
        let server = try #require(PostgresServer.shared)
        let url = server.url(try server.newDatabase())
        let (code, console) = await Self.run(["outbox", "list", "--ledger", url])
        #expect(code == .usage)
        #expect(console.err.joined().contains("create them with yabbi-play prepare"), "\(console.err)")
    }

    @Test("a role that does not exist is named")
    func role() async throws {
        let server = try #require(PostgresServer.shared)
        let url = server.url(try server.newDatabase())
        let (code, console) = await Self.run(["prepare", url, "--reader", "no\"body"])
        #expect(
            code == .usage && console.err.joined().contains("role \"no\"body\" does not exist); create the role first"),
            "\(console.err)"
        )
    }
}
