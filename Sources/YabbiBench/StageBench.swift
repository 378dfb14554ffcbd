import AdCore
import ChromiumStage
import SystemLock

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The stage in a browser: from nothing to the first picture, ads in a second, memory over many ads, and what is left;
/// against Playwright doing the same with the same browser, where Python has it.
///
/// Both take turns, some ads each, and each turn is held against the one beside it: what else the machine does falls on
/// both.
enum StageBench {
    private static let colds = 15
    private static let turns = 15
    private static let ads = 12
    private static let many = 200

    private static let creative = """
        <!doctype html><html><body style="margin:0;background:#fde2cf;font:20px sans-serif">
        <h1>An ad</h1><p>of an ordinary kind</p><a href="https://shop.example/">Have a look</a>
        <canvas id="c" width="300" height="150"></canvas>
        <script>const c = document.getElementById("c").getContext("2d"); for (let i = 0; i < 200; i++) {
        c.fillStyle = `hsl(${i * 7} 80% 60%)`; c.fillRect(i % 20 * 15, Math.floor(i / 20) * 15, 14, 14); }</script>
        </body></html>
        """

    static func run() async throws -> [JSON] {
        let folder = try BenchFolder()
        defer { folder.remove() }
        // What browsers leave behind is looked for where they are told to put it.
        let own = folder.file("profiles")
        mkdir(own, 0o755)
        let before = getenv("TMPDIR").map { String(cString: $0) }
        setenv("TMPDIR", own, 1)
        defer { if let before { setenv("TMPDIR", before, 1) } else { unsetenv("TMPDIR") } }

        let presenter = try self.presenter()
        var peer: PlaywrightPeer?
        var figures: [JSON] = []
        do throws(WishError) {
            peer = try PlaywrightPeer(browser: presenter.browserPath, creative: self.creative, folder)
        } catch {
            figures.append(["benchmark": "stage", "noPeer": .string(error.message)])
        }

        var colds = Turns()
        for _ in 0..<self.colds { colds.take(try await self.cold(), try peer?.cold()) }
        figures.append(colds.line("cold to the first picture", "ms"))
        try await self.show(presenter)
        for (lanes, name) in [(1, "warm, one lane"), (4, "warm, four lanes")] {
            var turns = Turns()
            for _ in 0..<self.turns {
                let before = BrowserFigures.busySeconds
                let own = try await self.throughput(presenter, lanes: lanes)
                let between = BrowserFigures.busySeconds
                turns.take(own, try peer?.throughput(lanes: lanes, ads: self.ads))
                let after = BrowserFigures.busySeconds
                if peer != nil {
                    turns.takeWork((between - before) / Double(self.ads), (after - between) / Double(self.ads))
                }
            }
            figures.append(turns.line(name, "ads/s"))
        }
        await presenter.close()
        peer?.end()
        figures.append(try await self.memory(own))
        return figures
    }

    /// What was measured of us, and of the peer right after.
    private struct Turns {
        private var own: [Double] = []
        private var other: [Double] = []
        /// Milliseconds of the processors for each ad, of all processes.
        private var ownWork: [Double] = []
        private var otherWork: [Double] = []

        mutating func take(_ own: Double, _ other: Double?) {
            self.own.append(own)
            if let other { self.other.append(other) }
        }

        mutating func takeWork(_ own: Double, _ other: Double) {
            self.ownWork.append(own * 1000)
            self.otherWork.append(other * 1000)
        }

        func line(_ name: String, _ unit: String) -> JSON {
            let ratios = zip(self.own, self.other).map { $0 / $1 }.sorted()
            let quarters = ratios.isEmpty ? [] : [ratios[ratios.count / 4], ratios[ratios.count * 3 / 4]]
            func median(_ values: [Double]) -> JSON {
                values.isEmpty ? nil : ProcessFigures.rounded(ProcessFigures.median(values))
            }
            return [
                "benchmark": .string("stage " + name), "unit": .string(unit), "median": median(self.own),
                "playwright": median(self.other), "ratio": median(ratios),
                "halfOfTheRatiosWithin": quarters.isEmpty ? nil : .array(quarters.map(ProcessFigures.rounded)),
                "processorMsAnAd": median(self.ownWork), "playwrightProcessorMsAnAd": median(self.otherWork),
            ]
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
        let size = SizeDecision(.adaptive, in: container)
        let options = StageOptions(ad: AdID("bench"), kind: .interstitial, size: size)
        let creative = Creative.html(HTMLCreative(markup: self.creative, document: self.creative))
        let stage = try await presenter.stage(creative, options) { _ in }
        await stage.reveal()
        let picture = try await stage.picture()
        guard picture.count > 1_000 else { throw WishError(message: "there is no picture") }
        await stage.close(.host)
    }

    private static func throughput(_ presenter: ChromiumPresenter, lanes: Int) async throws -> Double {
        let left = Locked(self.ads)
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
        return Double(self.ads) / start.duration(to: .now).inSeconds
    }

    /// The browser's memory while many ads come and go, and what is there when it is closed.
    private static func memory(_ folder: String) async throws -> JSON {
        let presenter = try self.presenter()
        var curve: [JSON] = []
        for number in 1...self.many {
            try await self.show(presenter)
            guard number == 20 || number % 60 == 20 else { continue }
            let group = presenter.processGroup.map { BrowserFigures.residentBytes(ofGroup: $0) } ?? 0
            curve.append([
                "ads": .int(number), "browserMB": .int(group >> 20), "ownMB": .int(ProcessFigures.residentBytes >> 20),
            ])
        }
        let group = presenter.processGroup
        await presenter.close()
        return [
            "benchmark": "stage memory", "curve": .array(curve),
            "processesLeft": .int(group.map { BrowserFigures.processes(ofGroup: $0).count } ?? 0),
            "foldersLeft": .int(BenchFolder.names(in: folder).count),
        ]
    }
}
