import AdCore
import ChromiumStage
import LibC
import SystemSupport

/// The browser stage: cold start, ads per second, memory over many ads, and leftovers; compared with Playwright and the
/// same browser when Playwright is installed.
///
/// Both run alternately, some ads each, so that other load on the computer affects both.
enum StageBench {
    private static let creative = """
        <!doctype html><html><body style="margin:0;background:#fde2cf;font:20px sans-serif">
        <h1>An ad</h1><p>with some text</p><a href="https://shop.example/">Have a look</a>
        <canvas id="c" width="300" height="150"></canvas>
        <script>const c = document.getElementById("c").getContext("2d"); for (let i = 0; i < 200; i++) {
        c.fillStyle = `hsl(${i * 7} 80% 60%)`; c.fillRect(i % 20 * 15, Math.floor(i / 20) * 15, 14, 14); }</script>
        </body></html>
        """

    static func run(_ bench: BenchContext) async throws {
        let folder = try BenchFolder()
        defer { folder.remove() }
        // Browsers create their folders here, so that leftovers can be counted.
        let own = folder.file("profiles")
        mkdir(own, 0o755)
        let before = getenv("TMPDIR").map { String(cString: $0) }
        setenv("TMPDIR", own, 1)
        defer { if let before { setenv("TMPDIR", before, 1) } else { unsetenv("TMPDIR") } }

        let presenter: ChromiumPresenter
        do { presenter = try self.presenter() } catch { throw BenchmarkSkipped(reason: "no browser: \(error)") }
        var peer: PlaywrightPeer?
        do throws(BenchError) {
            peer = try PlaywrightPeer(browser: presenter.browserPath, creative: self.creative, folder)
        } catch {
            bench.skip("comparison with Playwright", error.message)
        }
        var failure: (any Error)?
        do {
            try await self.colds(peer, bench)
            try await self.show(presenter)
            try await self.traffic(presenter, bench)
            for lanes in [1, 4] { try await self.measureThroughput(presenter, peer, lanes: lanes, bench) }
        } catch {
            failure = error
        }
        // Both browsers are closed on an error, too.
        await presenter.close()
        peer?.end()
        if let failure { throw failure }
        try await self.memory(own, bench)
        try await MeasurementBench.run(bench)
    }

    // MARK: Compared with Playwright

    private static func colds(_ peer: PlaywrightPeer?, _ bench: BenchContext) async throws {
        var samples = PeerSamples()
        for _ in 0..<bench.full(15, quick: 1) { samples.add(try await self.cold(), try peer?.cold()) }
        samples.report("cold start to the first screenshot", .all("ms"), target: .atMost(0.4), bench)
    }

    private static func measureThroughput(
        _ presenter: ChromiumPresenter,
        _ peer: PlaywrightPeer?,
        lanes: Int,
        _ bench: BenchContext
    ) async throws {
        let ads = bench.full(12, quick: 4)
        var rates = PeerSamples()
        var work = PeerSamples()
        for _ in 0..<bench.full(15, quick: 1) {
            let before = BrowserMetrics.busySeconds
            let own = try await self.throughput(presenter, lanes: lanes, ads: ads)
            let between = BrowserMetrics.busySeconds
            let other = try peer?.throughput(lanes: lanes, ads: ads)
            let after = BrowserMetrics.busySeconds
            rates.add(own, other)
            work.add(
                (between - before) * 1000 / Double(ads),
                other.map { _ in (after - between) * 1000 / Double(ads) }
            )
        }
        let name = lanes == 1 ? "one at a time" : "\(lanes) at a time"
        rates.report("ads shown with a screenshot, \(name)", .rate("ads"), target: .atLeast(1.6), bench)
        work.report("CPU time per ad, \(name)", .each("ms"), bench)
    }

    /// Samples of the stage, each with Playwright's when Playwright is installed.
    private struct PeerSamples {
        private var pairs = PairedSamples()
        private var alone: [Double] = []

        mutating func add(_ own: Double, _ other: Double?) {
            if let other { self.pairs.add(own, baseline: other) } else { self.alone.append(own) }
        }

        func report(_ what: String, _ unit: Unit, target: Figure.Target? = nil, _ bench: BenchContext) {
            if self.alone.isEmpty {
                bench.report(what, self.pairs, against: "Playwright", unit, target: target)
            } else {
                bench.report(what, self.alone, unit)
            }
        }
    }

    // MARK: The stage

    static func presenter() throws -> ChromiumPresenter {
        var options = ChromiumOptions()
        options.network = .closed
        // Playwright runs the browser without its sandbox as root; both must have the same conditions.
        options.isSandboxed = false
        return try ChromiumPresenter(options)
    }

    private static func cold() async throws -> Double {
        let start = ContinuousClock.now
        let presenter = try self.presenter()
        try await self.show(presenter)
        let length = start.duration(to: .now)
        await presenter.close()
        return length.inSeconds * 1000
    }

    /// Shows the creative, and takes its picture.
    static func show(_ presenter: any BrowserPresenter) async throws {
        let container = await presenter.container(for: .interstitial)
        let size = CreativeLayout(.adaptive, in: container)
        let options = StageOptions(ad: AdID("bench"), kind: .interstitial, size: size)
        let creative = Creative.html(HTMLCreative(markup: self.creative, document: self.creative))
        let stage = try await presenter.stage(creative, options) { _ in }
        await stage.reveal()
        let picture = try await stage.screenshot()
        guard picture.count > 1_000 else { throw BenchError(message: "the screenshot is empty") }
        await stage.close(.host)
    }

    private static func throughput(_ presenter: ChromiumPresenter, lanes: Int, ads: Int) async throws -> Double {
        let left = Locked(ads)
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<lanes {
                group.addTask {
                    while left.withLock({ left in
                        left -= 1
                        return left >= 0
                    }) { try await self.show(presenter) }
                }
            }
            try await group.waitForAll()
        }
        return Double(ads) / start.duration(to: .now).inSeconds
    }

    /// How many messages an ad costs when ads are shown one after the other: each one that is awaited is a round trip.
    private static func traffic(_ presenter: ChromiumPresenter, _ bench: BenchContext) async throws {
        let ads = bench.full(12, quick: 3)
        let before = presenter.traffic
        for _ in 0..<ads { try await self.show(presenter) }
        let after = presenter.traffic
        func report(_ what: String, _ unit: String, _ count: (EngineTraffic) -> Int) {
            bench.report(what, [Double(count(after) - count(before)) / Double(ads)], .each(unit))
        }
        report("round trips per ad: commands whose replies are awaited", "commands", \.awaited)
        report("commands per ad", "commands", \.commands)
        report("replies and events of the browser per ad", "messages", \.messages)
    }

    /// The browser's memory over many ads, and the leftovers after it is closed.
    private static func memory(_ folder: String, _ bench: BenchContext) async throws {
        let presenter = try self.presenter()
        let steps = bench.full([20, 80, 140, 200], quick: [1, 2])
        for number in 1...(steps.last ?? 1) {
            try await self.show(presenter)
            guard steps.contains(number) else { continue }
            let group = presenter.processGroup.map { BrowserMetrics.residentBytes(ofGroup: $0) } ?? 0
            let size = Figure.Amount(number, "consecutive ads")
            bench.report("browser memory", [Double(group) / 1_048_576], .each("MiB"), at: size)
            bench.report("own memory", [Double(ProcessMetrics.residentBytes) / 1_048_576], .each("MiB"), at: size)
        }
        let group = presenter.processGroup
        await presenter.close()
        let left = group.map { BrowserMetrics.processes(ofGroup: $0).count } ?? 0
        bench.report("left after close", [Double(left)], .all("processes"))
        bench.report("left on disk", [Double(BenchFolder.names(in: folder).count)], .all("folders"))
    }
}
