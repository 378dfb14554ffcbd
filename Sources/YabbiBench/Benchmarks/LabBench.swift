import AdCore
import ChromiumStage
import SystemSupport
import WebStage

/// The lab: from a pasted source to its first picture, from a tap to what it changes, and the pictures of an ad that
/// moves or stands still; compared with the stage alone in the same browser, without the lab and its server.
enum LabBench {
    private static let size = Size(width: 390, height: 844)

    /// A banner whose colour each press changes.
    private static let banner = """
        <body style="margin:0"><div id="a" style="position:fixed;inset:0;background:#06c;font:40px sans-serif">An ad</div>
        <script>let n = 0;
        addEventListener("pointerdown", () => { a.style.background = ++n % 2 ? "#c60" : "#06c"; });</script></body>
        """

    /// An ad that never stands still.
    private static let moving = """
        <body style="margin:0;background:#fde2cf"><canvas id="c" width="390" height="844"></canvas>
        <script>const c = document.getElementById("c").getContext("2d");
        const draw = (time) => { for (let i = 0; i < 60; i++) {
        c.fillStyle = `hsl(${(i * 6 + time / 20) % 360} 80% 60%)`;
        c.fillRect(i % 6 * 65, Math.floor(i / 6) * 85, 60, 80); } requestAnimationFrame(draw); };
        requestAnimationFrame(draw);</script></body>
        """

    private static let options: AdJSON = ["size": "390x844", "format": "interstitial", "no-beacons": true]

    static func run(_ bench: BenchContext) async throws {
        let lab = try LabProcess()
        let stage: BareStage
        do { stage = try BareStage() } catch {
            lab.end()
            throw BenchmarkSkipped(reason: "no browser: \(error)")
        }
        var failure: (any Error)?
        do {
            try await self.first(lab, stage, bench)
            try await self.tap(lab, stage, bench)
            try await self.moving(lab, bench)
            try await self.still(lab, bench)
        } catch {
            failure = error
        }
        lab.end()
        await stage.close()
        if let failure { throw failure }
    }

    private static func milliseconds(_ body: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        try await body()
        return start.duration(to: .now).inSeconds * 1000
    }

    private static func report(
        _ what: String,
        _ samples: PairedSamples,
        limit: Double,
        _ bench: BenchContext
    ) {
        bench.report(what, samples, against: "the stage alone", .all("ms"))
        let sorted = samples.own.sorted()
        guard !sorted.isEmpty else { return }
        let p95 = sorted[min(sorted.count - 1, Int((Double(sorted.count) * 0.95).rounded(.up)) - 1)]
        bench.report("\(what), 95th percentile (at most \(Int(limit)) ms)", [p95], .all("ms"))
    }

    private static func first(_ lab: LabProcess, _ stage: BareStage, _ bench: BenchContext) async throws {
        var samples = PairedSamples(warmUp: bench.full(5, quick: 1))
        for _ in 0..<bench.full(105, quick: 2) {
            var ad = ""
            let own = try await self.milliseconds {
                ad = try await lab.run(self.banner, self.options)
                guard try await lab.picture(ad, after: 0) != nil else { throw BenchError(message: "no picture") }
            }
            try await lab.end(ad)
            var shown: BareStage.Shown?
            let base = try await self.milliseconds { shown = try await stage.show(self.banner, self.size) }
            await shown?.close()
            samples.add(own, baseline: base)
        }
        self.report("a banner's first picture after its source is posted", samples, limit: 250, bench)
    }

    private static func tap(_ lab: LabProcess, _ stage: BareStage, _ bench: BenchContext) async throws {
        var samples = PairedSamples(warmUp: bench.full(5, quick: 1))
        let ad = try await lab.run(self.banner, self.options)
        var last = try await self.settled(lab, ad)
        let shown = try await stage.show(self.banner, self.size)
        for _ in 0..<bench.full(105, quick: 2) {
            let own = try await self.milliseconds {
                try await lab.tap(ad, x: 195, y: 400)
                guard let next = try await lab.picture(ad, after: last) else { throw BenchError(message: "no picture") }
                last = next
            }
            // Some changes are two pictures.
            last = try await self.settled(lab, ad, after: last)
            let base = try await self.milliseconds { try await shown.tap(x: 195, y: 400) }
            samples.add(own, baseline: base)
        }
        try await lab.end(ad)
        await shown.close()
        self.report("a changed picture after a tap", samples, limit: 150, bench)
    }

    /// The number of the last picture when no further one comes for a fifth of a second.
    private static func settled(_ lab: LabProcess, _ ad: String, after number: Int = 0) async throws -> Int {
        var last = number
        while true {
            let next = try await withThrowingTaskGroup(of: Int?.self) { group in
                let known = last
                group.addTask { try await lab.picture(ad, after: known) }
                group.addTask {
                    try await Task.sleep(for: .milliseconds(known == 0 ? 5_000 : 200))
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
            guard let next else { return last }
            last = next
        }
    }

    private static func moving(_ lab: LabProcess, _ bench: BenchContext) async throws {
        let ad = try await lab.run(self.moving, self.options)
        var last = try await lab.picture(ad, after: 0) ?? 0
        var (rates, cores): ([Double], [Double]) = ([], [])
        for _ in 0..<bench.full(8, quick: 1) {
            let (start, busy) = (ContinuousClock.now, BrowserMetrics.busySeconds)
            var count = 0
            while start.duration(to: .now) < .milliseconds(bench.full(2_500, quick: 200)) {
                guard let next = try await lab.picture(ad, after: last) else { break }
                last = next
                count += 1
            }
            let length = start.duration(to: .now).inSeconds
            rates.append(Double(count) / length)
            cores.append((BrowserMetrics.busySeconds - busy) / length)
        }
        try await lab.end(ad)
        bench.report("pictures of a moving ad of 390x844 (at least 30)", rates, .rate("pictures"))
        bench.report("busy processors meanwhile (at most 1)", cores, .all("cores"))
    }

    private static func still(_ lab: LabProcess, _ bench: BenchContext) async throws {
        let ad = try await lab.run(self.banner, self.options)
        var last = try await self.settled(lab, ad)
        let (start, busy) = (ContinuousClock.now, BrowserMetrics.busySeconds)
        try await Task.sleep(for: .milliseconds(bench.full(8_000, quick: 200)))
        let cores = (BrowserMetrics.busySeconds - busy) / start.duration(to: .now).inSeconds
        let before = last
        last = try await self.settled(lab, ad, after: last)
        try await lab.end(ad)
        bench.report("pictures of an ad that stands still, in eight seconds", [Double(last - before)], .all("pictures"))
        bench.report("busy processors while an ad stands still", [cores], .all("cores"))
    }
}

/// The stage of a creative without the lab: its pictures come directly from the browser.
private final class BareStage: Sendable {
    private let presenter: ChromiumPresenter

    init() throws {
        var options = ChromiumOptions()
        options.isSandboxed = false
        options.scale = 2
        self.presenter = try ChromiumPresenter(options)
    }

    func close() async { await self.presenter.close() }

    /// A creative on screen, which tells when its picture changes.
    final class Shown: Sendable {
        private let stage: BrowserStage
        private let next = Locked<OneShot<Void>?>(nil)

        init(_ stage: BrowserStage) { self.stage = stage }

        /// Starts its pictures, and waits for the first one.
        func start(_ size: Size) async {
            let first = OneShot<Void>()
            self.next.withLock { $0 = first }
            let pictures = EnginePictures(size: Size(width: size.width * 2, height: size.height * 2), quality: 70)
            self.stage.startPictures(pictures) { [weak self] _ in self?.next.withLock { $0 }?.set(()) }
            await first.value
        }

        func tap(x: Double, y: Double) async throws {
            let changed = OneShot<Void>()
            self.next.withLock { $0 = changed }
            let place = ScreenPoint(x: x, y: y)
            self.stage.point(.press, at: place, isTouch: false, isPressed: true)
            self.stage.point(.release, at: place, isTouch: false, isPressed: true)
            await changed.value
        }

        func close() async {
            self.stage.stopPictures()
            await self.stage.close(.host)
        }
    }

    func show(_ markup: String, _ size: Size) async throws -> Shown {
        let container = await self.presenter.container(for: .interstitial)
        let options = StageOptions(
            ad: AdID("bench"),
            kind: .interstitial,
            size: CreativeLayout(.adaptive, in: container)
        )
        let creative = Creative.html(HTMLCreative(markup: markup, document: "<!doctype html>" + markup))
        let stage = try await self.presenter.stage(creative, options) { _ in }
        await stage.reveal()
        let shown = Shown(stage)
        await shown.start(size)
        return shown
    }
}
