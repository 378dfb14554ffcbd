import AdCore
import PlayConsole
import PlayStages

/// The stage that shows ads.
enum StageChoice: Equatable, Sendable {
    /// The terminal stage, without output.
    case none
    case terminal
    /// A browser, which must be installed.
    case browser(BrowserSettings)
    /// A browser for the pictures of a report. The terminal if none is installed.
    case browserIfFound(BrowserSettings)

    /// The settings of the browser; nil if none is started.
    var browser: BrowserSettings? {
        switch self {
        case .none, .terminal: nil
        case .browser(let settings), .browserIfFound(let settings): settings
        }
    }
}

/// How the ads of a run are shown: the time, and the stage in it.
enum Showing: Equatable, Sendable {
    /// Virtual time, in which only the terminal stage shows ads.
    case virtual(isSilent: Bool)
    /// The system's time, multiplied by a factor; links may be opened on the desktop.
    case real(speed: Double, StageChoice, opensLinks: Bool)

    /// The terminal stage in this time.
    init(terminalIn time: PlayTime) {
        switch time {
        case .virtual: self = .virtual(isSilent: false)
        case .real(let speed): self = .real(speed: speed, .terminal, opensLinks: false)
        }
    }

    var time: PlayTime {
        switch self {
        case .virtual: .virtual
        case .real(let speed, _, _): .real(speed: speed)
        }
    }

    var stage: StageChoice {
        switch self {
        case .virtual(let isSilent): isSilent ? .none : .terminal
        case .real(_, let stage, _): stage
        }
    }

    var opensLinks: Bool { if case .real(_, _, let opensLinks) = self { opensLinks } else { false } }
}

/// The settings of the browser stage.
struct BrowserSettings: Equatable, Sendable {
    /// Its engine.
    var engine = BrowserEngineKind.chromium
    /// Whether it opens a window.
    var hasWindow = false
    /// Pixels for each point; nil for the default.
    var scale: Double?
    /// Whether the browser's own sandbox is on.
    var isSandboxed = true
    /// Servers on loopback or in the local network that creatives may request.
    var allowedHosts: [HTTPURL] = []
    /// The file of the screenshot.
    var picture: String?
    /// Whether a blank ad counts as shown.
    var allowsBlank = false
}

/// The options that choose a stage, and those of the browser.
struct StageSelection: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case terminal, chromium, webkit, none

        /// The engine of a browser; nil for the other stages.
        var engine: BrowserEngineKind? {
            switch self {
            case .chromium: .chromium
            case .webkit: .webKit
            case .terminal, .none: nil
            }
        }
    }

    static let stage = Option<Kind>(
        "--stage",
        "Where to show ads: as text, in a browser, or without output.",
        otherwise: Kind.terminal.rawValue
    )
    /// The stage of `show`, which can be both browsers.
    static let stages = Option<[Kind]>(
        "--stage",
        .words(Kind.allCases.map(\.rawValue), placeholder: "<stage>[,<stage>]"),
        "Where to show ads: terminal, chromium, webkit or none; chromium,webkit shows them in both, and compares.",
        otherwise: Kind.terminal.rawValue,
        StageSelection.kinds
    )
    /// The browser of commands that need one.
    static let engine = Option<BrowserEngineKind>(
        "--stage",
        "The browser that shows ads.",
        otherwise: BrowserEngineKind.chromium.rawValue
    )
    static let screenshot = Option(
        "--screenshot",
        .file,
        "Save a PNG screenshot before the ad closes; in chromium without --stage.",
        OptionValue.text
    )
    static let allowedHost = Option(
        "--allow-host",
        aliases: ["--neighbour"],
        .other("<url>"),
        "Allow ads in the browser to request a server on loopback or in the local network. Repeatable.",
        isRepeatable: true,
        OptionValue.host
    )
    static let headful = Flag("--headful", "Open a browser window.")
    static let scale = Option(
        "--scale",
        .other("<number>"),
        "The browser's device pixel ratio, from 1 to 4.",
        otherwise: "1, or 2 with --report or --screenshot",
        OptionValue.number(1...4)
    )
    static let allowBlank = Flag(
        "--allow-blank",
        "Accept a blank ad, which otherwise ends with exit code 5."
    )
    static let noSandbox = Flag("--no-sandbox", "Run the browser without its sandbox.")

    static let options: [any OptionDeclaration] = [stage] + ofBrowsers
    /// The options of `show`.
    static let showing: [any OptionDeclaration] = [stages] + ofBrowsers
    private static let ofBrowsers: [any OptionDeclaration] = [
        screenshot, allowedHost, headful, scale, allowBlank, noSandbox,
    ]
    /// The options of `watch`.
    static let watching: [any OptionDeclaration] = [stage, allowedHost, noSandbox]

    static let browserNeedsRealTime =
        "a browser needs real time; remove --clock virtual or --stage chromium"

    /// Nil if the command line names no stage.
    let kind: Kind?
    /// The browser that shows the ads too, after the first one; nil for none.
    let second: BrowserEngineKind?
    let browser: BrowserSettings

    /// Reads the options of a command with one stage.
    init(_ arguments: Arguments) throws(UsageError) {
        try self.init(arguments, [arguments.value(Self.stage)].compactMap(\.self))
    }

    /// Reads the options of `show`.
    init(showing arguments: Arguments) throws(UsageError) {
        try self.init(arguments, arguments.value(Self.stages) ?? [])
    }

    private init(_ arguments: Arguments, _ kinds: [Kind]) throws(UsageError) {
        self.kind = kinds.first
        self.second = kinds.count > 1 ? kinds[1].engine : nil
        self.browser = BrowserSettings(
            engine: self.kind?.engine ?? .chromium,
            hasWindow: arguments.has(Self.headful),
            scale: try arguments.value(Self.scale),
            isSandboxed: !arguments.has(Self.noSandbox),
            allowedHosts: try arguments.values(Self.allowedHost),
            picture: try arguments.value(Self.screenshot),
            allowsBlank: arguments.has(Self.allowBlank)
        )
    }

    /// Reads the options of `watch`.
    init(watching arguments: Arguments) throws(UsageError) {
        self.kind = try arguments.value(Self.stage)
        self.second = nil
        self.browser = BrowserSettings(
            engine: self.kind?.engine ?? .chromium,
            isSandboxed: !arguments.has(Self.noSandbox),
            allowedHosts: try arguments.values(Self.allowedHost)
        )
    }

    /// The requested stage in a time.
    ///
    /// A screenshot or a window implies a browser. A report uses one if it is installed.
    func showing(in time: PlayTime, report: String?, opensLinks: Bool = false) throws(UsageError) -> Showing {
        if time.isVirtual, opensLinks { throw UsageError("--open needs real time; remove --clock virtual") }
        let impliesBrowser = self.browser.picture != nil || self.browser.hasWindow
        switch self.kind ?? (impliesBrowser ? .chromium : .terminal) {
        case .chromium, .webkit:
            guard case .real(let speed) = time else { throw UsageError(Self.browserNeedsRealTime) }
            return .real(speed: speed, .browser(self.browser), opensLinks: opensLinks)
        case .terminal, .none:
            let isPictured = self.kind == nil && report != nil && !time.isVirtual
            try self.refuseBrowserOptions(isPictured: isPictured)
            let isSilent = self.kind == StageSelection.Kind.none
            guard case .real(let speed) = time else { return .virtual(isSilent: isSilent) }
            let stage: StageChoice = isPictured ? .browserIfFound(self.browser) : isSilent ? .none : .terminal
            return .real(speed: speed, stage, opensLinks: opensLinks)
        }
    }

    /// The stages in a time: one, or two browsers.
    func showings(in time: PlayTime, report: String?, opensLinks: Bool) throws(UsageError) -> [Showing] {
        let first = try self.showing(in: time, report: report, opensLinks: opensLinks)
        guard let second else { return [first] }
        if self.browser.picture != nil {
            throw UsageError("--screenshot can't be combined with two stages; use --report, which has all pictures")
        }
        var settings = self.browser
        settings.engine = second
        return [first, .real(speed: time.speed, .browser(settings), opensLinks: opensLinks)]
    }

    /// One stage, or two browsers.
    private static func kinds(_ text: String, _ name: String) throws(UsageError) -> [Kind] {
        var kinds: [Kind] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            kinds.append(try OptionValue.choice(word.trimmed, name))
        }
        guard kinds.count > 1 else { return kinds }
        if let other = kinds.first(where: { $0.engine == nil }) {
            throw UsageError("\(name) \(text) combines \(other.rawValue) with a browser; name it alone")
        }
        for (index, kind) in kinds.enumerated() where kinds[..<index].contains(kind) {
            throw UsageError("\(name) names \(kind.rawValue) twice")
        }
        return kinds
    }

    private func refuseBrowserOptions(isPictured: Bool) throws(UsageError) {
        let browser = self.browser
        let given: [(isGiven: Bool, name: String)] = [
            (browser.picture != nil, Self.screenshot.name), (browser.hasWindow, Self.headful.name),
            (!browser.isSandboxed, Self.noSandbox.name), (browser.allowsBlank, Self.allowBlank.name),
            (browser.scale != nil, Self.scale.name),
            (!browser.allowedHosts.isEmpty && !isPictured, Self.allowedHost.name),
        ]
        guard let name = given.first(where: \.isGiven)?.name else { return }
        throw UsageError("\(name) requires a browser; add --stage chromium")
    }
}
