import PlayConsole

/// Prints the overview, or the help for one topic.
struct HelpCommand: Command {
    static let name = "help"
    static let usage = "help [<topic>]"
    static let summary = "Show help for a command, for providers or for events."
    static var operand: Operand { .one(.word(Help.words), called: "topic") }

    /// The topic; nil for the overview.
    let topic: String?

    init(topic: String?) { self.topic = topic }

    init(_ arguments: Arguments) { self.topic = arguments.operands.first }

    func run(on console: any Console) throws(PlayError) -> ExitCode {
        do throws(UsageError) {
            console.out(try Help.text(self.topic, width: console.proseWidth ?? Help.defaultWidth))
            return .done
        } catch {
            throw PlayError(.usage, error.message)
        }
    }
}

/// Prints a completion script for a shell.
struct CompletionsCommand: Command {
    enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    static let name = "completions"
    static let usage = "completions <bash|zsh|fish>"
    static let summary = "Print a shell completion script."
    static let discussion = [about]
    static let operand = Operand.choice(Shell.allCases.map(\.rawValue))

    let shell: Shell

    init(_ arguments: Arguments) throws(UsageError) {
        guard let shell = arguments.operands.first.flatMap(Shell.init) else {
            throw UsageError("missing argument <bash|zsh|fish>; name the shell")
        }
        self.shell = shell
    }

    func run(on console: any Console) -> ExitCode {
        console.out(CompletionTable().script(for: self.shell))
        return .done
    }

    private static let about = """
        To load it into the current shell:

          source <(yabbi-play completions bash)
          source <(yabbi-play completions zsh)
          yabbi-play completions fish | source

        make install installs the scripts of all three shells.
        """
}

/// Prints the manual page.
struct ManualCommand: Command {
    static let name = "manual"
    static let summary = "Print the manual page; read it with yabbi-play manual | man -l -"

    init(_ arguments: Arguments) {}

    func run(on console: any Console) -> ExitCode {
        console.out(ManualPage().text)
        return .done
    }
}
