import AdCore
import AdRuntime
import CurlTransport
import SQLiteLedger
import SandboxSSP
import SystemSupport
import YabbiAds

/// Beacons that wait, and then leave all at once: memory, and how fast they go.
enum QueueBench {
    static func run(_ bench: Bench) async throws {
        let folder = try BenchFolder()
        defer { folder.remove() }
        for count in bench.full([1_000, 10_000, 100_000], quick: [100]) { try await self.run(folder, count, bench) }
    }

    private static func run(_ folder: BenchFolder, _ count: Int, _ bench: Bench) async throws {
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
        ProcessFigures.giveMemoryBack()
        // What is needed once is not what is measured.
        let first = bench.full(2_000, quick: 100)
        try await record(0..<first)
        let before = ProcessFigures.residentBytes
        try await record(first..<first + count)
        let queued = ProcessFigures.residentBytes
        ProcessFigures.resetPeak()
        let passed = await ContinuousClock().measure {
            dispatcher.deliver()
            await dispatcher.settle(within: .seconds(600))
        }
        let peak = ProcessFigures.peakBytes
        await ledger.close()
        // The ledger forgets most of what was delivered; the servers have counted.
        let delivered = arrived.withLock { $0 }
        guard delivered == first + count else {
            throw WishError(message: "\(delivered) of \(first + count) beacons arrived")
        }
        let size = Figure.Amount(count, "beacons")
        func kibibytes(_ bytes: Int) -> [Double] { [Double(max(0, bytes - before)) / 1024] }
        bench.tell("memory while they wait", kibibytes(queued), .all("KiB"), at: size)
        bench.tell("memory at most while they leave", kibibytes(peak), .all("KiB"), at: size)
        bench.tell("delivered", [Double(delivered) / passed.inSeconds], .rate("beacons"), at: size)
    }
}
