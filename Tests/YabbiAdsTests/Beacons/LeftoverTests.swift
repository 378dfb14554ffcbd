import AdCore
import AdRuntime
import CurlTransport
import LibC
import SQLiteLedger
import SandboxSSP
import Testing
import YabbiAds
import YabbiTesting

@Suite("Beacons: what the last process left")
struct LeftoverTests {
    @Test("the standard services of the next process deliver what the last one left")
    func resumed() async throws {
        let fixture = try BeaconFixture()
        _ = try await fixture.ledger.record(
            [try fixture.beacon("a"), try fixture.beacon("b")],
            at: fixture.clock.wallTime
        )
        await fixture.ledger.close()
        let folder = fixture.file.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let services = try AdServices.standard(opener: NoOpener(), beaconFolder: BeaconFolder(folder))
        await services.beacons.waitUntilDelivered(within: .seconds(20))
        #expect(fixture.counted.count == 2)
        #expect(try await services.beacons.entries().map(\.state) == [.delivered, .delivered])
    }

    @Test("a beacon keeps its body, headers and success rule, and gets its secret from the new process")
    func secrets() async throws {
        let fixture = try BeaconFixture()
        let url = TrackingURL(try #require(fixture.sandbox.url("/t/cards/click")))
        let call = BeaconCall(
            .post,
            url,
            headers: ["Content-Type": "application/json", "X-Agent-ID": "agent"],
            secrets: [SecretHeader("X-API-Key", "cards.apiKey")].compactMap { $0 },
            body: Array(#"{"tracking_token":"t/1"}"#.utf8),
            successRule: .only200,
            isBilling: true
        )
        let beacon = Beacon(BeaconKey(ad: AdID("a"), event: .click), call, of: "cards")
        await fixture.send([beacon])
        await fixture.run(for: .seconds(10))
        #expect(fixture.sandbox.hits().isEmpty, "a beacon is not sent without its secret")
        try fixture.sandbox.setFaults(["/t/": [Sandbox.Fault(.status(201), times: 1)]])
        await fixture.ledger.close()
        let folder = fixture.file.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let ledger = SQLiteLedger(folder: folder)
        _ = try await ledger.makeAllDue(at: SystemClock().wallTime)
        await ledger.close()
        let services = try AdServices.standard(
            opener: NoOpener(),
            beaconFolder: BeaconFolder(folder),
            credentials: Credentials(["cards.apiKey": "SECRET"])
        )
        await services.beacons.waitUntilDelivered(within: .seconds(20))
        let hit = try #require(fixture.sandbox.hits().first)
        #expect(hit.method == "POST" && hit.body == Array(#"{"tracking_token":"t/1"}"#.utf8))
        #expect(hit.headers["x-api-key"] == "SECRET" && hit.headers["x-agent-id"] == "agent")
        #expect(hit.key == beacon.key.text)
        // The success rule of this beacon accepts only status 200.
        #expect(try await services.beacons.entries().map(\.state) == [.dead(reason: "status 201")])
        let bytes = try #require(BeaconFixture.bytes(fixture.file)) + (BeaconFixture.bytes(fixture.file + "-wal") ?? [])
        #expect(!bytes.isEmpty && bytes.firstRange(of: Array("SECRET".utf8)) == nil)
    }

    @Test(
        "a beacon is delivered soon, whatever the wall clock was before",
        arguments: [-400, -1, 1, 400],
        ["waiting", "in flight"]
    )
    func calendars(days: Int, state: String) async throws {
        let fixture = try BeaconFixture()
        let then = fixture.clock.wallTime + .seconds(days * 86_400)
        _ = try await fixture.ledger.record([try fixture.beacon("a", guarantee: .atLeastOnce)], at: then)
        let claimed = try #require(try await fixture.ledger.claim(ClaimRequest(limit: 1, at: then)).beacons.first)
        if state == "waiting" {
            try await fixture.ledger.settle(claimed, as: .retry(at: then + .seconds(3000), reason: "busy"), at: then)
        }
        await fixture.restart()
        await fixture.run(for: .seconds(3_700))
        #expect(try await fixture.ledger.entries().map(\.state) == [.delivered])
        #expect(fixture.sandbox.bill().billed == 1)
    }

    @Test("a jump of the wall clock by a day does not affect waiting beacons", arguments: [-1, 1])
    func jump(days: Int) async throws {
        let fixture = try BeaconFixture()
        try fixture.sandbox.setFaults(["/t/": [Sandbox.Fault(.status(503), times: 3)]])
        await fixture.send([try fixture.beacon("a")])
        await fixture.clock.settle()
        fixture.clock.moveWallTime(by: .seconds(days * 86_400))
        await fixture.run(for: .seconds(60))
        #expect(try await fixture.ledger.entries().map(\.state) == [.delivered])
        #expect(fixture.sandbox.hits().count == 4)
    }

    @Test(
        "a process that ends between a record with its claim and the request leaves a beacon that may have been sent",
        arguments: [DeliveryGuarantee.atMostOnce, .atLeastOnce]
    )
    func unsent(guarantee: DeliveryGuarantee) async throws {
        let fixture = try BeaconFixture()
        let now = fixture.clock.wallTime
        let beacons = [try fixture.beacon("a", guarantee: guarantee)]
        let (_, claim) = try await fixture.ledger.record(beacons, claiming: ClaimRequest(limit: 1, at: now), at: now)
        #expect(claim?.beacons.count == 1)
        await fixture.restart()
        await fixture.run(for: .seconds(120))
        let states = try await fixture.ledger.entries().map(\.state.name)
        #expect(states == [guarantee == .atMostOnce ? "unconfirmed" : "delivered"])
        #expect(fixture.sandbox.hits().count == (guarantee == .atMostOnce ? 0 : 1))
    }

    @Test("when the process ends at the event beaconRecorded, the beacon is in the file as delivered")
    func endAtRecorded() async throws {
        let fixture = try BeaconFixture()
        let copy = fixture.file + "-copy"
        defer { for suffix in ["", "-wal", "-shm", "-lock"] { unlink(copy + suffix) } }
        let beacon = try fixture.beacon("a")
        fixture.dispatcher.announce()
        // An ad reports beaconRecorded between these two; all that the host does then comes after the request.
        _ = await fixture.dispatcher.recordHoldingReports([beacon])
        await fixture.clock.settle()
        for suffix in ["", "-wal"] {
            let file = try #require(fopen(copy + suffix, "w"))
            let bytes = BeaconFixture.bytes(fixture.file + suffix) ?? []
            #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
            fclose(file)
        }
        let next = SQLiteLedger(file: copy)
        #expect(try await next.entries().map(\.state) == [.delivered])
        await next.close()
        fixture.dispatcher.releaseReports(of: [beacon.key])
        #expect(fixture.counted.values.map { $0 } == [1])
    }

    @Test("two dispatchers that share a file, and claim what they record, send each beacon once")
    func shared() async throws {
        let first = try BeaconFixture()
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
            await second.recordAndDeliver(Array(beacons.dropFirst(5).prefix(5)))
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
