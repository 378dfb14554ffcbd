import AdCore
import PlayConsole
import PlayReport

/// The texts of `help`, made from the declarations of the commands.
enum Help {
    /// What there is help on besides the commands.
    static let topics: [(name: String, text: String)] = [
        ("providers", Self.providers), ("events", EventTable.text),
    ]

    /// All words that help knows something on.
    static let words = Commands.names + topics.map(\.name)

    /// How a command is written.
    static func usage(of command: any Command.Type) -> String {
        "yabbi-play \(command.usage)\(command.options.isEmpty ? "" : " [OPTIONS]")"
    }

    /// The width of lines without a terminal.
    static let usualWidth = 118

    /// The help on a topic, or on everything, in lines of so many columns at most.
    static func text(_ topic: String?, width: Int = usualWidth) throws(UsageError) -> String {
        HelpBlock.read(try self.unwrapped(topic)).flatMap { $0.lines(width: width) }.joined(separator: "\n")
    }

    private static func unwrapped(_ topic: String?) throws(UsageError) -> String {
        guard let topic else { return self.overview }
        if let topic = self.topics.first(where: { $0.name == topic }) { return topic.text }
        guard let command = Commands.named(topic) else {
            let nearest = Suggestion.nearest(to: topic, among: self.words)
            let hint = nearest.map { "did you mean \($0)?" } ?? "topics: \(self.words.joined(separator: ", "))"
            throw UsageError("there is no help on \u{201C}\(topic)\u{201D}; \(hint)")
        }
        return self.text(of: command)
    }

    private static var overview: String {
        let lines = Commands.all.map { "  yabbi-play \(self.padded($0.usage, 25))\($0.summary)" }
        return """
            yabbi-play loads, shows and explains ads.

            \(lines.joined(separator: "\n"))

            Without a command it is yabbi-play demo. SOURCE is an .html, .xml or .json file, the http(s) address of a tag, or -
            for the standard input; without one the provider is asked.

            \(self.everywhere.map { self.row($0.names.joined(separator: ", "), $0.summary) }.joined(separator: "\n"))

            \(self.exitCodes)
            """
    }

    private static func text(of command: any Command.Type) -> String {
        let rows =
            command.options.map { ($0.name + ($0.argument.placeholder.map { " " + $0 } ?? ""), $0.summary) }
            + self.everywhere.map { ($0.names.joined(separator: ", "), $0.summary) }
        var parts = ["usage: \(self.usage(of: command))", command.summary] + command.notes
        parts.append("options:\n" + rows.map(self.row).joined(separator: "\n"))
        if command.hasExitCodes { parts.append(self.exitCodes) }
        return parts.joined(separator: "\n\n")
    }

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

    private static var providers: String {
        let rows = ProviderChoice.allCases.flatMap { provider in
            ProviderParameters.known[provider, default: []].map { row in
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
