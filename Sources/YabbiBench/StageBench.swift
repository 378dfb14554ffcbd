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
enum StageBench {
    private static let rounds = 5
    private static let colds = 3
    private static let ads = 32
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

        var ours: [Round] = []
        var peers: [Round] = []
        var trouble: String?
        for _ in 0..<self.rounds {
            let (round, path) = try await self.round()
            ours.append(round)
            switch self.peer(path, folder) {
            case .success(let peer): peers.append(peer)
            case .failure(let failure): trouble = failure.message
            }
        }
        func line(_ name: String, _ unit: String, _ figure: KeyPath<Round, Double>) -> JSON {
            let (values, others) = (ours.map { $0[keyPath: figure] }, peers.map { $0[keyPath: figure] })
            // Each round is held against the one beside it: what else the machine does falls on both.
            let ratios = others.count == values.count ? zip(values, others).map { $0 / $1 } : []
            return [
                "benchmark": .string("stage " + name), "unit": .string(unit),
                "median": ProcessFigures.rounded(ProcessFigures.median(values)),
                "playwright": others.isEmpty ? nil : ProcessFigures.rounded(ProcessFigures.median(others)),
                "ratio": ratios.isEmpty ? nil : ProcessFigures.rounded(ProcessFigures.median(ratios)),
                "ratios": ratios.isEmpty ? nil : .array(ratios.map(ProcessFigures.rounded)),
            ]
        }
        var figures = [
            line("cold to the first picture", "ms", \.cold), line("warm, one lane", "ads/s", \.one),
            line("warm, four lanes", "ads/s", \.four),
        ]
        if let trouble { figures.append(["benchmark": "stage", "noPeer": .string(trouble)]) }
        figures.append(try await self.memory(own))
        return figures
    }

    /// What one round came to.
    private struct Round {
        let cold: Double
        let one: Double
        let four: Double
    }

    // MARK: Ours

    /// One round, and the browser that it was with.
    private static func round() async throws -> (Round, String) {
        var colds: [Double] = []
        for _ in 0..<self.colds { colds.append(try await self.cold()) }
        let presenter = try self.presenter()
        try await self.show(presenter)
        let one = try await self.throughput(presenter, lanes: 1)
        let four = try await self.throughput(presenter, lanes: 4)
        await presenter.close()
        return (Round(cold: ProcessFigures.median(colds), one: one, four: four), presenter.browserPath)
    }

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
            "foldersLeft": .int(BrowserFigures.names(in: folder).count),
        ]
    }
}

/// Playwright, doing the same.
extension StageBench {
    /// One round of it; says why there is none.
    private static func peer(_ browser: String, _ folder: BenchFolder) -> Result<Round, WishError> {
        let script = folder.file("peer")
        let page = folder.file("creative")
        guard self.write(PackageResources.playwright_py, script), self.write(Array(self.creative.utf8), page),
            let pipe = popen("python3 '\(script)' '\(browser)' '\(page)' yes \(self.colds) \(self.ads) 2>&1", "r")
        else { return .failure(WishError(message: "the peer can't be started")) }
        var text = ""
        var buffer = [CChar](repeating: 0, count: 4096)
        while fgets(&buffer, Int32(buffer.count), pipe) != nil {
            text += String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        let status = pclose(pipe)
        let last = text.split(separator: "\n").last.map(String.init) ?? ""
        guard status == 0, let json = try? JSON(parsing: last), let one = json["one"]?.number,
            let four = json["four"]?.number, let colds = json["cold"]?.array?.compactMap(\.number), !colds.isEmpty
        else { return .failure(WishError(message: "no Playwright (pip install playwright): \(last.excerpt(200))")) }
        return .success(Round(cold: ProcessFigures.median(colds), one: one, four: four))
    }

    private static func write(_ bytes: [UInt8], _ path: String) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        defer { fclose(file) }
        return fwrite(bytes, 1, bytes.count, file) == bytes.count
    }
}

/// What the system says of a browser's processes.
private enum BrowserFigures {
    /// The processes of a group that live.
    static func processes(ofGroup group: Int32) -> [String] {
        self.names(in: "/proc").filter { name in
            guard name.allSatisfy(\.isNumber), let stat = self.text("/proc/\(name)/stat") else { return false }
            // The name in brackets may hold anything; behind it stand the state, the parent and the group.
            let rest = stat.split(separator: ")").last?.split(separator: " ") ?? []
            return rest.count > 2 && Int32(rest[2]) == group && rest[0] != "Z"
        }
    }

    /// The memory of a group's processes, what they share being counted once.
    static func residentBytes(ofGroup group: Int32) -> Int {
        self.processes(ofGroup: group).reduce(0) { sum, name in
            let line = self.text("/proc/\(name)/smaps_rollup")?.split(separator: "\n").first { $0.hasPrefix("Pss:") }
            return sum + (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) * 1024
        }
    }

    static func names(in folder: String) -> [String] {
        guard let folder = opendir(folder) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func text(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
