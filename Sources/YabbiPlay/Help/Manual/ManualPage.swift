import PlayConsole

/// The manual page, made from the declarations of the commands.
struct ManualPage: Sendable {
    /// The page in the format of man(7).
    var text: String {
        ([".TH YABBI\\-PLAY 1 \"\" \"yabbi\\-play \(CommandVersion.number)\" \"User Commands\"", ".nh", ".ad l"]
            + self.sections.flatMap { [Roff.section($0.title), ManualPage.trimmed($0.body)] }).joined(separator: "\n")
    }

    /// Removes a leading paragraph request: a section starts a paragraph already.
    private static func trimmed(_ body: String) -> String {
        body.hasPrefix(".PP\n") ? String(body.dropFirst(4)) : body
    }

    private var sections: [(title: String, body: String)] {
        [
            ("NAME", Roff.line("yabbi-play") + " \\- " + Roff.inline("loads, shows and inspects ads")),
            ("SYNOPSIS", self.synopsis),
            ("DESCRIPTION", Roff.text(ManualPage.description)),
            ("COMMANDS", self.commands),
            ("OPTIONS", self.options),
        ]
            + Help.topics.map { ($0.name.uppercased(), Roff.text($0.text)) } + [
                ("EXIT STATUS", self.exitStatus),
                ("ENVIRONMENT", ManualPage.items(EnvironmentVariable.all.map { ($0.name, $0.meaning) })),
                ("FILES", ManualPage.items(ManualPage.files)),
                ("EXAMPLES", self.examples),
            ]
    }

    private var synopsis: String {
        let lines = Commands.all.map { Roff.bold("yabbi-play") + " " + Roff.inline($0.usage) }
        return lines.joined(separator: "\n.br\n")
    }

    private static let description = """
        yabbi-play requests an ad from an ad server, parses the response, loads, shows and closes the ad, and reports each
        view and each click exactly once. It inspects and lints tags and creatives, keeps beacons in a file until they are
        delivered, and has a built-in ad server for tests.

        The default command is demo. Results go to standard output. An error is one line on standard error. Colors, keys
        and progress appear only on a terminal. Proxy variables such as http_proxy are ignored.
        """

    /// The summary and the discussion of each command.
    private var commands: String {
        var parts: [String] = []
        for entry in Commands.all {
            parts += [Roff.subsection("yabbi-play \(entry.usage)"), Roff.line(entry.summary)]
            parts += entry.discussion.map(Roff.text)
            if !entry.operandSummary.isEmpty {
                parts.append(Roff.item(Roff.italic(entry.operand.argument.placeholder ?? ""), entry.operandSummary))
            }
            for code in entry.exitCodes {
                guard let meaning = entry.exitCodeMeanings[code] else { continue }
                parts.append(Roff.item("Exit code \(code.rawValue)", meaning))
            }
        }
        return parts.joined(separator: "\n")
    }

    /// The options of each command.
    private var options: String {
        var parts = [Roff.subsection("of every command")]
        parts += Help.common.map { option in
            Roff.item(option.names.map(Roff.bold).joined(separator: ", "), option.summary)
        }
        for group in Commands.all.flatMap({ $0.optionGroups }) where !group.options.isEmpty {
            parts.append(Roff.subsection("of \(group.command)"))
            parts += group.options.map { option in
                let value = option.argument.placeholder.map { " " + Roff.italic($0) } ?? ""
                return Roff.item(Roff.bold(option.name) + value, option.summary)
            }
        }
        return parts.joined(separator: "\n")
    }

    private var exitStatus: String {
        let codes = ExitCode.allCases.map { Roff.item(Roff.bold("\($0.rawValue)"), $0.meaning) }
        return codes.joined(separator: "\n") + "\n.PP\n" + Roff.line(ExitCode.precedence)
    }

    private static let files = [
        ("PREFIX/share/yabbi/Creatives", "The creatives of the built-in server, installed by make install."),
        ("beacons.sqlite", "The ledger in the beacon folder of an app. --ledger takes the file or the folder."),
        ("yabbi-stage-XXXXXX", "The profile of a running browser, in the folder for temporary files."),
        ("DIR/report.html, DIR/requests.har", "The output of --report DIR."),
    ]

    private static let exampleLines: [(about: String, line: String)] = [
        (
            "Show a banner, click it after two seconds, and close it after six:",
            #"show banner.html --do "click@2s,close@6s""#
        ),
        ("Check a tag:", "lint tag.xml"),
        ("Resolve the wrappers of a tag, as JSON:", "inspect --follow --json tag.xml"),
        ("Show every bundled ad in a browser, and write a report:", "demo --report report"),
        ("Deliver the pending beacons of a ledger:", "outbox flush --ledger beacons.sqlite"),
    ]

    private var examples: String {
        ManualPage.exampleLines.map { example in
            ".PP\n" + Roff.line(example.about) + "\n" + Roff.verbatim(["yabbi-play " + example.line])
        }.joined(separator: "\n")
    }

    private static func items(_ rows: [(String, String)]) -> String {
        rows.map { Roff.item(Roff.bold($0.0), $0.1) }.joined(separator: "\n")
    }
}
