import PlayConsole

/// The name and the arguments of a command, or of a group of commands.
///
/// Parser, help, completions and manual page are made from these declarations.
protocol CommandDeclaration: Sendable {
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
    /// The options in groups, each with the name of the command that has them.
    static var optionGroups: [(command: String, options: [any OptionDeclaration])] { get }
    /// The exit codes that its help lists. Empty if there are only success and usage errors.
    static var exitCodes: [ExitCode] { get }
    /// The meanings of exit codes that differ from `ExitCode.meaning`.
    static var exitCodeMeanings: [ExitCode: String] { get }

    /// The command that the arguments request.
    static func command(_ arguments: Arguments) throws(UsageError) -> any Command
}

/// One command: its declaration, and its implementation.
///
/// A command reads its options in `init`, which throws for options that can't be combined. Every value of a command can
/// be run.
protocol Command: CommandDeclaration {
    /// Reads the options.
    init(_ arguments: Arguments) throws(UsageError)

    func run(on console: any Console) async throws(PlayError) -> ExitCode
}

/// Commands under one name: the first operand chooses one of them.
protocol CommandGroup: CommandDeclaration {
    static var members: [any Command.Type] { get }
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

extension CommandDeclaration {
    static var usage: String { self.name }
    static var discussion: [String] { [] }
    static var operand: Operand { .none }
    static var operandSummary: String { "" }
    static var options: [any OptionDeclaration] { [] }
    static var optionGroups: [(command: String, options: [any OptionDeclaration])] { [(self.name, self.options)] }
    static var exitCodes: [ExitCode] { [] }
    static var exitCodeMeanings: [ExitCode: String] { [:] }

}

extension Command {
    static func command(_ arguments: Arguments) throws(UsageError) -> any Command { try Self(arguments) }

    /// Parses the words after the command's name.
    init(parsing words: [String]) throws(UsageError) { try self.init(Arguments(words, for: Self.self)) }
}

extension CommandGroup {
    static var usage: String { "\(self.name) <\(self.words.joined(separator: "|"))>" }
    static var operand: Operand { .choice(self.words) }

    /// The options of all members, each once.
    static var options: [any OptionDeclaration] {
        var seen: Set<String> = []
        return self.members.flatMap { $0.options }.filter { seen.insert($0.name).inserted }
    }

    static var optionGroups: [(command: String, options: [any OptionDeclaration])] {
        self.members.map { ("\(self.name) \($0.name)", $0.options) }
    }

    private static var words: [String] { self.members.map { $0.name } }

    /// The chosen member, with the options that it declares.
    static func command(_ arguments: Arguments) throws(UsageError) -> any Command {
        guard let word = arguments.operands.first, let member = self.members.first(where: { $0.name == word }) else {
            throw UsageError("missing argument <\(self.words.joined(separator: "|"))>")
        }
        let own = Set(member.options.map(\.name))
        if let given = arguments.given(self.options.filter { !own.contains($0.name) }).first {
            let owners = self.members.filter { $0.options.contains { $0.name == given } }
            let names = OptionValue.list(owners.map { "\(self.name) \($0.name)" })
            throw UsageError("\(given) is for \(names); remove it, or use \(names)")
        }
        return try member.command(arguments.narrowed(to: member))
    }
}

enum Commands {
    /// In the order of help.
    static let all: [any CommandDeclaration.Type] = [
        DemoCommand.self, LabCommand.self, ShowCommand.self, LoadCommand.self, AuctionCommand.self, WatchCommand.self,
        InspectCommand.self, LintCommand.self, ScanCommand.self, ReplayCommand.self, CompareCommand.self,
        OutboxCommand.self, PrepareCommand.self, ReconcileCommand.self, SandboxCommand.self,
        DoctorCommand.self, CompletionsCommand.self, ManualCommand.self, HelpCommand.self,
    ]

    static let names = Commands.all.map { $0.name }

    static func named(_ name: String) -> (any CommandDeclaration.Type)? { self.all.first { $0.name == name } }

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
