import AdCore
import ChromiumStage
import LibC

/// Scans of creatives: what a banner costs, compared with a script of Playwright; how long a verdict takes; and the
/// memory over many creatives.
enum ScanBench {
    static func run(_ bench: BenchContext) async throws {
        let folder = try BenchFolder()
        defer { folder.remove() }
        try self.cost(folder, bench)
        try self.times(folder, bench)
        try self.memory(folder, bench)
    }

    /// A banner with text, a drawing and a link.
    private static func banner(_ number: Int) -> String {
        """
        <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Offer \(number)</title>
        <meta name="ad.size" content="width=300,height=250"><style>body { margin: 0; font: 18px sans-serif; }
        a { display: block; width: 300px; height: 250px; background: hsl(\(number * 37 % 360) 70% 85%); }</style></head>
        <body><a href="https://shop.example/\(number)" target="_blank">Offer \(number)<canvas id="c" width="280"
        height="180"></canvas></a><script>const c = document.getElementById("c").getContext("2d");
        for (let i = 0; i < 150; i++) { c.fillStyle = `hsl(${(i + \(number)) * 7} 80% 60%)`;
        c.fillRect(i % 20 * 14, Math.floor(i / 20) * 22, 13, 20); }</script></body></html>
        """
    }

    /// A folder with banners.
    static func banners(_ count: Int, in folder: BenchFolder, called name: String) throws -> String {
        let path = folder.file(name)
        mkdir(path, 0o755)
        for number in 0..<count {
            guard let file = fopen("\(path)/\(number).html", "w") else {
                throw BenchError(message: "can't write files")
            }
            fputs(self.banner(number), file)
            fclose(file)
        }
        return path
    }

    // MARK: Compared with Playwright

    /// The processor time of the whole computer for each banner; and that of pages that measure nothing, which is about the
    /// least that this browser needs, with some of Playwright's own.
    private static func cost(_ folder: BenchFolder, _ bench: BenchContext) throws {
        let count = bench.full(60, quick: 2)
        let path = try self.banners(count, in: folder, called: "banners")
        let browser = try Self.browserPath()
        var peer: PlaywrightPeer?
        do throws(BenchError) {
            peer = try PlaywrightPeer(browser: browser, creative: "", folder)
        } catch {
            bench.skip("comparison with Playwright", error.message)
        }
        defer { peer?.end() }
        var pairs = PairedSamples(warmUp: bench.full(1, quick: 0))
        var (least, alone) = (pairs, [Double]())
        for round in 0...bench.full(6, quick: 0) {
            let report = folder.file("report\(round)")
            let own = try self.busyTime(for: count) {
                try ScanProcess.run([path, "--report", report, "--jobs", "4", "--watch", "0.2", "--policy", "strict"])
            }
            guard let peer else {
                alone.append(own)
                continue
            }
            let script = try self.busyTime(for: count) { try peer.scan(lanes: 4, folder: path) }
            let warm = try self.busyTime(for: count) { try peer.showOnly(lanes: 4, folder: path) }
            pairs.add(own, baseline: script)
            least.add(warm, baseline: script)
        }
        let what = "processor time per scanned banner"
        guard peer != nil else { return bench.report(what, alone, .each("ms")) }
        bench.report(what, pairs, against: "Playwright", .each("ms"), target: .atMost(0.4))
        bench.report(
            "the same in warm pages that only show, tap and picture",
            least,
            against: "Playwright",
            .each("ms")
        )
    }

    /// The processor time of the whole computer, in milliseconds for each banner.
    static func busyTime<Result>(for count: Int, _ body: () throws -> Result) rethrows -> Double {
        let before = BrowserMetrics.busySeconds
        _ = try body()
        return (BrowserMetrics.busySeconds - before) * 1000 / Double(count)
    }

    private static func browserPath() throws -> String {
        do {
            return try StageBench.presenter().browserPath
        } catch {
            throw BenchmarkSkipped(reason: "no browser: \(error)")
        }
    }

    // MARK: Times

    private static func times(_ folder: BenchFolder, _ bench: BenchContext) throws {
        let path = try self.banners(bench.full(40, quick: 1), in: folder, called: "timed")
        self.report("from a local banner to its verdict", try ScanProcess.run([path, "--jobs", "1"]), limit: 2, bench)

        let server = try SandboxProcess()
        defer { server.end() }
        let origin = server.origin
        let list = folder.file("videos") + ".txt"
        guard let file = fopen(list, "w") else { throw BenchError(message: "can't write files") }
        for _ in 0..<bench.full(20, quick: 1) { fputs("\(origin)/vast/video-inline\n", file) }
        fclose(file)
        let words = [list, "--jobs", "1", "--allow-host", origin, "--policy", "vast-ctv"]
        self.report(
            "from the tag of a 15 s video to its verdict, at speed 8",
            try ScanProcess.run(words),
            limit: 4,
            bench
        )
    }

    private static func report(_ what: String, _ seconds: [Double], limit: Int, _ bench: BenchContext) {
        bench.report(what, seconds, .all("s"))
        let sorted = seconds.sorted()
        let p95 = sorted[min(sorted.count - 1, max(0, Int((Double(sorted.count) * 0.95).rounded(.up)) - 1))]
        bench.report("\(what), 95th percentile (at most \(limit) s)", [p95], .all("s"))
    }

    // MARK: Memory

    private static func memory(_ folder: BenchFolder, _ bench: BenchContext) throws {
        let steps = bench.full([100, 500, 1_000, 2_000], quick: [1, 2])
        let path = try self.banners(steps.last ?? 1, in: folder, called: "many")
        var sizes: [(Int, Double)] = []
        try ScanProcess.run([path, "--jobs", "4", "--watch", "0.1", "--policy", "strict"]) {
            count,
            process in
            guard steps.contains(count) else { return }
            sizes.append((count, Double(ProcessMetrics.residentBytes(of: process)) / 1_048_576))
        }
        for (count, size) in sizes {
            bench.report("memory of a scan", [size], .each("MiB"), at: Figure.Amount(count, "scanned creatives"))
        }
    }
}
