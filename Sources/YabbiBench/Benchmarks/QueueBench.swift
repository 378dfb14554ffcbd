import AdCore
import AdRuntime
import CurlTransport
import SQLiteLedger
import SandboxSSP
import SystemSupport
import YabbiAds

/// Delivering a queue of beacons: the memory and the rate.
enum QueueBench {
    static func run(_ bench: BenchContext) async throws {
        let folder = try BenchFolder()
        defer { folder.remove() }
        for count in bench.full([1_000, 10_000, 100_000], quick: [100]) { try await self.run(folder, count, bench) }
    }

    private static func run(_ folder: BenchFolder, _ count: Int, _ bench: BenchContext) async throws {
        let arrived = Locked(0)
        let servers = try (0..<8).map { _ in
            try FixedServer(json: Array("{}".utf8)) { arrived.withLock { $0 += 1 } }
        }
        defer { for server in servers { server.stop() } }
        let ledger = SQLiteLedger(file: folder.file("queued-\(count)"))
        let dispatcher = BenchBeacons.dispatcher(ledger, try CurlTransport())
        func record(_ range: Range<Int>) async throws {
            for start in stride(from: range.lowerBound, to: range.upperBound, by: 100) {
                let part = start..<min(start + 100, range.upperBound)
                let beacons = part.map { BenchBeacons.beacon("q\($0)", at: servers[$0 % 8].url) }
                _ = try await ledger.record(beacons, at: SystemClock().wallTime)
            }
        }
        ProcessMetrics.releaseFreeMemory()
        // The first beacons allocate what all beacons share.
        let first = bench.full(2_000, quick: 100)
        try await record(0..<first)
        let before = ProcessMetrics.residentBytes
        try await record(first..<first + count)
        let queued = ProcessMetrics.residentBytes
        ProcessMetrics.resetPeak()
        let passed = await ContinuousClock().measure {
            dispatcher.deliver()
            await dispatcher.waitUntilDelivered(within: .seconds(600))
        }
        let peak = ProcessMetrics.peakBytes
        await ledger.close()
        // The ledger prunes most delivered beacons; the servers have counted all requests.
        let delivered = arrived.withLock { $0 }
        guard delivered == first + count else {
            throw BenchError(message: "\(delivered) of \(first + count) beacons were delivered")
        }
        let size = Figure.Amount(count, "beacons")
        func kibibytes(_ bytes: Int) -> [Double] { [Double(max(0, bytes - before)) / 1024] }
        bench.report("memory while queued", kibibytes(queued), .all("KiB"), at: size)
        bench.report("peak memory while delivering", kibibytes(peak), .all("KiB"), at: size)
        bench.report("delivered", [Double(delivered) / passed.inSeconds], .rate("beacons"), at: size)
    }
}
