extension CompletionTable {
    /// The script for fish.
    var fish: String {
        let parts = [
            """
            # Completes the words of yabbi-play in fish; written by `yabbi-play completions fish` from its own tables.

            # Whether the command is one of these; without one it is demo.
            function __yabbi_play_is
                set -l words (commandline -opc)
                set -l command $words[2]
                string match -q -- '-*' "$command"; and set command demo
                test -z "$command"; and set command demo
                contains -- $command $argv
            end

            # Whether the command is still to be written.
            function __yabbi_play_begins
                test (count (commandline -opc)) -eq 1
            end

            # Whether the command is one of these, and nothing stands behind it yet.
            function __yabbi_play_is_bare
                test (count (commandline -opc)) -eq 2; and __yabbi_play_is $argv
            end

            # Whether a provider was named, or is meant.
            function __yabbi_play_asks
                set -l words (commandline -opc)
                string match -qr -- "--provider[= ]$argv[1]( |\\$)" "$words"; and return 0
                test "$argv[1]" = smartico; and test "$words[2]" = watch
            end

            complete -c yabbi-play -f
            """,
            self.entries.map { entry in
                "complete -c yabbi-play -n __yabbi_play_begins -a \(entry.name) -d \(CompletionTable.fishQuoted(entry.summary))"
            }.joined(separator: "\n"),
            self.entries.compactMap(self.fishArgument).joined(separator: "\n"),
            self.options.map(self.fishOption).joined(separator: "\n"),
            self.fishParameters,
            CompletionTable.everywhere.map { option in
                "complete -c yabbi-play -l \(option.name.dropFirst(2)) -d \(CompletionTable.fishQuoted(option.summary))"
            }.joined(separator: "\n"),
        ]
        return parts.joined(separator: "\n\n")
    }

    private func fishArgument(_ entry: Entry) -> String? {
        let given = CompletionTable.fishValue(for: entry.argument)
        guard !given.isEmpty else { return nil }
        let isWord = if case .word = entry.argument { true } else { false }
        let condition = "\(isWord ? "__yabbi_play_is_bare" : "__yabbi_play_is") \(entry.name)"
        return "complete -c yabbi-play -n '\(condition)' \(given)"
    }

    private func fishOption(_ shared: SharedOption) -> String {
        let (option, commands) = (shared.option, shared.commands.joined(separator: " "))
        var words = ["complete -c yabbi-play -n '__yabbi_play_is \(commands)' -l \(option.name.dropFirst(2))"]
        switch option.argument {
        case .nothing: break
        case .file: words.append("-r")
        case .word, .words, .steps, .folder, .parameter, .other: words.append("-x")
        }
        let given = CompletionTable.fishValue(for: option.argument)
        if !given.isEmpty { words.append(given) }
        words.append("-d \(CompletionTable.fishQuoted(option.summary))")
        return words.joined(separator: " ")
    }

    /// What completes an argument; empty where nothing is known of it.
    private static func fishValue(for argument: Argument) -> String {
        switch argument {
        case .nothing, .parameter, .other: ""
        case .word(let words): "-a \(self.fishQuoted(words.joined(separator: " ")))"
        // Some of several words, with commas between them.
        case .words(let words, _), .steps(let words, _):
            "-a \(self.fishQuoted("(__fish_append , \(words.joined(separator: " ")))"))"
        case .file: "-F"
        case .folder: "-a '(__fish_complete_directories)'"
        }
    }

    private var fishParameters: String {
        let owners = self.options.filter { $0.option.argument == .parameter }
        return owners.flatMap { shared in
            self.parameters.flatMap { entry in
                entry.names.map { row in
                    let commands = shared.commands.joined(separator: " ")
                    return "complete -c yabbi-play -n '__yabbi_play_is \(commands); and __yabbi_play_asks "
                        + "\(entry.provider)' -l \(shared.option.name.dropFirst(2)) -x -a '\(row.name)=' "
                        + "-d \(CompletionTable.fishQuoted(row.about))"
                }
            }
        }.joined(separator: "\n")
    }

    private static func fishQuoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
