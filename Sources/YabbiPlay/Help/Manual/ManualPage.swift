import PlayConsole

/// The manual page, made from the declarations of the commands.
struct ManualPage: Sendable {
    /// The page as man(7) takes it.
    var text: String {
        ([".TH YABBI\\-PLAY 1 \"\" \"yabbi\\-play \(CommandVersion.number)\" \"User Commands\"", ".nh", ".ad l"]
            + self.sections.flatMap { [Roff.section($0.title), ManualPage.beginning($0.body)] }).joined(separator: "\n")
    }

    /// Where a section begins a paragraph does anyhow.
    private static func beginning(_ body: String) -> String {
        body.hasPrefix(".PP\n") ? String(body.dropFirst(4)) : body
    }

    private var sections: [(title: String, body: String)] {
        [
            ("NAME", Roff.line("yabbi-play") + " \\- " + Roff.inline("loads, shows and explains ads")),
            ("SYNOPSIS", self.synopsis),
            ("DESCRIPTION", Roff.text(ManualPage.description)),
            ("COMMANDS", self.commands),
            ("OPTIONS", self.options),
        ]
            + Help.topics.map { ($0.name.uppercased(), Roff.text($0.text)) } + [
                ("EXIT STATUS", self.exitStatus),
                ("ENVIRONMENT", ManualPage.items(SurroundingVariable.all.map { ($0.name, $0.meaning) })),
                ("FILES", ManualPage.items(ManualPage.files)),
                ("EXAMPLES", self.examples),
            ]
    }

    private var synopsis: String {
        let lines = Commands.all.map { Roff.bold("yabbi-play") + " " + Roff.inline($0.usage) }
        return lines.joined(separator: "\n.br\n")
    }

    private static let description = """
        yabbi-play asks an ad server for an ad, reads what comes back, takes it from load to show to close, and reports
        each view and each click exactly once. It takes tags and creatives apart, says what is wrong with them, keeps
        beacons in a file until they are delivered, and has a server of its own to try all of that on.

        Without a command it is yabbi-play demo. Results go to the standard output, what went wrong to the standard error,
        in one line that says what to do. Colours, keys and what counts while it works are for a terminal alone. Servers are
        called directly: http_proxy and its kin are not obeyed.
        """

    /// Each command: what it does, and what else there is to say of it.
    private var commands: String {
        Commands.all.flatMap { entry in
            [Roff.subsection("yabbi-play \(entry.usage)"), Roff.line(entry.summary)]
                + entry.notes.map(Roff.text)
        }.joined(separator: "\n")
    }

    /// The options of each command.
    private var options: String {
        var parts = [Roff.subsection("of every command")]
        parts += Help.everywhere.map { option in
            Roff.item(option.names.map(Roff.bold).joined(separator: ", "), option.summary)
        }
        for command in Commands.all {
            let options = command.options
            guard !options.isEmpty else { continue }
            parts.append(Roff.subsection("of \(command.name)"))
            parts += options.map { option in
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
        ("PREFIX/share/yabbi/Creatives", "the creatives of the built-in server, as make install puts them"),
        ("beacons.sqlite", "the ledger, in the folder in which an app keeps its beacons; --ledger takes either"),
        ("yabbi-stage-XXXXXX", "in the folder for temporary files: what a browser keeps while it runs"),
        ("DIR/report.html, DIR/requests.har", "what --report DIR writes"),
    ]

    private static let shown: [(about: String, line: String)] = [
        (
            "Show a banner, click it after two seconds, and leave after six:",
            #"show banner.html --do "click@2s,close@6s""#
        ),
        ("See what is wrong with a tag, where, and what to do:", "lint tag.xml"),
        ("Follow a tag's wrappers to their ends, as JSON:", "inspect --follow --json tag.xml"),
        ("Show every bundled ad in a browser, and write a report:", "demo --report report"),
        ("Deliver what is left in a ledger:", "outbox flush --ledger beacons.sqlite"),
    ]

    private var examples: String {
        ManualPage.shown.map { example in
            ".PP\n" + Roff.line(example.about) + "\n" + Roff.verbatim(["yabbi-play " + example.line])
        }.joined(separator: "\n")
    }

    private static func items(_ rows: [(String, String)]) -> String {
        rows.map { Roff.item(Roff.bold($0.0), $0.1) }.joined(separator: "\n")
    }
}
