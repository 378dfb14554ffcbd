import AdCore
import PlayConsole
import PlayText

/// The texts of `help`, made from the declarations of the commands.
enum Help {
    /// The topics besides the commands.
    static let topics: [(name: String, text: String)] = [
        ("providers", Self.providers), ("events", EventTable.text),
    ]

    /// The names of all commands and topics.
    static let words = Commands.names + topics.map(\.name)

    /// The usage line of a command.
    static func usage(of command: any CommandDeclaration.Type) -> String {
        "yabbi-play \(command.usage)\(command.options.isEmpty ? "" : " [<options>]")"
    }

    /// The width of lines without a terminal.
    static let defaultWidth = 118

    /// The help for a topic, or the overview, in lines of at most `width` columns.
    static func text(_ topic: String?, width: Int = defaultWidth) throws(UsageError) -> String {
        HelpBlock.parse(try self.unwrapped(topic)).flatMap { $0.lines(width: width) }.joined(separator: "\n")
    }

    private static func unwrapped(_ topic: String?) throws(UsageError) -> String {
        guard let topic else { return self.overview }
        if let topic = self.topics.first(where: { $0.name == topic }) { return topic.text }
        guard let command = Commands.named(topic) else {
            let nearest = Suggestion.nearest(to: topic, among: self.words)
            let hint = nearest.map { "did you mean \($0)?" } ?? "topics: \(self.words.joined(separator: ", "))"
            throw UsageError("unknown help topic \u{201C}\(topic)\u{201D}; \(hint)")
        }
        return self.text(of: command)
    }

    private static var overview: String {
        let lines = Commands.all.map { command in
            let name = command.name + (command == DemoCommand.self ? " (default)" : "")
            return "  \(self.padded(name, 16))\(command.summary)"
        }
        return """
            OVERVIEW: Loads, shows and inspects ads.

            USAGE: yabbi-play <command> [<options>]

            COMMANDS:
            \(lines.joined(separator: "\n"))

            OPTIONS:
            \(self.common.map { self.row($0.names.joined(separator: ", "), $0.summary) }.joined(separator: "\n"))

            \(self.table(of: ExitCode.allCases))

            See yabbi-play help <command> for the options of a command, yabbi-play help providers for the values of --set, and
            yabbi-play help events for the output of --json.
            """
    }

    private static func text(of command: any CommandDeclaration.Type) -> String {
        var parts = ["OVERVIEW: \(command.summary)"] + command.discussion
        parts.append("USAGE: \(self.usage(of: command))")
        if !command.operandSummary.isEmpty, let placeholder = command.operand.argument.placeholder {
            parts.append("ARGUMENTS:\n" + self.row(placeholder, command.operandSummary))
        }
        let groups = command.optionGroups
        let common = self.common.map { self.row($0.names.joined(separator: ", "), $0.summary) }
        for group in groups where groups.count > 1 {
            parts.append("OPTIONS OF \(group.command):\n" + self.rows(group.options).joined(separator: "\n"))
        }
        let own = groups.count == 1 ? self.rows(command.options) : []
        parts.append("OPTIONS:\n" + (own + common).joined(separator: "\n"))
        if !command.exitCodes.isEmpty { parts.append(self.table(of: command.exitCodes, command.exitCodeMeanings)) }
        return parts.joined(separator: "\n\n")
    }

    private static func rows(_ options: [any OptionDeclaration]) -> [String] {
        options.map { self.row($0.name + $0.argument.suffix, $0.summary) }
    }

    /// The options of every command.
    static let common: [(names: [String], summary: String)] = [
        (["-h", "--help"], "Show help information."), (["--version"], "Show the version."),
    ]

    private static func row(_ left: String, _ right: String) -> String {
        // A long placeholder gets a line of its own.
        left.count > 26
            ? "  \(left)\n  \(String(repeating: " ", count: 28))\(right)" : "  \(self.padded(left, 28))\(right)"
    }

    private static func table(of exitCodes: [ExitCode], _ meanings: [ExitCode: String] = [:]) -> String {
        let rows = exitCodes.map { "  \($0.rawValue)  \(meanings[$0] ?? $0.meaning)" }.joined(separator: "\n")
        let hasPrecedence = exitCodes.filter(\.hasPrecedence).count > 1
        return "EXIT CODES:\n\(rows)" + (hasPrecedence ? "\n\n\(ExitCode.precedence)" : "")
    }

    private static var providers: String {
        let values = ProviderChoice.allCases.compactMap { provider -> String? in
            let lines = provider.values.map { "  \(Self.padded($0.name, 28))\($0.summary)" }
            guard !lines.isEmpty else { return nil }
            return "Values of --set for \(provider.rawValue):\n" + lines.joined(separator: "\n")
        }
        return ([Self.providerRows, Self.aboutPlacements] + values).joined(separator: "\n\n")
    }

    /// Each provider, with what its declaration says about it.
    private static var providerRows: String {
        let indent = "\n" + String(repeating: " ", count: 19)
        let rows = ProviderChoice.allCases.map { provider in
            "  \(Self.padded(provider.rawValue, 17))\(provider.about.replacing("\n", with: indent))"
        }
        return "Providers:\n" + rows.joined(separator: "\n")
    }

    private static let aboutPlacements = """
        yabbi and openrtb take the placement by --unit and --format, and the app and device by --publisher, --app-bundle,
        --app-name, --ifa and --geo. The other providers take their fields by --set.

        Without --endpoint the built-in server answers, and --set has defaults. --unit is then the name of a creative, or a
        special unit: nofill, slow, broken, bad-… or vast-…. yabbi-play sandbox runs this server alone; GET / of the address
        it prints lists all units. It has cards for words like travel, music and plant in user_message or contextText, and
        fails on purpose for nofill, error and evil. For smartico, words like popup, game, flood, silence or dropMidFrame in
        ext_user_id select what it does.
        """

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
