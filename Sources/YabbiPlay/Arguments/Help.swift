import AdCore

/// The texts of `help`, made from the table of options.
enum Help {
    static let version = "0.1.0"

    static let summaries: [(command: Settings.Command, usage: String, summary: String)] = [
        (.demo, "demo", "start the built-in server, show every bundled creative, reconcile the beacons"),
        (.show, "show [SOURCE]", "load an ad and show it, to its close; say what fired, what did not, and why"),
        (.load, "load [SOURCE]", "load an ad without showing it: the offer, its beacons, sizes and rules"),
        (
            .watch, "watch",
            "stay connected to a provider that pushes, and show what comes, until q, Ctrl-C or --for is over"
        ),
        (
            .inspect, "inspect INPUT…",
            "take apart VAST, VMAP, HTML or an answer in JSON; INPUT is a file, an address, or - for standard input"
        ),
        (
            .lint, "lint INPUT…",
            "say what is wrong or risky in a tag or a creative, and what to do; INPUT as for inspect"
        ),
        (
            .replay, "replay TRACE",
            "run a recorded session again, and say where it comes out otherwise; - for standard input"
        ),
        (
            .outbox, "outbox list|flush|prune",
            "the beacons of a ledger: what became of each, try what waits, forget what is over"
        ),
        (
            .reconcile, "reconcile",
            "hold a ledger of beacons against what a server saw: matched, late, lost, doubled, each with its cause"
        ),
        (.sandbox, "sandbox", "run the built-in server until interrupted"),
        (.doctor, "doctor", "say what is installed and works, what could be better, what is broken, and what to do"),
        (
            .completions, "completions SHELL",
            "print a script with which bash, zsh or fish completes commands, options and their values"
        ),
        (.manual, "manual", "print the manual page: yabbi-play manual | man -l -"),
        (.help, "help [TOPIC]", "this, or all about a command; help providers, and help events for --json"),
    ]

    /// What there is help on besides the commands.
    static let topics: [(name: String, text: String)] = [
        ("providers", Self.providers), ("events", EventTable.text),
    ]

    /// All words that help knows something on.
    static let words = Settings.Command.allCases.map(\.rawValue) + topics.map(\.name)

    /// What a command does, in one sentence.
    static func summary(of command: Settings.Command) -> String {
        self.summaries.first { $0.command == command }?.summary ?? ""
    }

    /// How a command is written.
    static func usage(of command: Settings.Command) -> String {
        let usage = self.summaries.first { $0.command == command }?.usage ?? command.rawValue
        return "yabbi-play \(usage)\(Option.all.contains { $0.commands.contains(command) } ? " [OPTIONS]" : "")"
    }

    /// What there is to say of a command besides its options.
    static func notes(on command: Settings.Command) -> [String] {
        switch command {
        case .show: [self.showing, self.pages]
        case .watch: [self.watching, self.pages]
        case .outbox: [self.outbox]
        case .reconcile: [self.verdicts]
        case .doctor: [self.examining]
        case .completions: [self.completing]
        default: []
        }
    }

    /// How wide lines are where nobody says how wide they may be.
    static let usualWidth = 118

    /// The help on a topic, or on everything, in lines of so many columns at most.
    static func text(_ topic: String?, width: Int = usualWidth) throws(UsageError) -> String {
        HelpBlock.read(try self.unwrapped(topic)).flatMap { $0.lines(width: width) }.joined(separator: "\n")
    }

    private static func unwrapped(_ topic: String?) throws(UsageError) -> String {
        guard let topic else { return self.overview }
        if let topic = self.topics.first(where: { $0.name == topic }) { return topic.text }
        guard let command = Settings.Command(rawValue: topic) else {
            let nearest = Suggestion.nearest(to: topic, among: self.words)
            let hint = nearest.map { "did you mean \($0)?" } ?? "topics: \(self.words.joined(separator: ", "))"
            throw UsageError("there is no help on \u{201C}\(topic)\u{201D}; \(hint)")
        }
        return self.text(of: command)
    }

    private static var overview: String {
        let lines = self.summaries.map { "  yabbi-play \(self.padded($0.usage, 25))\($0.summary)" }
        return """
            yabbi-play loads, shows and explains ads.

            \(lines.joined(separator: "\n"))

            Without a command it is yabbi-play demo. SOURCE is an .html, .xml or .json file, the http(s) address of a tag, or -
            for the standard input; without one the provider is asked.

            \(self.everywhere.map { self.row($0.names.joined(separator: ", "), $0.summary) }.joined(separator: "\n"))

            \(self.exitCodes)
            """
    }

    private static func text(of command: Settings.Command) -> String {
        let options = Option.all.filter { $0.commands.contains(command) }
        let rows =
            options.map { ($0.name + ($0.placeholder.map { " " + $0 } ?? ""), $0.summary) }
            + self.everywhere.map { ($0.names.joined(separator: ", "), $0.summary) }
        var parts = ["usage: \(self.usage(of: command))", self.summary(of: command)] + self.notes(on: command)
        parts.append("options:\n" + rows.map(self.row).joined(separator: "\n"))
        if self.hasExitCodes(command) { parts.append(self.exitCodes) }
        return parts.joined(separator: "\n\n")
    }

    /// Whether a command has more to tell by its end than that it is done.
    private static func hasExitCodes(_ command: Settings.Command) -> Bool {
        ![.sandbox, .completions, .manual, .help].contains(command)
    }

    private static let showing = """
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

    private static let examining = """
        Looks at the libraries, at the stages (a browser is started, with its sandbox and without a network, and shows a
        page), at the creatives, at the built-in server, at the folder for temporary files, and with --ledger at a
        ledger: whether the file is whole, and how its beacons are. What killed browsers left among temporary files is
        removed. Each line says fine, could be better or broken; with --json each is an object with check, state (fine,
        improvable, broken), found and cure. It ends with 0 where nothing is broken, with 5 where the browser is there
        or asked for by --stage chromium and shows nothing, or temporary files can't be written, with 4 where the server
        can't be asked or its creatives can't be read, and with 7 where the ledger is damaged or holds dead or
        unconfirmed beacons.
        """

    private static let completing = """
        For a try in a shell that runs:

          source <(yabbi-play completions bash)
          source <(yabbi-play completions zsh)
          yabbi-play completions fish | source

        make install puts all three where the shells look for them.
        """

    private static let watching = """
        Stays connected, and connects again by itself, later each time. What comes is shown on a stage of its own, several
        at once where it comes so, and --do acts on each; without it an ad leaves at once, unless somebody is at the
        terminal to end it. There the last line tells of the connection, and keys are for the ad that came last: c clicks,
        x closes, space covers and uncovers. Others are for the session: o logs out and in again, g opens the widget,
        l changes the language (--set language=… several times), p allows and blocks push notifications, q quits. Told to end, by q, Ctrl-C, a signal or --for, it exits with 0.
        """

    private static let pages = """
        On the terminal's stage a page of smartico's is simulated: its address is asked for, and it says to the app what
        the real page says. A click follows the first deep link of a popup that does something, spins a game's wheel,
        or plays the widget's game. What a page tells its server by itself is told only where its script names the
        message's class, and is no beacon: lines \u{201C}told by the page\u{201D} say what it was.
        """

    private static let outbox = """
        list shows each beacon: how far it came, how often it was tried, when it is tried next, and why. flush tries once,
        at once, whatever waits, whenever it was to be tried; no new attempt begins after --timeout, and what is on its way
        then is waited for, at most 15 s. prune forgets what was delivered; what never arrived, or may not have, only with
        --all, and what still waits never. A forgotten key is a new one: whoever records it again sends it again.

        An app that keeps its beacons in a folder has its ledger there: name the folder, or the file. A ledger that is in
        use may be looked at and flushed: whoever is first sends a beacon, and nobody sends it twice.
        """

    /// What every command takes.
    static let everywhere: [(names: [String], summary: String)] = [
        (["-h", "--help"], "this help, wherever it stands"), (["--version"], "the version, wherever it stands"),
    ]

    private static func row(_ left: String, _ right: String) -> String {
        // A long placeholder gets a line of its own.
        left.count > 26
            ? "  \(left)\n  \(String(repeating: " ", count: 28))\(right)" : "  \(self.padded(left, 28))\(right)"
    }

    private static var exitCodes: String {
        let codes = ExitCode.allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: ", ")
        return "exit codes: \(codes). \(ExitCode.precedence)"
    }

    private static let verdicts = """
        Each beacon is exactly one of these. A call counts when the server took it, even where its answer was lost.
          matched      delivered, and counted once
          late         the same, more than --late after it was recorded
          lost         delivered by the ledger's word, and never counted
          elsewhere    delivered by the ledger's word, to a server of which none of the hits is: ask that one
          doubled      counted more than once; a server that honours Idempotency-Key bills it once all the same
          repeated     sent again under one key, by --resend: its server is said to take each key once
          unconfirmed  in doubt by the ledger's word; the cause says whether it arrived
          dead         given up
          pending      neither sent to its end nor given up
          unknown      arrived, and recorded by nobody: without a key, or with one that is not in the ledger
        Both must speak of the same time: a server that was reset since has forgotten what it counted before.
        """

    private static var providers: String {
        let rows = Settings.Provider.allCases.flatMap { provider in
            Parameters.known[provider, default: []].map { row in
                "  \(Self.padded(provider.rawValue, 17))\(Self.padded(row.name, 22))\(row.about)"
            }
        }
        return Self.aboutProviders + "\n\n" + rows.joined(separator: "\n")
    }

    private static let aboutProviders = """
        yabbi     POST of YABBI's own JSON. --endpoint is the whole address of the load call; --publisher, --unit,
                  --app-bundle, --app-name, --ifa, --geo fill the request; --format chooses the slot.
        openrtb   POST of an OpenRTB 2.6 BidRequest with the same options.
        cards     of attentionmarket, ceedads and activeads.
                  --endpoint is the address of the API: up to /functions/v1, for ceedads the server itself;
                  --set NAME=VALUE says what the server wants to know, by its own names (below). Without --endpoint
                  all have values that the built-in server knows; it has cards for words like travel, music and plant in
                  user_message or contextText, and goes wrong on purpose for nofill, error and evil.
        smartico  popups, mini-games and the widget, pushed over a socket: show waits for one, watch stays connected.
                  --endpoint is the socket's address without its query, as in wss://…/websocket/services, and needs
                  --set label_key=… and ext_user_id=…. The built-in server pushes what push says as soon as the user is
                  known; words like popup, game, flood, silence or dropMidFrame in ext_user_id make it do as they say.
                  A connection lives in real time, whatever else is virtual.

        Without --endpoint the built-in server answers all; for yabbi and openrtb --unit is then the name of a creative, or one of the
        server's special units: nofill, slow, broken, and the bad-… and vast-… ones. yabbi-play sandbox runs the
        server by itself, and GET / of the address that it prints lists all units.
        """

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
