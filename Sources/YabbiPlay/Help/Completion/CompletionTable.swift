/// The words that shells complete, from the declarations of the commands.
struct CompletionTable: Sendable {
    /// A command and its arguments.
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

    /// The options of every command, by their long names.
    static let common = Help.common.compactMap { option in
        option.names.last.map { (name: $0, summary: option.summary) }
    }

    let entries: [Entry]
    /// The options of all commands.
    ///
    /// An option that several commands share is listed once.
    let options: [SharedOption]
    /// The names for `--set`, by provider.
    let parameters: [(provider: String, names: [ProviderValue])]
    /// The provider with names for `--set` that a command uses without `--provider`.
    let providers: [(command: String, provider: String)]

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
        let parameters = ProviderChoice.allCases.filter { !$0.values.isEmpty }.map { ($0.rawValue, $0.values) }
        self.parameters = parameters
        self.providers = self.entries.compactMap { entry in
            let standard = entry.options.first { $0.name == ProviderOptions.provider.name }?.standard
            guard let standard, parameters.contains(where: { $0.0 == standard }) else { return nil }
            return (entry.name, standard)
        }
    }

    /// The names of a command's options, including the common ones.
    func optionNames(of entry: Entry) -> [String] {
        entry.options.map(\.name) + CompletionTable.common.map(\.name)
    }

    /// The options that take a value, each name once.
    var withValue: [any OptionDeclaration] {
        var seen: Set<String> = []
        return self.options.map(\.option).filter { $0.argument != .nothing && seen.insert($0.name).inserted }
    }

    func script(for shell: CompletionsCommand.Shell) -> String {
        switch shell {
        case .bash: self.bash
        case .zsh: self.zsh
        case .fish: self.fish
        }
    }
}
