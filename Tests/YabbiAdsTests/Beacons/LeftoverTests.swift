import AdCore
import AdRuntime
import CurlTransport
import SQLiteLedger
import SandboxSSP
import Testing
import YabbiAds
import YabbiTesting

@Suite("What a process leaves to the next one")
struct LeftoverTests {
    @Test("goes out when the next one begins, in the default wiring of an app")
    func resumed() async throws {
        let mail = try Mail()
        _ = try await mail.ledger.record([try mail.beacon("a"), try mail.beacon("b")], at: mail.clock.wallTime)
        await mail.ledger.close()
        let folder = mail.file.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let services = try AdServices.standard(beaconFolder: folder)
        await services.beacons.waitUntilDelivered(within: .seconds(20))
        #expect(mail.counted.count == 2)
        #expect(try await services.beacons.entries().map(\.state) == [.delivered, .delivered])
    }

    @Test("keeps its body, its headers and its verdict, and gets its secret from the new process alone")
    func secrets() async throws {
        let mail = try Mail()
        let url = TrackingURL(try #require(mail.sandbox.url("/t/cards/click")))
        let call = BeaconCall(
            .post,
            url,
            headers: ["Content-Type": "application/json", "X-Agent-ID": "agent"],
            secrets: [SecretHeader("X-API-Key", "cards.apiKey")].compactMap { $0 },
            body: Array(#"{"tracking_token":"t/1"}"#.utf8),
            verdict: .only200,
            isBilling: true
        )
        let beacon = Beacon(BeaconKey(ad: AdID("a"), event: .click), call, of: "cards")
        await mail.send([beacon])
        await mail.run(for: .seconds(10))
        #expect(mail.sandbox.hits().isEmpty, "without its secret it is not sent")
        try mail.sandbox.setFaults(["/t/": [Sandbox.Fault(.status(201), times: 1)]])
        await mail.ledger.close()
        let folder = mail.file.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let ledger = SQLiteLedger(folder: folder)
        _ = try await ledger.makeAllDue(at: SystemClock().wallTime)
        await ledger.close()
        let services = try AdServices.standard(
            beaconFolder: folder,
            credentials: Credentials(["cards.apiKey": "SECRET"])
        )
        await services.beacons.waitUntilDelivered(within: .seconds(20))
        let hit = try #require(mail.sandbox.hits().first)
        #expect(hit.method == "POST" && hit.body == Array(#"{"tracking_token":"t/1"}"#.utf8))
        #expect(hit.headers["x-api-key"] == "SECRET" && hit.headers["x-agent-id"] == "agent")
        #expect(hit.key == beacon.key.text)
        // 201 is not what this server says of a click that it took.
        #expect(try await services.beacons.entries().map(\.state) == [.dead(reason: "status 201")])
        let bytes = try #require(Mail.bytes(mail.file)) + (Mail.bytes(mail.file + "-wal") ?? [])
        #expect(!bytes.isEmpty && bytes.firstRange(of: Array("SECRET".utf8)) == nil)
    }

    @Test(
        "is delivered soon, wherever the calendar stood before",
        arguments: [-400, -1, 1, 400],
        ["waiting", "in flight"]
    )
    func calendars(days: Int, state: String) async throws {
        let mail = try Mail()
        let then = mail.clock.wallTime + .seconds(days * 86_400)
        _ = try await mail.ledger.record([try mail.beacon("a", guarantee: .atLeastOnce)], at: then)
        let claimed = try #require(try await mail.ledger.claim(ClaimRequest(limit: 1, at: then)).beacons.first)
        if state == "waiting" {
            try await mail.ledger.settle(claimed, as: .retry(at: then + .seconds(3000), reason: "busy"), at: then)
        }
        await mail.restart()
        await mail.run(for: .seconds(3_700))
        #expect(try await mail.ledger.entries().map(\.state) == [.delivered])
        #expect(mail.sandbox.bill().billed == 1)
    }

    @Test("a day's jump of the calendar while beacons wait changes nothing", arguments: [-1, 1])
    func jump(days: Int) async throws {
        let mail = try Mail()
        try mail.sandbox.setFaults(["/t/": [Sandbox.Fault(.status(503), times: 3)]])
        await mail.send([try mail.beacon("a")])
        await mail.clock.settle()
        mail.clock.moveWallTime(by: .seconds(days * 86_400))
        await mail.run(for: .seconds(60))
        #expect(try await mail.ledger.entries().map(\.state) == [.delivered])
        #expect(mail.sandbox.hits().count == 4)
    }

    @Test("two who share a file send each beacon once")
    func shared() async throws {
        let first = try Mail()
        let ledger = SQLiteLedger(file: first.file)
        let second = BeaconDispatcher(
            ledger: ledger,
            transport: try CurlTransport(),
            clock: first.clock,
            random: { .random(in: .min ... .max) },
            observer: nil
        )
        var beacons = try (0..<400).map { try first.beacon("a\($0)") }
        while !beacons.isEmpty {
            await first.send(Array(beacons.prefix(5)))
            second.announce()
            _ = await second.record(Array(beacons.dropFirst(5).prefix(5)))
            second.deliver()
            beacons = Array(beacons.dropFirst(10))
        }
        await first.run(for: .seconds(120))
        let entries = try await ledger.entries()
        #expect(entries.count == 400)
        #expect(entries.allSatisfy { $0.state == .delivered })
        #expect(first.counted.count == 400)
        #expect(first.counted.values.allSatisfy { $0 == 1 })
        await ledger.close()
    }
}
