import AdCore
import PlayConsole
import PlayStages

/// Loads ads and shows each to its close.
struct ShowCommand: Command {
    static let name = "show"
    static let usage = "show [SOURCE]"
    static let summary = "load an ad and show it, to its close; say what fired, what did not, and why"
    static let notes = [ShowNotes.showing, ShowNotes.pages]
    static let operand = AdSession.operand
    static let options: [any OptionDeclaration] =
        AdSession.options
        + [
            StageSelection.stage, StageSelection.screenshot, StageSelection.allowedHost, StageSelection.headful,
            StageSelection.scale, StageSelection.allowBlank, StageSelection.noSandbox, TimeOptions.speed, steps, open,
        ]

    static let steps = Option(
        "--do",
        .steps(Script.Act.simple.map { "\($0.word)@" }, placeholder: "STEPS"),
        "a scripted user: \"click@2s,close@6s\", each time after the reveal"
    ) { (text, _) throws(UsageError) in try Script(parsing: text) }
    static let open = Flag("--open", "open links for real, with xdg-open")

    let session: AdSession
    let stage: StageChoice
    let script: Script
    let opensLinks: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        let options = try RunOptions(arguments)
        let time = try TimeOptions(arguments, ledger: options.ledger).time(byDefault: .real)
        self.session = try AdSession(arguments, options, in: time)
        self.opensLinks = arguments.has(Self.open)
        if time.isVirtual, self.opensLinks { throw UsageError("--open takes real time; leave out --clock virtual") }
        self.stage = try StageSelection(arguments).choice(in: time, report: options.report)
        if case .browser(let settings) = self.stage, settings.picture != nil, self.session.repeats > 1 {
            throw UsageError("--screenshot makes one picture; leave out --repeat")
        }
        self.script = try arguments.value(Self.steps) ?? Script()
    }

    /// The files that are written.
    var output: OutputFiles {
        OutputFiles(self.session.options, source: self.session.query.source, picture: self.stage.browser?.picture)
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        try self.output.check()
        var plan = self.session.plan(for: Self.name, on: self.stage)
        plan.opensLinks = self.opensLinks
        return try await self.session.run(plan, on: console, showing: self.script)
    }
}

/// Loads ads without showing them.
struct LoadCommand: Command {
    static let name = "load"
    static let usage = "load [SOURCE]"
    static let summary = "load an ad without showing it: the offer, its beacons, sizes and rules"
    static let operand = AdSession.operand
    static let options = AdSession.options

    let session: AdSession

    init(_ arguments: Arguments) throws(UsageError) {
        let options = try RunOptions(arguments)
        let time = try TimeOptions(arguments, ledger: options.ledger).time(byDefault: .real)
        self.session = try AdSession(arguments, options, in: time)
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        try OutputFiles(self.session.options, source: self.session.query.source).check()
        return try await self.session.run(
            self.session.plan(for: Self.name, on: .terminal),
            on: console,
            showing: nil
        )
    }
}

/// What help says about showing ads.
enum ShowNotes {
    static let showing = """
        The acts of --do: \(Script.Act.forms.joined(separator: ", ")). What is covered, scrolled away or in the background at 0s is so before
        anything is seen. When the last act is done the ad is closed as soon as it can be.

        click taps the middle of the creative's first link, button or element with an onclick that can be seen; where there
        is none, the middle of the creative. Each tap is reported with its place and with where it led, or why nowhere.

        On a terminal show is live: it counts down to the close, and takes keys: c clicks, x closes, q quits,
        space covers and uncovers the ad. A video is not drawn: its file is asked for, and time passes; there
        space stops it and lets it go on, s skips, m switches its sound. Without --do the ad then stays until
        a key ends it; a script, or nobody at a terminal, watches a video to its end and leaves.

        Without --size a banner's container is as large as its document says: by meta ad.size, by the width and height of
        its only element or picture; a tag of VAST by itself has the size of its media file. shown says which it was.
        Without --format the slot is the one that the answer is made for.
        """

    static let pages = """
        On the terminal's stage a page of smartico's is simulated: its address is asked for, and it says to the app what
        the real page says. A click follows the first deep link of a popup that does something, spins a game's wheel,
        or plays the widget's game. What a page tells its server by itself is told only where its script names the
        message's class, and is no beacon: lines \u{201C}sent by the page\u{201D} say what it was.
        """
}
