import PlayConsole

/// An option as parser, help, completions and manual page see it, without the type of its value.
protocol OptionDeclaration: Sendable {
    /// The name, with its hyphens.
    var name: String { get }
    /// Older names that are still accepted, and not shown in help.
    var aliases: [String] { get }
    var argument: Argument { get }
    /// The value's placeholder in help and manual page; nil for flags.
    var placeholder: String? { get }
    /// The help, in one sentence.
    var summary: String { get }
    /// Whether it may be given several times, with different values.
    var isRepeatable: Bool { get }
    /// Throws for a text that is not a value of this option.
    func validate(_ text: String) throws(UsageError)
}

extension OptionDeclaration {
    var aliases: [String] { [] }
    var placeholder: String? { self.argument.placeholder }
}

/// An option with a value.
struct Option<Value: Sendable>: OptionDeclaration {
    /// Parses a value.
    ///
    /// The name is for error messages.
    typealias Read = @Sendable (_ text: String, _ name: String) throws(UsageError) -> Value

    let name: String
    let aliases: [String]
    let argument: Argument
    let placeholder: String?
    let summary: String
    let isRepeatable: Bool
    private let read: Read

    init(
        _ name: String,
        aliases: [String] = [],
        _ argument: Argument,
        placeholder: String? = nil,
        _ summary: String,
        isRepeatable: Bool = false,
        _ read: @escaping Read
    ) {
        self.name = name
        self.aliases = aliases
        self.argument = argument
        self.placeholder = placeholder ?? argument.placeholder
        self.summary = summary
        self.isRepeatable = isRepeatable
        self.read = read
    }

    func value(_ text: String) throws(UsageError) -> Value { try self.read(text, self.name) }

    func validate(_ text: String) throws(UsageError) { _ = try self.read(text, self.name) }
}

extension Option where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// An option whose value is one of a few words.
    init(_ name: String, _ summary: String) {
        self.init(name, .word(Value.allCases.map(\.rawValue)), summary) { (text, name) throws(UsageError) in
            try OptionValue.choice(text, name)
        }
    }
}

/// An option without a value.
struct Flag: OptionDeclaration {
    let name: String
    let summary: String
    var argument: Argument { .nothing }
    var isRepeatable: Bool { false }

    init(_ name: String, _ summary: String) {
        self.name = name
        self.summary = summary
    }

    func validate(_ text: String) {}
}
