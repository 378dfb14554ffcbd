import AdCore
import PlayConsole

/// Where ads are shown.
enum StageChoice: Equatable, Sendable {
    /// Without output.
    case none
    /// On the terminal.
    case terminal
    /// In a browser, which must be there.
    case browser(BrowserSettings)
    /// In a browser where one is found, for the pictures of a report; otherwise on the terminal.
    case browserIfFound(BrowserSettings)

    /// The settings of the browser; nil where none is started.
    var browser: BrowserSettings? {
        switch self {
        case .none, .terminal: nil
        case .browser(let settings), .browserIfFound(let settings): settings
        }
    }
}

/// How a browser shows.
struct BrowserSettings: Equatable, Sendable {
    /// Whether it opens a window.
    var hasWindow = false
    /// Pixels for each point; nil for the usual.
    var scale: Double?
    /// Whether the browser's own sandbox is on.
    var isSandboxed = true
    /// Servers on this machine and its network that creatives may call.
    var allowedHosts: [HTTPURL] = []
    /// The file that a picture of the ad goes to.
    var picture: String?
    /// Whether an ad of which nothing was visible is as good as another.
    var allowsBlank = false
}

/// The options that choose a stage, and those of the browser.
struct StageSelection: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case terminal, chromium, none
    }

    static let stage = Option<Kind>(
        "--stage",
        "where to show: terminal by default; chromium is a real browser; none shows without a picture"
    )
    static let screenshot = Option(
        "--screenshot",
        .file,
        "a picture of the ad in a browser, as PNG, before it closes",
        OptionValue.text
    )
    static let allowedHost = Option(
        "--neighbour",
        .other("URL"),
        "a server on this machine or its network that an ad in a browser may ask; may be given again",
        isRepeatable: true,
        OptionValue.host
    )
    static let headful = Flag("--headful", "let the browser open a window, for people")
    static let scale = Option(
        "--scale",
        .other("N"),
        "pixels for each point of the browser's screen, as ads see it, from 1 to 4; otherwise 1, or 2 where pictures are made",
        OptionValue.number(1...4)
    )
    static let allowBlank = Flag(
        "--allow-blank",
        "accept an ad of which nothing was visible; otherwise that ends with exit code 5"
    )
    static let noSandbox = Flag("--no-sandbox", "run the browser without its own sandbox, where it can't have one")

    static let browserNeedsRealTime =
        "a browser lives in real time; leave out --clock virtual, or --stage chromium"

    /// Nil where the command line does not say.
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

    /// The stage that is asked for.
    ///
    /// A picture or a window asks for a browser by itself, and a report for one if there is one.
    func choice(in time: PlayTime, report: String?) throws(UsageError) -> StageChoice {
        let asksForBrowser = self.browser.picture != nil || self.browser.hasWindow
        switch self.kind ?? (asksForBrowser ? .chromium : .terminal) {
        case .chromium:
            guard !time.isVirtual else { throw UsageError(Self.browserNeedsRealTime) }
            return .browser(self.browser)
        case .terminal, .none:
            try self.refuseBrowserOptions(report: report)
            if self.kind == nil, report != nil, !time.isVirtual { return .browserIfFound(self.browser) }
            return self.kind == StageSelection.Kind.none ? .none : .terminal
        }
    }

    private func refuseBrowserOptions(report: String?) throws(UsageError) {
        let browser = self.browser
        let given: [(isGiven: Bool, name: String)] = [
            (browser.picture != nil, Self.screenshot.name), (browser.hasWindow, Self.headful.name),
            (!browser.isSandboxed, Self.noSandbox.name), (browser.allowsBlank, Self.allowBlank.name),
            (browser.scale != nil, Self.scale.name),
            (!browser.allowedHosts.isEmpty && report == nil, Self.allowedHost.name),
        ]
        guard let name = given.first(where: \.isGiven)?.name else { return }
        throw UsageError("\(name) is for a browser; write --stage chromium")
    }
}
