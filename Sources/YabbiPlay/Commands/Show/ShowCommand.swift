import AdCore
import PlayConsole
import PlayStages

/// Loads ads and shows each until it closes.
struct ShowCommand: Command {
    static let name = "show"
    static let usage = "show [<source>]"
    static let summary = "Load an ad, show it until it closes, and list the trackers that fired."
    static let discussion = [ShowDiscussion.showing, ShowDiscussion.pages]
    static let operand = LoadRun.operand
    static let operandSummary = LoadRun.operandSummary
    static let exitCodes: [ExitCode] = [.done, .usage, .noFill, .loadFailed, .showFailed, .beacons]
    static let options: [any OptionDeclaration] = LoadRun.options + ofStage + [TimeOptions.speed]
    /// The options that only showing an ad uses.
    static let ofStage: [any OptionDeclaration] = StageSelection.options + [steps, open]

    static let steps = Option(
        "--do",
        .steps(UserScript.Action.simple.map { "\($0.word)@" }, placeholder: "<steps>"),
        "Script the user, for example \"click@2s,close@6s\"; times count from the reveal."
    ) { (text, _) throws(UsageError) in try UserScript(parsing: text) }
    static let open = Flag("--open", "Open clicked links with xdg-open.")

    let run: LoadRun
    let stage: StageChoice
    let script: UserScript
    let opensLinks: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        let options = try RunOptions(arguments)
        let time = try TimeOptions(arguments, ledger: options.ledger).time(default: .real)
        self.run = try LoadRun(arguments, options, in: time)
        self.opensLinks = arguments.has(Self.open)
        if time.isVirtual, self.opensLinks { throw UsageError("--open needs real time; remove --clock virtual") }
        self.stage = try StageSelection(arguments).choice(in: time, report: options.report)
        if case .browser(let settings) = self.stage, settings.picture != nil, self.run.repeats > 1 {
            throw UsageError("--screenshot can't be combined with --repeat; remove one of them")
        }
        self.script = try arguments.value(Self.steps) ?? UserScript()
    }

    /// The files that it writes.
    var output: OutputFiles {
        OutputFiles(self.run.options, source: self.run.query.source, picture: self.stage.browser?.picture)
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        try self.output.check()
        var plan = self.run.plan(for: Self.name, on: self.stage)
        plan.opensLinks = self.opensLinks
        return try await self.run.run(plan, on: console, showing: self.script)
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

    let run: LoadRun

    init(_ arguments: Arguments) throws(UsageError) {
        let options = try RunOptions(arguments)
        let time = try TimeOptions(arguments, ledger: options.ledger).time(default: .real)
        self.run = try LoadRun(arguments, options, in: time)
        // Cards and engagements have their own size, and are not requested by one.
        if case .placement = self.run.query { return }
        try arguments.refuse([RunOptions.size], "is for placements, or for show; remove it")
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        try OutputFiles(self.run.options, source: self.run.query.source).check()
        return try await self.run.run(
            self.run.plan(for: Self.name, on: .terminal),
            on: console,
            showing: nil
        )
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

    static let pages = """
        The terminal stage simulates smartico's pages: it fetches the page, and sends the app the messages that the real
        page sends. click follows the first deep link of a popup, spins the wheel of a game, or starts the widget's game.
        Messages to the page's own server are simulated only if the page's script declares them; they are not beacons.
        """
}
