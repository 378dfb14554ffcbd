import AdCore
import PlayConsole

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

/// The settings of the browser stage.
struct BrowserSettings: Equatable, Sendable {
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
        case terminal, chromium, none
    }

    static let stage = Option<Kind>(
        "--stage",
        "Where to show ads: as text, in a browser, or without output. (default: terminal)"
    )
    static let screenshot = Option(
        "--screenshot",
        .file,
        "Save a PNG screenshot before the ad closes. Uses chromium.",
        OptionValue.text
    )
    static let allowedHost = Option(
        "--allow-host",
        aliases: ["--neighbour"],
        .other("<url>"),
        "Let ads in the browser request a server on loopback or in the local network. Repeatable.",
        isRepeatable: true,
        OptionValue.host
    )
    static let headful = Flag("--headful", "Open a browser window.")
    static let scale = Option(
        "--scale",
        .other("<number>"),
        "The browser's device pixel ratio, from 1 to 4. (default: 1, or 2 with --report or --screenshot)",
        OptionValue.number(1...4)
    )
    static let allowBlank = Flag(
        "--allow-blank",
        "Accept a blank ad, which otherwise ends with exit code 5."
    )
    static let noSandbox = Flag("--no-sandbox", "Run the browser without its sandbox.")

    static let options: [any OptionDeclaration] = [
        stage, screenshot, allowedHost, headful, scale, allowBlank, noSandbox,
    ]

    static let browserNeedsRealTime =
        "a browser needs real time; remove --clock virtual or --stage chromium"

    /// Nil if the command line names no stage.
    let kind: Kind?
    let browser: BrowserSettings

    init(_ arguments: Arguments) throws(UsageError) {
        self.kind = try arguments.value(Self.stage)
        self.browser = BrowserSettings(
            hasWindow: arguments.has(Self.headful),
            scale: try arguments.value(Self.scale),
            isSandboxed: !arguments.has(Self.noSandbox),
            allowedHosts: try arguments.values(Self.allowedHost),
            picture: try arguments.value(Self.screenshot),
            allowsBlank: arguments.has(Self.allowBlank)
        )
    }

    /// The requested stage.
    ///
    /// A screenshot or a window implies a browser. A report uses one if it is installed.
    func choice(in time: PlayTime, report: String?) throws(UsageError) -> StageChoice {
        let impliesBrowser = self.browser.picture != nil || self.browser.hasWindow
        switch self.kind ?? (impliesBrowser ? .chromium : .terminal) {
        case .chromium:
            guard !time.isVirtual else { throw UsageError(Self.browserNeedsRealTime) }
            return .browser(self.browser)
        case .terminal, .none:
            let isPictured = self.kind == nil && report != nil && !time.isVirtual
            try self.refuseBrowserOptions(isPictured: isPictured)
            if isPictured { return .browserIfFound(self.browser) }
            return self.kind == StageSelection.Kind.none ? .none : .terminal
        }
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
