/// What there is to complete, taken from the tables that the command line is read by.
struct CompletionTable: Sendable {
    /// A command, and what it takes.
    struct Entry: Sendable {
        let name: String
        let summary: String
        let argument: Argument
        let takesMany: Bool
        let options: [Option]
    }

    /// What every command takes, by its long names.
    static let everywhere = Help.everywhere.compactMap { option in
        option.names.last.map { (name: $0, summary: option.summary) }
    }

    let entries: [Entry]
    /// The names for `--set`, and what they are, by provider.
    let parameters: [(provider: String, names: [(name: String, about: String)])]

    init() {
        self.entries = Settings.Command.allCases.map { command in
            Entry(
                name: command.rawValue,
                summary: Help.summary(of: command),
                argument: command.argument,
                takesMany: command.takesMany,
                options: Option.all.filter { $0.commands.contains(command) }
            )
        }
        self.parameters = Settings.Provider.allCases.compactMap { provider in
            Parameters.known[provider].map { (provider.rawValue, $0) }
        }
    }

    /// The names of a command's options, those that every command has included.
    func optionNames(of entry: Entry) -> [String] {
        entry.options.map(\.name) + CompletionTable.everywhere.map(\.name)
    }

    /// Options with a value, each name once.
    var withValue: [Option] {
        var seen: Set<String> = []
        return Option.all.filter { $0.takes != .nothing && seen.insert($0.name).inserted }
    }

    /// The script that completes words in a shell.
    func script(for shell: Settings.Shell) -> String {
        switch shell {
        case .bash: self.bash
        case .zsh: self.zsh
        case .fish: self.fish
        }
    }
}
