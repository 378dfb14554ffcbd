/// The words that shells complete, taken from the declarations of the commands.
struct CompletionTable: Sendable {
    /// A command, and what it takes.
    struct Entry: Sendable {
        let name: String
        let summary: String
        let argument: Argument
        let takesMany: Bool
        let options: [any OptionDeclaration]
    }

    /// An option, and the commands that have it with the same summary.
    struct SharedOption: Sendable {
        let option: any OptionDeclaration
        var commands: [String]
    }

    /// What every command takes, by its long names.
    static let everywhere = Help.everywhere.compactMap { option in
        option.names.last.map { (name: $0, summary: option.summary) }
    }

    let entries: [Entry]
    /// Every option of every command, those that are the same in several commands once.
    let options: [SharedOption]
    /// The names for `--set`, and what they are, by provider.
    let parameters: [(provider: String, names: [(name: String, about: String)])]

    init() {
        self.entries = Commands.all.map { command in
            Entry(
                name: command.name,
                summary: command.summary,
                argument: command.operand.argument,
                takesMany: command.operand.isRepeatable,
                options: command.options
            )
        }
        var options: [SharedOption] = []
        for entry in self.entries {
            for option in entry.options {
                let known = options.firstIndex {
                    $0.option.name == option.name && $0.option.summary == option.summary
                }
                if let known {
                    options[known].commands.append(entry.name)
                } else {
                    options.append(SharedOption(option: option, commands: [entry.name]))
                }
            }
        }
        self.options = options
        self.parameters = ProviderChoice.allCases.compactMap { provider in
            ProviderParameters.known[provider].map { (provider.rawValue, $0) }
        }
    }

    /// The names of a command's options, those that every command has included.
    func optionNames(of entry: Entry) -> [String] {
        entry.options.map(\.name) + CompletionTable.everywhere.map(\.name)
    }

    /// Options with a value, each name once.
    var withValue: [any OptionDeclaration] {
        var seen: Set<String> = []
        return self.options.map(\.option).filter { $0.argument != .nothing && seen.insert($0.name).inserted }
    }

    /// The script that completes words in a shell.
    func script(for shell: CompletionsCommand.Shell) -> String {
        switch shell {
        case .bash: self.bash
        case .zsh: self.zsh
        case .fish: self.fish
        }
    }
}
