import AdCore

/// Everything that the command line can say.
struct Settings: Sendable {
    /// What to do.
    enum Command: String, CaseIterable, Sendable {
        case demo, show, load, watch, inspect, lint, replay, outbox, reconcile, sandbox, doctor, completions, manual,
            help
    }

    /// The shells that words can be completed in.
    enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    /// What to do with the ledger.
    enum OutboxAct: String, CaseIterable, Sendable {
        case list, flush, prune
    }

    /// Whom to ask.
    enum Provider: String, CaseIterable, Sendable {
        case yabbi, openrtb, attentionmarket, ceedads, activeads, smartico

        /// Whether it is asked for creatives by the names of units.
        var hasUnits: Bool { self == .yabbi || self == .openrtb }

        /// Whether it pushes what it has over a connection.
        var isConnected: Bool { self == .smartico }
    }

    /// Where to show.
    enum StageKind: String, CaseIterable, Sendable {
        case terminal, chromium, none
    }

    /// Which time to live by.
    enum ClockKind: String, CaseIterable, Sendable {
        case real, virtual
    }

    /// Why a connection is not watched in virtual time.
    static let connectionNeedsRealTime =
        "a connection lives in real time: its server asks when it likes whether somebody is there, and pushes when it likes; leave out --clock virtual"

    /// Why a ledger goes no faster.
    static let ledgerNeedsRealTime =
        "--ledger keeps what a server is owed, by the time of its own; leave out --speed"

    /// Why virtual time goes no faster.
    static let speedNeedsRealTime = "--speed is for real time, and virtual time takes none; leave one of them out"

    /// Why a browser does not show in virtual time.
    static let browserNeedsRealTime = "a browser lives in real time; leave out --clock virtual, or --stage chromium"

    /// Why a ledger that others use is not worked on in virtual time: it would be days older in a moment.
    static let needsRealTime =
        "--ledger keeps what a real server is owed, and that takes real time; leave out --clock virtual"

    var command = Command.demo
    /// What `show`, `load` and `replay` are given, and the topic of `help`.
    var source: String?
    /// What `inspect` and `lint` are given, in order.
    var inputs: [String] = []
    /// Whether `inspect` follows wrappers, and from which files instead of servers.
    var follows = false
    var map: String?
    /// What `outbox` does.
    var outboxAct: OutboxAct?
    /// The shell that `completions` is for.
    var shell: Shell?
    /// The file in which beacons are kept; nil for memory.
    var ledger: String?
    /// What `outbox list` is limited to; nil for everything.
    var states: Set<String>?
    /// Whether `outbox prune` forgets also what never arrived, or may not have.
    var forgetsAll = false
    /// How old a beacon's end must be for `outbox prune` to forget it.
    var age: Duration?
    var isJSON = false
    var isSARIF = false
    var isMarkdown = false
    /// Whether warnings of `lint` count as errors do.
    var isStrict = false
    /// Whether `lint` tells its rules instead of looking at anything.
    var listsRules = false
    /// What `lint` passes over.
    var ignoredRules: [String] = []
    var endpoint: HTTPURL?
    /// Where the socket of a provider is that stays connected.
    var socket: SocketURL?
    var publisher = "00000000-0000-0000-0000-000000000001"
    var unit: String?
    var bundle = "com.example.play"
    var appName = "Yabbi Play"
    var ifa: String?
    var location: AdContext.Location?
    var container: Size?
    /// Nil where the command line does not say.
    var chosenStage: StageKind?
    /// Where to show, as far as the command line decides it: a picture is made by a browser, and a window is one's.
    var stage: StageKind { self.chosenStage ?? (self.picture == nil && !self.hasWindow ? .terminal : .chromium) }
    /// Whether a browser could show what is asked for.
    var canShowInBrowser: Bool { self.command == .show && !self.isVirtual }
    /// The file that a picture of the ad goes to.
    var picture: String?
    /// The folder that a report goes to.
    var report: String?
    /// The file that a trace goes to.
    var trace: String?
    /// Whether secrets stand in it.
    var tracesSecrets = false
    /// How many times as fast as real time it is to go, where the command line says so.
    var chosenSpeed: Double?
    /// How many times as fast as real time it goes.
    var speed: Double { self.chosenSpeed ?? 1 }
    /// Servers on this machine and its network that what is shown in a browser may ask.
    var neighbours: [HTTPURL] = []
    /// Whether the browser shows a window.
    var hasWindow = false
    /// How many pixels a point of the screen has; nil where that was not said.
    var scale: Double?
    /// Whether an ad of which nothing was visible is as good as another.
    var allowsBlank = false
    /// Whether the browser's own sandbox is on.
    var isSandboxed = true
    /// Nil where the command line does not say: the demo jumps over every wait, the rest takes its time.
    var clock: ClockKind?
    /// Whether time jumps over every wait.
    var isVirtual: Bool { (self.clock ?? (self.command == .demo ? .virtual : .real)) == .virtual }
    var script = Script()
    var timeout = Duration.seconds(10)
    var seed: UInt64?
    var creatives: String?
    var opensLinks = false
    var resends = false
    var isDryRun = false
    var repeats = 1
    var provider = Provider.yabbi
    /// What the provider is told by its own names.
    var parameters = Parameters()
    var format: AdFormat?
    var port: UInt16 = 0
    /// Where the hits are that `reconcile` holds the ledger against.
    var hits: String?
    /// How long `watch` goes on; nil until it is told to end.
    var watchFor: Duration?
    /// How long after it was recorded a beacon is late.
    var lateAfter = Duration.seconds(60)
    /// Whether `reconcile` lists what matched as well.
    var listsAll = false
    var isHelp = false
    var isVersion = false
}

/// The command line can't be understood: what is wrong and what to write instead.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let message: String

    init(_ message: String) { self.message = message }

    var description: String { self.message }
}
