import AdCore
import PlayConsole
import PlayScan
import PlayStages

/// How creatives are shown and measured.
struct ScanSettings: Sendable {
    static let watch = Option(
        "--watch",
        .other("<seconds>"),
        "How long a creative is watched at least. Videos are watched to their end.",
        OptionValue.seconds
    ).default("1")
    static let noTap = Flag("--no-tap", "Do not tap creatives.")
    static let noFollow = Flag("--no-follow", "Do not follow click-through URLs.")
    static let speed = Option(
        "--speed",
        .other("<factor>"),
        "Run videos and close delays faster, by a factor from 1 to 16.",
        OptionValue.number(1...16)
    ).default("8")
    static let own: [any OptionDeclaration] = [watch, noTap, noFollow, speed, StageSelection.engine]

    /// Options about the computer that scans, or with secrets, which a queue does not store.
    static let local: [any OptionDeclaration] = [
        SimulationOptions.header, SimulationOptions.cookie, StageSelection.allowedHost, StageSelection.noSandbox,
    ]
    /// The options of `show` that a scan passes on for each creative.
    static let shared: [any OptionDeclaration] =
        [PlacementQuery.format, RunOptions.size, RunOptions.timeout] + [AppOptions.bundle] + SimulationOptions.options
        + [StageSelection.allowedHost, StageSelection.noSandbox]
    /// Those of them that a queue stores.
    static let stored: [any OptionDeclaration] = shared.filter { option in !local.contains { $0.name == option.name } }

    let watch: Duration
    let taps: Bool
    let follows: Bool
    let timeout: Duration
    /// The browser that shows creatives.
    let engine: BrowserEngineKind
    /// The words of `show` for each creative.
    private let words: [String]

    init(_ arguments: Arguments) throws(UsageError) {
        self.watch = try arguments.value(Self.watch)
        self.taps = !arguments.has(Self.noTap)
        self.follows = !arguments.has(Self.noFollow)
        if !self.taps, !self.follows { throw UsageError("--no-tap leaves no click to follow; remove --no-follow") }
        let speed = try arguments.value(Self.speed)
        self.timeout = try arguments.value(RunOptions.timeout)
        self.engine = try arguments.value(StageSelection.engine) ?? .chromium
        let stage = ["--stage=\(self.engine.rawValue)", "--speed=\(AdJSON.double(speed).text())"]
        self.words = arguments.words(of: Self.shared) + stage
        // What is wrong with a combination is told before the scan.
        _ = try self.run(of: ScanItem("", .markup([]), from: ""))
    }

    /// Changes when options change that a creative's measures depend on.
    var signature: String {
        let texts = self.words + ["\(self.watch)", "\(self.taps)", "\(self.follows)", CommandVersion.number]
        return String(Checksum.of(texts.joined(separator: "\n")), radix: 16)
    }

    /// The run of `show` for a creative.
    func run(of item: ScanItem) throws(UsageError) -> LoadRun {
        let words = Self.words(self.words, for: item)
        var bytes: [UInt8]?
        let text: String
        switch item.content {
        case .path(let path), .url(let path): text = path
        case .markup(let markup): (text, bytes) = (item.id.isEmpty ? "markup" : item.id, markup)
        case .invalid(let reason): throw UsageError(reason)
        }
        let command = try ShowCommand(try Arguments(words + ["--", text], for: ShowCommand.self))
        guard case .show(var run, _) = command.action else { throw UsageError("the creative is not shown") }
        run.query = run.query.serving(bytes, isDirect: true)
        return run
    }

    /// The words with a creative's own format and size.
    private static func words(_ words: [String], for item: ScanItem) -> [String] {
        var words = words
        if let format = item.format {
            words.removeAll { $0.hasPrefix("--format=") }
            words.append("--format=\(format.rawValue)")
        }
        if let size = item.size {
            words.removeAll { $0.hasPrefix("--size=") }
            words.append("--size=\(AdJSON.double(size.width).text())x\(AdJSON.double(size.height).text())")
        }
        return words
    }
}

// Settings in a queue.

extension ScanSettings {
    /// The words of a submission for one of its creatives, as JSON.
    static func stored(_ arguments: Arguments, for item: ScanItem) -> String {
        let words = self.words(arguments.words(of: Self.own + Self.stored), for: item)
        return AdJSON.array(words.map { .string($0) }).text()
    }

    /// The settings of a creative from a queue, with options of the worker.
    init(stored text: String, _ worker: [String]) throws(UsageError) {
        guard let words = (try? AdJSON.reading(Array(text.utf8)).json)?.array?.compactMap(\.string) else {
            throw UsageError("the settings in the queue can't be read; submit the creative again")
        }
        let known = Set((Self.own + Self.stored).map(\.name))
        if let foreign = words.first(where: { word in !known.contains(String(word.prefix { $0 != "=" })) }) {
            throw UsageError("\(foreign.excerpt(60)) can't be set by a queue; submit the creative again")
        }
        try self.init(Arguments(words + worker, for: ScanCommand.self))
    }
}
