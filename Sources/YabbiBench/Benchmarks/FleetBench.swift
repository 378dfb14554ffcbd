import AdCore
import AdRuntime
import PostgresClient
import PostgresLedger
import PostgresSupport
import YabbiAds

/// Beacons in a PostgreSQL database that several hosts share, on this computer.
enum FleetBench {
    static func run(_ bench: BenchContext) async throws {
        if let missing = PostgresServer.missing { throw BenchmarkSkipped(reason: missing) }
        guard let server = PostgresServer() else { throw BenchError(message: "PostgreSQL does not start") }
        defer { server.remove() }
        for (group, groups) in [(1, 1_000), (10, 500), (100, 200)] {
            try await self.record(server, group: group, groups: bench.full(groups, quick: 2), bench)
        }
        try await self.deliver(server, bench)
    }

    // MARK: Recording

    private static func record(_ server: PostgresServer, group: Int, groups: Int, _ bench: BenchContext) async throws {
        guard let url = HTTPURL("http://t.example/view?ad=1&unit=banner-320x50") else {
            preconditionFailure("The URL literal is invalid.")
        }
        let database = try server.newDatabase()
        let folder = try BenchFolder()
        defer { folder.remove() }
        let ledger = try PostgresLedger(server.url(database), folder: folder.file("away"))
        _ = try await ledger.open()
        let bare = try BareInserts(server.connection(database))
        let clock = ContinuousClock()
        var rates = PairedSamples(warmUp: 1)
        for round in 0...bench.full(8, quick: 1) {
            let batches = (0..<groups).map { batch in
                (0..<group).map { BenchBeacons.beacon("r\(round)-\(batch)-\($0)", at: url) }
            }
            let now = SystemClock().wallTime
            let plain = try bare.measure(batches, at: now)
            let recorded = try await clock.measure {
                for batch in batches { _ = try await ledger.record(batch, at: now) }
            }
            let count = Double(group * groups)
            rates.add(count / recorded.inSeconds, baseline: count / plain.inSeconds)
        }
        await ledger.close()
        bench.report(
            "beacons recorded in PostgreSQL",
            rates,
            against: "inserts",
            .rate("beacons"),
            at: Figure.Amount(group, "beacons per transaction"),
            target: .atLeast(0.7)
        )
    }

    /// Inserts of the same rows into a plain table with a unique key and an index on the due time.
    private struct BareInserts {
        private let connection: PostgresConnection

        init(_ connection: PostgresConnection) throws {
            self.connection = connection
            try connection.runScript(
                """
                CREATE TABLE bare (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, due bigint, recorded bigint,
                    codes bigint, key text COLLATE "C" UNIQUE, ad text, event text, provider text, origin text, url text,
                    headers bytea, body bytea);
                CREATE INDEX ON bare (due);
                """
            )
        }

        func measure(_ batches: [[Beacon]], at now: WallTime) throws -> Duration {
            let statements = batches.map { beacons in
                PostgresStatement(
                    "bare",
                    """
                    INSERT INTO bare (due, recorded, codes, key, ad, event, provider, origin, url, headers, body)
                    SELECT $1, $1, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                        $8::text[], $9::bytea[], $10::bytea[])
                    """,
                    [
                        .int(now.milliseconds), .ints(beacons.map { _ in 1 }), .texts(beacons.map(\.key.text)),
                        .texts(beacons.map(\.key.ad.rawValue)), .texts(beacons.map(\.key.event.rawValue)),
                        .texts(beacons.map(\.provider.rawValue)), .texts(beacons.map(\.call.address.origin)),
                        .texts(beacons.map(\.call.address.text)),
                        .blobs(beacons.map { $0.call.headers.fields.flatMap { Array(($0.name + $0.value).utf8) } }),
                        .blobs(beacons.map(\.call.body)),
                    ]
                )
            }
            let start = ContinuousClock.now
            for statement in statements { _ = try self.connection.run(statement) }
            return ContinuousClock.now - start
        }
    }

    // MARK: Delivery

    /// Four hosts deliver a queue to trackers that answer at once: what is measured is the ledger.
    private static func deliver(_ server: PostgresServer, _ bench: BenchContext) async throws {
        let count = bench.full(40_000, quick: 64)
        let hosts = 4
        var rates: [Double] = []
        for round in 0..<bench.full(4, quick: 1) {
            let database = try server.newDatabase()
            let ledgers = try (0..<hosts).map { _ in
                try PostgresLedger(server.url(database), folder: nil, access: .createAndMigrate)
            }
            for start in stride(from: 0, to: count, by: 1_000) {
                let beacons = try (start..<min(count, start + 1_000)).map { number in
                    guard let url = HTTPURL("http://t\(number % 64).example/view?n=\(number)") else {
                        throw BenchError(message: "the URL is invalid")
                    }
                    return BenchBeacons.beacon("f\(round)-\(number)", at: url)
                }
                _ = try await ledgers[0].record(beacons, at: SystemClock().wallTime)
            }
            let dispatchers = ledgers.map { BenchBeacons.dispatcher($0, InstantTracker()) }
            let duration = await ContinuousClock().measure {
                await withTaskGroup(of: Void.self) { group in
                    for dispatcher in dispatchers {
                        group.addTask {
                            dispatcher.deliver()
                            await dispatcher.waitUntilDelivered(within: .seconds(120))
                        }
                    }
                }
            }
            let delivered = try await ledgers[0].summary().delivered
            guard delivered == count else {
                throw BenchError(message: "\(delivered) of \(count) beacons were delivered")
            }
            for ledger in ledgers { await ledger.close() }
            rates.append(Double(count) / duration.inSeconds)
        }
        bench.report("beacons delivered by four hosts to trackers that answer at once", rates, .rate("beacons"))
    }

    /// A tracker that receives everything at once.
    private struct InstantTracker: Transport {
        func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
            AdHTTPResponse(status: 204, url: request.url)
        }
    }
}
