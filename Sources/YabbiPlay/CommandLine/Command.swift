import PlayConsole

/// One command: what it is called, what it takes, and what it does.
///
/// Parser, help, completions and manual page are made from these declarations. A command reads its options in `init`,
/// where it refuses what cannot go together; a value of it can always be run.
protocol Command: Sendable {
    static var name: String { get }
    /// The name with its operand, as help shows it.
    static var usage: String { get }
    /// What it does, in one sentence.
    static var summary: String { get }
    /// What help says besides the options.
    static var notes: [String] { get }
    /// What may stand after the name without an option.
    static var operand: Operand { get }
    /// The options, in the order of help.
    static var options: [any OptionDeclaration] { get }
    /// Whether its exit code says more than that it is done.
    static var hasExitCodes: Bool { get }

    /// Reads the options.
    init(_ arguments: Arguments) throws(UsageError)

    func run(on console: any Console) async throws(PlayError) -> ExitCode
}

/// What may stand after a command's name without an option.
enum Operand: Sendable {
    case none
    /// At most one, and what to call it when there are two.
    case one(Argument, called: String)
    /// One of a few words.
    case choice([String])
    case many(Argument)

    /// The kind of value.
    var argument: Argument {
        switch self {
        case .none: .nothing
        case .one(let argument, _), .many(let argument): argument
        case .choice(let words): .word(words)
        }
    }

    var isRepeatable: Bool { if case .many = self { true } else { false } }
}

extension Command {
    static var usage: String { self.name }
    static var notes: [String] { [] }
    static var operand: Operand { .none }
    static var options: [any OptionDeclaration] { [] }
    static var hasExitCodes: Bool { true }

    /// Reads the words after the command's name.
    init(parsing words: [String]) throws(UsageError) { try self.init(Arguments(words, for: Self.self)) }
}

/// All commands.
enum Commands {
    /// In the order of help.
    static let all: [any Command.Type] = [
        DemoCommand.self, ShowCommand.self, LoadCommand.self, WatchCommand.self, InspectCommand.self,
        LintCommand.self, ReplayCommand.self, OutboxCommand.self, ReconcileCommand.self, SandboxCommand.self,
        DoctorCommand.self, CompletionsCommand.self, ManualCommand.self, HelpCommand.self,
    ]

    static let names = Commands.all.map { $0.name }

    static func named(_ name: String) -> (any Command.Type)? { self.all.first { $0.name == name } }

    /// The names of all options of all commands, each once.
    static let optionNames: [String] = {
        var seen: Set<String> = []
        return Commands.all.flatMap { $0.options.map(\.name) }.filter { seen.insert($0).inserted }
    }()

    /// The commands that have an option, separated by commas.
    static func names(with option: String) -> String {
        self.all.filter { $0.options.contains { $0.name == option } }.map { $0.name }.joined(separator: ", ")
    }
}
