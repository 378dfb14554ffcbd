import AdCore
import AdRuntime
import CurlTransport
import SQLiteLedger
import SandboxSSP
import YabbiAds

/// Delivering beacons with durable writes before and after each, compared with requests alone.
enum DeliveryBench {
    static func run(_ bench: BenchContext) async throws {
        let folder = try BenchFolder()
        defer { folder.remove() }
        func count(_ count: Int) -> Int { bench.full(count, quick: 4) }
        try await self.run("to 8 servers", folder, origins: 8, each: count(500), bench)
        try await self.run("to one server", folder, origins: 1, each: count(2_000), bench)
        let slow = Duration.milliseconds(10)
        try await self.run("to one server with 10 ms latency", folder, origins: 1, each: count(400), delay: slow, bench)
    }

    private static func run(
        _ name: String,
        _ folder: BenchFolder,
        origins: Int,
        each: Int,
        delay: Duration = .zero,
        _ bench: BenchContext
    ) async throws {
        let servers = try (0..<origins).map { _ in try FixedServer(json: Array("{}".utf8), delay: delay) }
        defer { for server in servers { server.stop() } }
        let transport = try CurlTransport()
        let clock = ContinuousClock()
        var rates = PairedSamples(warmUp: 1)
        for round in 0...bench.full(8, quick: 1) {
            let beacons = (0..<origins * each).map {
                BenchBeacons.beacon("d\(round)-\($0)", at: servers[$0 % origins].url)
            }
            let plain = await clock.measure { await self.send(beacons, origins: origins, over: transport) }
            let ledger = SQLiteLedger(file: folder.file("\(origins)-\(delay.wholeMilliseconds)-\(round)"))
            _ = try await ledger.record(beacons, at: SystemClock().wallTime)
            let dispatcher = BenchBeacons.dispatcher(ledger, transport)
            let whole = await clock.measure {
                dispatcher.deliver()
                await dispatcher.waitUntilDelivered(within: .seconds(120))
            }
            let delivered = try await ledger.summary().delivered
            guard delivered == beacons.count else {
                throw BenchError(message: "\(delivered) of \(beacons.count) beacons were delivered")
            }
            await ledger.close()
            let count = Double(beacons.count)
            rates.add(count / whole.inSeconds, baseline: count / plain.inSeconds)
        }
        bench.report(
            "beacons delivered \(name)",
            rates,
            against: "requests alone",
            .rate("beacons"),
            target: .atLeast(0.6)
        )
    }

    /// Sends the requests with the dispatcher's concurrency per origin, without a ledger.
    private static func send(_ beacons: [Beacon], origins: Int, over transport: CurlTransport) async {
        let width = BeaconScheduler.Limits().perOrigin.upperBound
        await withTaskGroup(of: Void.self) { group in
            for origin in 0..<origins {
                for lane in 0..<width {
                    let share = stride(from: origin + lane * origins, to: beacons.count, by: origins * width)
                    let part = share.map { beacons[$0] }
                    group.addTask {
                        for beacon in part {
                            if let request = try? beacon.request() { _ = try? await transport.send(request) }
                        }
                    }
                }
            }
        }
    }
}
