import AdCore
import PlayConsole
import PlayStages

/// Loads ads and shows each until it closes.
struct ShowCommand: Command {
    static let name = "show"
    static let usage = "show [<source>]"
    static let summary = "Load an ad, show it until it closes, and list the trackers that fired."
    static let discussion = [ShowDiscussion.showing, ShowDiscussion.engines, ShowDiscussion.pages]
    static let operand = LoadRun.operand
    static let operandSummary = LoadRun.operandSummary
    static let exitCodes: [ExitCode] = [.done, .usage, .noFill, .loadFailed, .showFailed, .beacons]
    static let options: [any OptionDeclaration] = LoadRun.options + ofStage + [TimeOptions.speed]
    /// The options that only showing an ad uses.
    static let ofStage: [any OptionDeclaration] = StageSelection.showing + [steps, open]

    static let steps = Option(
        "--do",
        .steps(UserScript.Action.simple.map { "\($0.word)@" }, placeholder: "<steps>"),
        "Script the user, for example \"click@2s,close@6s\"; times count from the reveal."
    ) { (text, _) throws(UsageError) in try UserScript(parsing: text) }
    static let open = Flag("--open", "Open clicked links with xdg-open.")

    enum Action: Sendable {
        /// Prints the request in place of sending it.
        case dryRun(DryRun)
        case show(LoadRun, by: UserScript)
        case compareEngines(EnginesRun, by: UserScript)
    }

    let action: Action

    init(_ arguments: Arguments) throws(UsageError) {
        let options = try RunOptions(requesting: arguments)
        let time = try TimeOptions(arguments, ledger: options.ledger).time(default: .real)
        let query = try AdQuery(arguments, in: time)
        let ofShow = [TimeOptions.speed] + Self.ofStage
        if let dryRun = try DryRun(arguments, query, options, in: time, showing: ofShow) {
            self.action = .dryRun(dryRun)
            return
        }
        let showings = try StageSelection(showing: arguments).showings(
            in: time,
            report: options.report,
            opensLinks: arguments.has(Self.open)
        )
        let run = try LoadRun(arguments, query, options, showings[0])
        if case .browser(let settings) = run.showing.stage, settings.picture != nil, run.repeats > 1 {
            throw UsageError("--screenshot can't be combined with --repeat; remove one of them")
        }
        let script = try arguments.value(Self.steps) ?? UserScript()
        if let both = try EnginesRun(run, showings) {
            self.action = .compareEngines(both, by: script)
        } else {
            self.action = .show(run, by: script)
        }
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        switch self.action {
        case .dryRun(let dryRun): try await dryRun.run(for: Self.name, on: console)
        case .show(let run, let script): try await run.run(for: Self.name, on: console, by: script)
        case .compareEngines(let run, let script): try await run.run(for: Self.name, on: console, by: script)
        }
    }
}

/// Loads ads without showing them.
struct LoadCommand: Command {
    static let name = "load"
    static let usage = "load [<source>]"
    static let summary = "Load an ad without showing it, and print its creative, sizes, rules and trackers."
    static let operand = LoadRun.operand
    static let operandSummary = LoadRun.operandSummary
    static let exitCodes: [ExitCode] = [.done, .usage, .noFill, .loadFailed, .beacons]
    static let options = LoadRun.options

    enum Action: Sendable {
        /// Prints the request in place of sending it.
        case dryRun(DryRun)
        case load(LoadRun)
    }

    let action: Action

    init(_ arguments: Arguments) throws(UsageError) {
        let options = try RunOptions(requesting: arguments)
        let time = try TimeOptions(arguments).time(default: .real)
        let query = try AdQuery(arguments, in: time)
        if let dryRun = try DryRun(arguments, query, options, in: time) {
            self.action = .dryRun(dryRun)
        } else {
            self.action = .load(try LoadRun(arguments, query, options, Showing(terminalIn: time)))
        }
        // Cards and engagements have their own size, and are not requested by one.
        if case .placement = query { return }
        try arguments.refuse([RunOptions.size], "is for placements, or for show; remove it")
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        switch self.action {
        case .dryRun(let dryRun): try await dryRun.run(for: Self.name, on: console)
        case .load(let run): try await run.run(for: Self.name, on: console, by: nil)
        }
    }
}

/// The help about showing ads.
enum ShowDiscussion {
    static let showing = """
        The actions of --do are \(UserScript.Action.forms.joined(separator: ", ")). cover, scroll and background at 0s apply before the
        reveal. After the last action the ad is closed as soon as it can be. click taps the first visible link, button or
        element with an onclick handler, or else the middle of the creative.

        On a terminal, keys control the ad: c click, x close, q quit, space cover or uncover; in a video, space pause or
        play, s skip, m mute. Without --do the ad stays open until a key closes it; without a terminal, a video is watched
        to its end. The terminal stage does not draw videos: it fetches the media file and lets its duration pass.

        Without --size, a banner's container has the size that its document declares: meta ad.size, or the size of its only
        element or image. A VAST tag uses the size of its media file. Without --format, the response decides the format.
        """

    static let engines = """
        With --stage chromium,webkit the ad is shown in both browsers, one after the other, and what differs is listed as
        compare does it: trackers, events, requests, pictures, layout, console. A file or tag is read once; an ad of a
        provider is requested by each. Each has its own impression; --no-beacons sends none. --report writes a page with
        two columns, and the report of each browser in a folder of its own. Differences do not change the exit code.
        """

    static let pages = """
        The terminal stage simulates smartico's pages: it fetches the page, and sends the app the messages that the real
        page sends. click follows the first deep link of a popup, spins the wheel of a game, or starts the widget's game.
        Messages to the page's own server are simulated only if the page's script declares them; they are not beacons.
        """
}
