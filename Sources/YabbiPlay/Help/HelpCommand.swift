import PlayConsole

/// Prints the help on everything, or on one topic.
struct HelpCommand: Command {
    static let name = "help"
    static let usage = "help [TOPIC]"
    static let summary = "this, or all about a command; help providers, and help events for --json"
    static var operand: Operand { .one(.word(Help.words), called: "topic") }
    static let hasExitCodes = false

    /// A command, or another topic; nil for everything.
    let topic: String?

    init(topic: String?) { self.topic = topic }

    init(_ arguments: Arguments) { self.topic = arguments.operands.first }

    func run(on console: any Console) throws(PlayError) -> ExitCode {
        do throws(UsageError) {
            console.out(try Help.text(self.topic, width: console.proseWidth ?? Help.usualWidth))
            return .done
        } catch {
            throw PlayError(.usage, error.message)
        }
    }
}

/// Prints the script that completes commands, options and values in a shell.
struct CompletionsCommand: Command {
    /// The shells that have a script.
    enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    static let name = "completions"
    static let usage = "completions SHELL"
    static let summary =
        "print a script with which bash, zsh or fish completes commands, options and their values"
    static let notes = [about]
    static let operand = Operand.choice(Shell.allCases.map(\.rawValue))
    static let hasExitCodes = false

    let shell: Shell

    init(_ arguments: Arguments) throws(UsageError) {
        guard let shell = arguments.operands.first.flatMap(Shell.init) else {
            throw UsageError("say which shell is to complete words: bash, zsh or fish")
        }
        self.shell = shell
    }

    func run(on console: any Console) -> ExitCode {
        console.out(CompletionTable().script(for: self.shell))
        return .done
    }

    private static let about = """
        For a try in a shell that runs:

          source <(yabbi-play completions bash)
          source <(yabbi-play completions zsh)
          yabbi-play completions fish | source

        make install puts all three where the shells look for them.
        """
}

/// Prints the manual page.
struct ManualCommand: Command {
    static let name = "manual"
    static let summary = "print the manual page: yabbi-play manual | man -l -"
    static let hasExitCodes = false

    init(_ arguments: Arguments) {}

    func run(on console: any Console) -> ExitCode {
        console.out(ManualPage().text)
        return .done
    }
}
