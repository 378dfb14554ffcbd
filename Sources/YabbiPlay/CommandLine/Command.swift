import PlayConsole

/// One command: its name, its arguments, and its implementation.
///
/// Parser, help, completions and manual page are made from these declarations. A command reads its options in `init`,
/// which throws for options that can't be combined. Every value of a command can be run.
protocol Command: Sendable {
    static var name: String { get }
    /// The name with its operand, as help shows it.
    static var usage: String { get }
    /// What it does, in one sentence.
    static var summary: String { get }
    /// The paragraphs of its help besides the lists of arguments and options.
    static var discussion: [String] { get }
    /// The arguments that are not options.
    static var operand: Operand { get }
    /// The help of the operand. Empty if the usage line is enough.
    static var operandSummary: String { get }
    /// The options, in the order of help.
    static var options: [any OptionDeclaration] { get }
    /// The exit codes that its help lists. Empty if there are only success and usage errors.
    static var exitCodes: [ExitCode] { get }
    /// The meanings of exit codes that differ from `ExitCode.meaning`.
    static var exitCodeMeanings: [ExitCode: String] { get }

    /// Reads the options.
    init(_ arguments: Arguments) throws(UsageError)

    func run(on console: any Console) async throws(PlayError) -> ExitCode
}

/// The arguments of a command that are not options.
enum Operand: Sendable {
    case none
    /// At most one. The noun is for the error when there are two.
    case one(Argument, called: String)
    /// One of a few words.
    case choice([String])
    case many(Argument)

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
    static var discussion: [String] { [] }
    static var operand: Operand { .none }
    static var operandSummary: String { "" }
    static var options: [any OptionDeclaration] { [] }
    static var exitCodes: [ExitCode] { [] }
    static var exitCodeMeanings: [ExitCode: String] { [:] }

    /// Parses the words after the command's name.
    init(parsing words: [String]) throws(UsageError) { try self.init(Arguments(words, for: Self.self)) }
}

enum Commands {
    /// In the order of help.
    static let all: [any Command.Type] = [
        DemoCommand.self, ShowCommand.self, LoadCommand.self, WatchCommand.self, InspectCommand.self,
        LintCommand.self, ReplayCommand.self, OutboxCommand.self, ReconcileCommand.self, SandboxCommand.self,
        DoctorCommand.self, CompletionsCommand.self, ManualCommand.self, HelpCommand.self,
    ]

    static let names = Commands.all.map { $0.name }

    static func named(_ name: String) -> (any Command.Type)? { self.all.first { $0.name == name } }

    /// The names of the options of all commands, each once.
    static let optionNames: [String] = {
        var seen: Set<String> = []
        return Commands.all.flatMap { $0.options.map(\.name) }.filter { seen.insert($0).inserted }
    }()

    /// The commands that have an option, separated by commas.
    static func names(with option: String) -> String {
        self.all.filter { $0.options.contains { $0.name == option } }.map { $0.name }.joined(separator: ", ")
    }
}
