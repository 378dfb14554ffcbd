import AdCore
import ChromiumStage
import LibC
import SystemSupport

/// The stage in a browser: from nothing to the first picture, ads in a second, memory over many ads, and what is left;
/// against Playwright doing the same with the same browser, where Python has it.
///
/// Both take turns, some ads each, and each turn is held against the one beside it: what else the machine does falls on
/// both.
enum StageBench {
    private static let creative = """
        <!doctype html><html><body style="margin:0;background:#fde2cf;font:20px sans-serif">
        <h1>An ad</h1><p>of an ordinary kind</p><a href="https://shop.example/">Have a look</a>
        <canvas id="c" width="300" height="150"></canvas>
        <script>const c = document.getElementById("c").getContext("2d"); for (let i = 0; i < 200; i++) {
        c.fillStyle = `hsl(${i * 7} 80% 60%)`; c.fillRect(i % 20 * 15, Math.floor(i / 20) * 15, 14, 14); }</script>
        </body></html>
        """

    static func run(_ bench: Bench) async throws {
        let folder = try BenchFolder()
        defer { folder.remove() }
        // What browsers leave behind is looked for where they are told to put it.
        let own = folder.file("profiles")
        mkdir(own, 0o755)
        let before = getenv("TMPDIR").map { String(cString: $0) }
        setenv("TMPDIR", own, 1)
        defer { if let before { setenv("TMPDIR", before, 1) } else { unsetenv("TMPDIR") } }

        let presenter: ChromiumPresenter
        do { presenter = try self.presenter() } catch { throw LeftOut(reason: "no browser: \(error)") }
        var peer: PlaywrightPeer?
        do throws(WishError) {
            peer = try PlaywrightPeer(browser: presenter.browserPath, creative: self.creative, folder)
        } catch {
            bench.leaveOut("what Playwright takes for the same", error.message)
        }
        var fault: (any Error)?
        do {
            try await self.colds(peer, bench)
            try await self.show(presenter)
            for lanes in [1, 4] { try await self.turns(presenter, peer, lanes: lanes, bench) }
        } catch {
            fault = error
        }
        // Whatever went wrong, neither browser outlives it.
        await presenter.close()
        peer?.end()
        if let fault { throw fault }
        try await self.memory(own, bench)
    }

    // MARK: With a peer

    private static func colds(_ peer: PlaywrightPeer?, _ bench: Bench) async throws {
        var turns = Turns()
        for _ in 0..<bench.full(15, quick: 1) { turns.take(try await self.cold(), try peer?.cold()) }
        turns.tell("a browser from its start to the first picture", .all("ms"), aim: .atMost(0.6), bench)
    }

    private static func turns(
        _ presenter: ChromiumPresenter,
        _ peer: PlaywrightPeer?,
        lanes: Int,
        _ bench: Bench
    ) async throws {
        let ads = bench.full(12, quick: 4)
        var rates = Turns()
        var work = Turns()
        for _ in 0..<bench.full(15, quick: 1) {
            let before = BrowserFigures.busySeconds
            let own = try await self.throughput(presenter, lanes: lanes, ads: ads)
            let between = BrowserFigures.busySeconds
            let other = try peer?.throughput(lanes: lanes, ads: ads)
            let after = BrowserFigures.busySeconds
            rates.take(own, other)
            work.take(
                (between - before) * 1000 / Double(ads),
                other.map { _ in (after - between) * 1000 / Double(ads) }
            )
        }
        let name = lanes == 1 ? "one at a time" : "\(lanes) at a time"
        rates.tell("ads shown, photographed and closed, \(name)", .rate("ads"), aim: .atLeast(1.3), bench)
        work.tell("processor time of an ad, \(name)", .each("ms"), bench)
    }

    /// What was measured of us, and of the peer right after where there is one.
    private struct Turns {
        private var pairs = Pairs()
        private var alone: [Double] = []

        mutating func take(_ own: Double, _ other: Double?) {
            if let other { self.pairs.take(own, floor: other) } else { self.alone.append(own) }
        }

        func tell(_ what: String, _ unit: Unit, aim: Figure.Aim? = nil, _ bench: Bench) {
            if self.alone.isEmpty {
                bench.tell(what, self.pairs, against: "Playwright", unit, aim: aim)
            } else {
                bench.tell(what, self.alone, unit)
            }
        }
    }

    // MARK: Ours

    private static func presenter() throws -> ChromiumPresenter {
        var options = ChromiumOptions()
        options.network = .closed
        // The peer has no sandbox of the browser's where it runs as root, and nobody is to win by that.
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

    private static func show(_ presenter: ChromiumPresenter) async throws {
        let container = await presenter.container(for: .interstitial)
        let size = CreativeLayout(.adaptive, in: container)
        let options = StageOptions(ad: AdID("bench"), kind: .interstitial, size: size)
        let creative = Creative.html(HTMLCreative(markup: self.creative, document: self.creative))
        let stage = try await presenter.stage(creative, options) { _ in }
        await stage.reveal()
        let picture = try await stage.picture()
        guard picture.count > 1_000 else { throw WishError(message: "there is no picture") }
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

    /// The browser's memory while many ads come and go, and what is there when it is closed.
    private static func memory(_ folder: String, _ bench: Bench) async throws {
        let presenter = try self.presenter()
        let steps = bench.full([20, 80, 140, 200], quick: [1, 2])
        for number in 1...(steps.last ?? 1) {
            try await self.show(presenter)
            guard steps.contains(number) else { continue }
            let group = presenter.processGroup.map { BrowserFigures.residentBytes(ofGroup: $0) } ?? 0
            let size = Figure.Amount(number, "ads one after the other")
            bench.tell("the browser's memory", [Double(group) / 1_048_576], .each("MiB"), at: size)
            bench.tell("our own", [Double(ProcessFigures.residentBytes) / 1_048_576], .each("MiB"), at: size)
        }
        let group = presenter.processGroup
        await presenter.close()
        let left = group.map { BrowserFigures.processes(ofGroup: $0).count } ?? 0
        bench.tell("left when it is closed", [Double(left)], .all("processes"))
        bench.tell("left on the disk", [Double(BenchFolder.names(in: folder).count)], .all("folders"))
    }
}
