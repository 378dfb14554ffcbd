import PlayConsole

/// An option as parser, help, completions and manual page see it, without the type of its value.
protocol OptionDeclaration: Sendable {
    /// The name, with its hyphens.
    var name: String { get }
    /// Older names that are still accepted, and not shown in help.
    var aliases: [String] { get }
    var argument: Argument { get }
    /// The help, in one sentence, with the default.
    var summary: String { get }
    /// The value without the option, as a user would write it; nil if there is none.
    var standard: String? { get }
    /// Whether it may be given several times, with different values.
    var isRepeatable: Bool { get }
    /// Throws for a text that is not a value of this option.
    func validate(_ text: String) throws(UsageError)
}

extension OptionDeclaration {
    var aliases: [String] { [] }
    var standard: String? { nil }
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
    let summary: String
    let isRepeatable: Bool
    private let read: Read

    /// `otherwise` is for help: what happens without the option, if that is not a value.
    init(
        _ name: String,
        aliases: [String] = [],
        _ argument: Argument,
        _ summary: String,
        otherwise: String? = nil,
        isRepeatable: Bool = false,
        _ read: @escaping Read
    ) {
        self.name = name
        self.aliases = aliases
        self.argument = argument
        self.summary = summary + (otherwise.map { " (default: \($0))" } ?? "")
        self.isRepeatable = isRepeatable
        self.read = read
    }

    func value(_ text: String) throws(UsageError) -> Value { try self.read(text, self.name) }

    func validate(_ text: String) throws(UsageError) { _ = try self.read(text, self.name) }

    /// The option with a default, written as its value.
    func `default`(_ text: String) -> DefaultedOption<Value> { DefaultedOption(self, default: text) }
}

extension Option where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// An option whose value is one of a few words.
    init(_ name: String, _ summary: String, otherwise: String? = nil) {
        let argument = Argument.word(Value.allCases.map(\.rawValue))
        self.init(name, argument, summary, otherwise: otherwise) { (text, name) throws(UsageError) in
            try OptionValue.choice(text, name)
        }
    }
}

/// An option that always has a value: the given one, or its default.
struct DefaultedOption<Value: Sendable>: OptionDeclaration {
    private let option: Option<Value>
    private let text: String

    init(_ option: Option<Value>, default text: String) {
        self.option = option
        self.text = text
    }

    var name: String { self.option.name }
    var aliases: [String] { self.option.aliases }
    var argument: Argument { self.option.argument }
    var summary: String { "\(self.option.summary) (default: \(self.text))" }
    var standard: String? { self.text }
    var isRepeatable: Bool { self.option.isRepeatable }

    func value(_ text: String?) throws(UsageError) -> Value { try self.option.value(text ?? self.text) }

    func validate(_ text: String) throws(UsageError) { try self.option.validate(text) }
}

/// An option without a value.
struct Flag: OptionDeclaration {
    let name: String
    let aliases: [String]
    let summary: String
    var argument: Argument { .nothing }
    var isRepeatable: Bool { false }

    init(_ name: String, aliases: [String] = [], _ summary: String) {
        self.name = name
        self.aliases = aliases
        self.summary = summary
    }

    func validate(_ text: String) {}
}
