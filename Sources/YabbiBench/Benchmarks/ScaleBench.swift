import AdCore
import AdLint
import AdProviders
import AdRuntime
import CurlTransport
import SQLiteLedger
import SandboxSSP
import SystemSupport
import YabbiAds

/// What one more costs if there are very many: ads, sessions, waiting beacons, linted creatives.
enum ScaleBench {
    static func run(_ bench: BenchContext) async throws {
        for count in bench.full([1_000, 10_000, 100_000], quick: [10]) { try await self.ads(count, bench) }
        for count in bench.full([100, 1_000, 10_000], quick: [2]) { try await self.sessions(count, bench) }
        for count in bench.full([10_000, 100_000, 1_000_000], quick: [200]) { try await self.beacons(count, bench) }
        for count in bench.full([1_000, 10_000, 100_000], quick: [10]) { self.creatives(count, bench) }
    }

    private static func ads(_ count: Int, _ bench: BenchContext) async throws {
        let showing = try await AdBench.show(count)
        let clock = ContinuousClock()
        let end = clock.measure { for ad in showing.ads { ad.destroy() } }
        let size = Figure.Amount(count, "ads")
        bench.report("an ad loaded and shown, among", [showing.time], .each("µs"), at: size)
        bench.report("memory of an ad, among", [showing.memory], .each("KiB"), at: size)
        bench.report("an ad destroyed, among", [end.inMicroseconds / Double(count)], .each("µs"), at: size)
    }

    /// Sessions with their server in another process: one process may not open files for both sides of so many.
    private static func sessions(_ count: Int, _ bench: BenchContext) async throws {
        let sandbox = try SandboxProcess()
        defer { sandbox.end() }
        guard let socket = HTTPURL(sandbox.origin + Sandbox.socketPath) else {
            throw BenchError(message: "the sandbox has no socket URL")
        }
        let transport = try CurlTransport()
        let services = AdServices(transport: transport, opener: NoOpener())
        let app = LiveBench.app(socket)
        let make = { Smartico(app, services: services, sockets: transport) }
        ProcessMetrics.releaseFreeMemory()
        let first = try await LiveBench.logIn(1, make)
        func resident() -> Int { ProcessMetrics.residentBytes + ProcessMetrics.residentBytes(of: sandbox.id) }
        let before = resident()
        var sessions: [Smartico] = []
        let passed = try await ContinuousClock().measure {
            // Of all at once the last would wait longer than a connection may take.
            while sessions.count < count {
                sessions += try await LiveBench.logIn(min(100, count - sessions.count), make)
            }
        }
        let memory = Double(max(0, resident() - before)) / 1024 / Double(count)
        for session in first + sessions { session.end() }
        transport.shutDown()
        let size = Figure.Amount(count, "sessions")
        bench.report("a session logged in, among", [passed.inMicroseconds / Double(count)], .each("µs"), at: size)
        bench.report("memory of a session and its server, among", [memory], .each("KiB"), at: size)
    }

    /// Beacons that are recorded, and the first of them delivered while the others wait.
    private static func beacons(_ count: Int, _ bench: BenchContext) async throws {
        let folder = try BenchFolder()
        defer { folder.remove() }
        let few = bench.full(5_000, quick: 50)
        let arrival = OneShot<Void>()
        let arrived = Locked(0)
        let server = try FixedServer(json: Array("{}".utf8)) {
            let isLast = arrived.withLock { count in
                count += 1
                return count == few
            }
            if isLast { arrival.set(()) }
        }
        defer { server.stop() }
        let file = folder.file("waiting")
        // The limits of an app are lower: beyond them its oldest beacons are dropped.
        let ledger = SQLiteLedger(file: file, limits: LedgerLimits(rows: 2 * count, bytes: 8 << 30))
        let dispatcher = BenchBeacons.dispatcher(ledger, try CurlTransport())
        ProcessMetrics.releaseFreeMemory()
        let before = ProcessMetrics.residentBytes
        let clock = ContinuousClock()
        let recording = try await clock.measure {
            for start in stride(from: 0, to: count, by: 100) {
                let beacons = (start..<start + 100).map { BenchBeacons.beacon("w\($0)", at: server.url) }
                _ = try await ledger.record(beacons, at: SystemClock().wallTime)
            }
        }
        let delivering = await clock.measure {
            dispatcher.deliver()
            await arrival.value
        }
        let memory = Double(max(0, ProcessMetrics.residentBytes - before)) / 1024
        await dispatcher.stopSending(within: .seconds(10))
        await ledger.close()
        let size = Figure.Amount(count, "waiting beacons")
        bench.report(
            "a beacon recorded, 100 at a time, among",
            [recording.inMicroseconds / Double(count)],
            .each("µs"),
            at: size
        )
        bench.report("a beacon delivered, among", [delivering.inMicroseconds / Double(few)], .each("µs"), at: size)
        bench.report("memory of the process for", [memory], .all("KiB"), at: size)
        let bytes = try ReadFile.size(file)
        bench.report("size of the ledger's file for", [Double(bytes) / 1024], .all("KiB"), at: size)
    }

    private static func creatives(_ count: Int, _ bench: BenchContext) {
        ProcessMetrics.releaseFreeMemory()
        let before = ProcessMetrics.residentBytes
        ProcessMetrics.resetPeak()
        let passed = ContinuousClock().measure {
            for number in 0..<count { _ = Lint.check(SampleVAST.document(number: number)) }
        }
        let memory = Double(max(0, ProcessMetrics.peakBytes - before)) / 1024
        let size = Figure.Amount(count, "creatives")
        bench.report("a creative linted, among", [passed.inMicroseconds / Double(count)], .each("µs"), at: size)
        bench.report("peak memory for", [memory], .all("KiB"), at: size)
    }
}
