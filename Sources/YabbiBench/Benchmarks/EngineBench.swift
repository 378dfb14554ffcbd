import AdCore
import ChromiumStage
import CurlTransport
import WebKitStage
import WebStage

/// WebKit compared with Chromium: a start to the first picture, ads in a warm browser, and scans.
///
/// Both run alternately, so that other load on the computer affects both.
enum EngineBench {
    static func run(_ bench: BenchContext) async throws {
        guard HelperFiles.areBuilt else {
            throw BenchmarkSkipped(reason: "the helper for WebKit is not built (make webkit)")
        }
        try await self.colds(bench)
        try await self.ads(bench, "an ad shown with its picture in warm WebKit", self.webKit)
        try await self.ads(
            bench,
            "the same in the page of the last ad, as scans do",
            self.renewing,
            target: .atMost(0.35)
        )
        try self.scans(bench)
    }

    private static func webKit() throws -> WebKitPresenter {
        var options = WebKitOptions()
        // As in the other benchmarks of browsers.
        options.isSandboxed = false
        return try WebKitPresenter(options, transport: CurlTransport())
    }

    /// A presenter that shows one ad after the other in the same page.
    private static func renewing() throws -> any BrowserPresenter {
        var options = WebKitOptions()
        options.isSandboxed = false
        let screen = Size(width: 390, height: 844)
        let transport = try CurlTransport()
        return try SharedWebKit(options, screen: screen, limit: 1, renewsPages: true, transport: transport)
            .presenter(StageSettings(screen: screen, transport: transport)) { _, _ in }
    }

    private static func chromium() throws -> ChromiumPresenter {
        do {
            return try StageBench.presenter()
        } catch {
            throw BenchmarkSkipped(reason: "no browser: \(error)")
        }
    }

    private static func colds(_ bench: BenchContext) async throws {
        var samples = PairedSamples()
        for _ in 0..<bench.full(15, quick: 1) {
            samples.add(try await self.cold(self.webKit), baseline: try await self.cold(self.chromium))
        }
        bench.report(
            "cold start of WebKit to the first picture (at most 1.2 s)",
            samples,
            against: "Chromium",
            .all("ms")
        )
    }

    private static func cold(_ make: () throws -> any BrowserPresenter) async throws -> Double {
        try await self.milliseconds {
            let presenter = try make()
            try await StageBench.show(presenter)
            return presenter
        }
    }

    /// The time of an action, and the end of the browser that it started.
    private static func milliseconds(_ body: () async throws -> any BrowserPresenter) async throws -> Double {
        let start = ContinuousClock.now
        let presenter = try await body()
        let length = start.duration(to: .now)
        await presenter.close()
        return length.inSeconds * 1000
    }

    /// The time and the processor time of an ad in a warm browser.
    private static func ads(
        _ bench: BenchContext,
        _ name: String,
        _ make: () throws -> any BrowserPresenter,
        target: Figure.Target? = nil
    ) async throws {
        let (own, other): (any BrowserPresenter, any BrowserPresenter) = (try make(), try self.chromium())
        let count = bench.full(12, quick: 1)
        var times = PairedSamples(warmUp: bench.full(1, quick: 0))
        var work = times
        for _ in 0...bench.full(15, quick: 0) {
            let (webKit, chromium) = (try await self.ads(count, on: own), try await self.ads(count, on: other))
            times.add(webKit.time, baseline: chromium.time)
            work.add(webKit.work, baseline: chromium.work)
        }
        await own.close()
        await other.close()
        bench.report(name, times, against: "Chromium", .each("ms"), target: target)
        bench.report("\(name), processor time", work, against: "Chromium", .each("ms"))
    }

    /// The milliseconds of an ad, and the processor time of the whole computer for it.
    private static func ads(
        _ count: Int,
        on presenter: any BrowserPresenter
    ) async throws -> (time: Double, work: Double) {
        let (start, before) = (ContinuousClock.now, BrowserMetrics.busySeconds)
        for _ in 0..<count { try await StageBench.show(presenter) }
        let time = start.duration(to: .now).inSeconds * 1000 / Double(count)
        return (time, (BrowserMetrics.busySeconds - before) * 1000 / Double(count))
    }

    /// The processor time of the whole computer for a scanned banner.
    private static func scans(_ bench: BenchContext) throws {
        let folder = try BenchFolder()
        defer { folder.remove() }
        let count = bench.full(60, quick: 2)
        let path = try ScanBench.banners(count, in: folder, called: "banners")
        let words = [path, "--jobs", "4", "--watch", "0.2", "--policy", "strict"]
        var samples = PairedSamples(warmUp: bench.full(1, quick: 0))
        for _ in 0...bench.full(6, quick: 0) {
            let own = try ScanBench.busyTime(for: count) { try ScanProcess.run(words + ["--stage", "webkit"]) }
            let other = try ScanBench.busyTime(for: count) { try ScanProcess.run(words) }
            samples.add(own, baseline: other)
        }
        let name = "processor time per banner scanned in WebKit"
        bench.report(name, samples, against: "Chromium", .each("ms"), target: .atMost(0.5))
    }
}
