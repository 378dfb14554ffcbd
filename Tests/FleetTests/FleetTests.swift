import AdCore
import LibC
import PostgresClient
import PostgresLedger
import PostgresSupport
import TestSupport
import Testing

/// The book of a fleet is compared with what its trackers have counted, after hosts were killed, the server restarted and
/// connections were cut at random.
///
/// `YABBI_LONG=1 Scripts/test.sh FleetTests` is the long form, `YABBI_FLEET=n` sets the number of beacons, and
/// `YABBI_SEED=n` repeats the order of events.
@Suite(
    "Beacons of a fleet",
    .disabled(if: PostgresServer.missing != nil, "\(PostgresServer.missing ?? "")"),
    .enabled(if: HostProcess.path != nil, "ledger-host was not built beside the tests"),
    .serialized
)
struct FleetTests {
    private static let seed = TestSeed.chosen ?? .random(in: 0 ... .max)
    private static let count =
        getenv("YABBI_FLEET").flatMap { Int(String(cString: $0)) } ?? LongForm.either(1_000_000, short: 3_000)

    @Test("none is billed twice, none is lost, and what is not known is listed as unconfirmed")
    func accounts() async throws {
        let fleet = try Fleet(seed: Self.seed, beacons: Self.count)
        defer { fleet.remove() }
        try fleet.run()
        try await fleet.finish()
        let book = try await fleet.book()
        let counted = fleet.tracker.counted
        var (twice, lost, unknown): ([String], [String], [String]) = ([], [], [])
        for (key, entry) in book {
            let count = counted[key, default: 0]
            // A server that gets a key again counts it once.
            if count > 1, entry.beacon.call.guarantee == .atMostOnce { twice.append(key) }
            switch entry.state {
            case .delivered: if count == 0 { lost.append(key) }
            case .unconfirmed: unknown.append(key)
            case .pending, .inFlight, .dead: lost.append("\(key): \(entry.state)")
            }
        }
        let words = "seed \(Self.seed)"
        #expect(twice.isEmpty, "\(words): \(twice.prefix(5))")
        #expect(lost.isEmpty, "\(words): \(lost.prefix(5))")
        let recorded = fleet.recorded()
        let missing = recorded.filter { book[$0] == nil }
        #expect(missing.isEmpty, "\(words): \(missing.prefix(5))")
        let strangers = counted.keys.filter { book[$0] == nil }
        #expect(strangers.isEmpty, "\(words): \(strangers.prefix(5))")
        // Each killed host may have been sending up to 96 beacons.
        #expect(unknown.count <= max(book.count / 1_000, fleet.kills * 96), "\(words): \(unknown.count) unconfirmed")
        print(
            """
            FleetTests: YABBI_SEED=\(Self.seed): \(book.count) beacons in the book, \(recorded.count) reported as recorded, \
            \(counted.count) counted; \(fleet.kills) hosts killed, \(fleet.restarts) restarts of the server, \(fleet.cuts) \
            cuts of connections; \(twice.count) billed twice, \(lost.count + missing.count) lost, \(unknown.count) \
            unconfirmed
            """
        )
    }

    @Test("workers that are stopped until their leases are over never claim what another one has")
    func stoppedWorkers() async throws {
        let count = LongForm.either(20_000, short: 2_000)
        let server = try #require(PostgresServer.shared)
        let (database, folder) = (try server.newDatabase(), try #require(TemporaryFolder()))
        defer { folder.remove() }
        let url = server.url(database)
        let ledger = try PostgresLedger(url, folder: "\(folder.path)/own")
        for start in stride(from: 0, to: count, by: 500) {
            let beacons = try (start..<(start + 500)).map { number in
                let address = try #require(TrackingURL("http://h\(number % 5).example/"))
                return Beacon(BeaconKey(ad: AdID("n\(number)"), event: .view), BeaconCall(.get, address), of: "fleet")
            }
            _ = try await ledger.record(beacons, at: WallTime(milliseconds: 1_700_000_000_000))
        }
        let workers = try (0..<8).map {
            try #require(HostProcess(["claim", url, "16"], in: folder, output: "claims-\($0)"))
        }
        var random = TestRandom(seed: Self.seed)
        let raw = try server.connection(database)
        for _ in 0..<LongForm.either(60, short: 8) {
            let worker = workers[Int(random.next() % 8)]
            worker.signal(SIGSTOP)
            usleep(UInt32(random.next() % 50_000))
            // The leases of a minute end by the server's clock.
            try raw.runScript("UPDATE yabbi.beacon SET moment = moment - 61000 WHERE state = 1")
            usleep(UInt32(random.next() % 50_000))
            worker.signal(SIGCONT)
        }
        let deadline = ContinuousClock.now + .timeout(120)
        var running = workers
        while !running.isEmpty {
            running.removeAll { $0.hasEnded() }
            try #require(.now < deadline, "seed \(Self.seed): workers do not end")
            usleep(20_000)
        }
        let claims = workers.flatMap { HostProcess.lines($0.output) }
        let twice = Dictionary(grouping: claims, by: { $0 }).filter { $0.value.count > 1 }.keys
        #expect(twice.isEmpty, "seed \(Self.seed): \(twice.prefix(5))")
        let summary = try await ledger.summary()
        #expect(summary.delivered + summary.unconfirmed == count && summary.total == count, "seed \(Self.seed)")
        await ledger.close()
    }
}
