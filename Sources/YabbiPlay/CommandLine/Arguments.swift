import AdCore
import PlayConsole
import SystemSupport

/// The names of the options that a command reads.
final class OptionRecord: Sendable {
    private let read = Locked<Set<String>>([])

    var names: Set<String> { self.read.withLock { $0 } }

    func insert(_ name: String) { self.read.withLock { _ = $0.insert(name) } }
}

/// The words after a command's name, checked against the command's declarations.
///
/// Commands read their options with `value`, `values` and `has`.
struct Arguments: Sendable {
    /// The words that belong to no option, in order.
    private(set) var operands: [String] = []
    /// Whether `help` was given in place of the action, as in `outbox help`.
    private(set) var requestsHelp = false
    /// The texts of each option that was given, by the option's name.
    private var texts: [String: [String]] = [:]
    private var command: any CommandDeclaration.Type
    /// Records which options are read, for tests.
    private let record: OptionRecord?

    init(
        _ words: [String],
        for command: any CommandDeclaration.Type,
        record: OptionRecord? = nil
    ) throws(UsageError) {
        self.command = command
        self.record = record
        var rest = words[...]
        // After `--` every word is an operand.
        var onlyOperands = false
        while let word = rest.popFirst() {
            if onlyOperands || !word.hasPrefix("-") || word == "-" {
                try self.addOperand(word)
            } else if word == "--" {
                onlyOperands = true
            } else {
                try self.addOption(word, &rest)
            }
        }
    }

    /// Whether an option was given.
    func has(_ option: any OptionDeclaration) -> Bool { self.texts(of: option) != nil }

    /// Throws if one of these options was given.
    ///
    /// The reason follows the option's name: why it has no effect, and what to remove or add.
    func refuse(_ options: [any OptionDeclaration], _ reason: String) throws(UsageError) {
        guard let given = self.given(options).first else { return }
        throw UsageError("\(given) \(reason)")
    }

    /// The names of those of these options that were given.
    func given(_ options: [any OptionDeclaration]) -> [String] {
        options.filter { self.has($0) }.map(\.name)
    }

    /// The words of those of these options that were given, for another command that has them.
    func words(of options: [any OptionDeclaration]) -> [String] {
        options.flatMap { option in
            (self.texts(of: option) ?? []).map { text in
                // With an equals sign a value may begin with a hyphen.
                option.argument.placeholder == nil || text.isEmpty ? option.name : "\(option.name)=\(text)"
            }
        }
    }

    /// The value of an option; nil if it was not given.
    func value<Value>(_ option: Option<Value>) throws(UsageError) -> Value? {
        guard let text = self.texts(of: option)?.last else { return nil }
        return try option.value(text)
    }

    /// The value of an option, or its default.
    func value<Value>(_ option: DefaultedOption<Value>) throws(UsageError) -> Value {
        try option.value(self.texts(of: option)?.last)
    }

    /// All values of an option that may be given several times.
    func values<Value>(_ option: Option<Value>) throws(UsageError) -> [Value] {
        var values: [Value] = []
        for text in self.texts(of: option) ?? [] { values.append(try option.value(text)) }
        return values
    }

    /// The arguments for a member of a group, without the first operands.
    func narrowed(to member: any Command.Type, dropping count: Int = 0) -> Arguments {
        var arguments = self
        arguments.command = member
        arguments.operands.removeFirst(count)
        return arguments
    }

    /// The texts of an option, which the command must declare; nil if it was not given.
    private func texts(of option: any OptionDeclaration) -> [String]? {
        assert(
            self.command.options.contains { $0.name == option.name && $0.summary == option.summary },
            "\(self.command.name) reads \(option.name), but does not declare it."
        )
        self.record?.insert(option.name)
        return self.texts[option.name]
    }

    // MARK: Operands

    private mutating func addOperand(_ word: String) throws(UsageError) {
        switch self.command.operand {
        case .none: throw self.unexpected(word)
        case .many: break
        case .choice(let words):
            guard self.operands.isEmpty else { throw self.unexpected(word) }
            if word == "help" { return self.requestsHelp = true }
            guard words.contains(word) else {
                let hint = OptionValue.hint(for: word, among: words)
                let known = OptionValue.list(words)
                throw UsageError(
                    "invalid argument \u{201C}\(word)\u{201D} for \(self.command.name); expected \(known)\(hint)"
                )
            }
        case .one(_, let noun):
            if let first = self.operands.first {
                let both =
                    "\u{201C}\(Redaction.address(first))\u{201D} and \u{201C}\(Redaction.address(word))\u{201D}"
                throw UsageError("only one \(noun) is allowed; remove one of \(both)")
            }
            guard !word.isEmpty else { throw UsageError("the \(noun) is empty; give a file name or a URL") }
        }
        self.operands.append(word)
    }

    private func unexpected(_ word: String) -> UsageError {
        let name = self.command.name
        return UsageError("unexpected argument \u{201C}\(word)\u{201D} for \(name); see yabbi-play help \(name)")
    }

    // MARK: Options

    private mutating func addOption(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts[0]
        let declared = self.command.options.first { $0.name == name || $0.aliases.contains(name) }
        guard let option = declared else { throw self.unknown(name) }
        var text = ""
        if case .optionalWord = option.argument {
            text = parts.dropFirst().first ?? ""
        } else if let placeholder = option.argument.placeholder {
            text = try Arguments.text(of: name, placeholder, parts.dropFirst().first, &rest)
        } else if parts.count > 1 {
            throw UsageError("\(name) takes no value")
        }
        if let before = self.texts[option.name]?.last, before != text, !option.isRepeatable {
            let both = "\u{201C}\(Redaction.address(before))\u{201D} and \u{201C}\(Redaction.address(text))\u{201D}"
            throw UsageError("\(name) was given twice, with \(both); give it once")
        }
        try option.validate(text)
        guard !text.isEmpty || !option.argument.isPath else {
            throw UsageError("missing value for \(name) \(option.argument.placeholder ?? "")")
        }
        self.texts[option.name, default: []].append(text)
    }

    /// The text of an option's value: after the equals sign, or the next word.
    private static func text(
        of name: String,
        _ placeholder: String,
        _ attached: String?,
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        if let attached { return attached }
        guard let next = rest.first else { throw UsageError("missing value for \(name) \(placeholder)") }
        // The name of another option is rejected as a value. Other words with a hyphen, such as negative numbers, are
        // accepted.
        let word = String(next.prefix { $0 != "=" })
        if (Commands.optionNames + Help.common.flatMap(\.names)).contains(word) {
            let fix = "to use it as the value, write \(name)=\(next)"
            throw UsageError("missing value for \(name) \(placeholder): \(word) is an option; \(fix)")
        }
        rest.removeFirst()
        return next
    }

    private func unknown(_ name: String) -> UsageError {
        let command = self.command.name
        let elsewhere = Commands.names(with: name)
        if !elsewhere.isEmpty {
            return UsageError("\(name) is not an option of \(command); it is an option of \(elsewhere)")
        }
        // Options of this command are suggested first, unless an option of another command is nearer.
        let names = self.command.options.map(\.name) + Help.common.flatMap(\.names).filter { $0.hasPrefix("--") }
        guard let nearest = Suggestion.nearest(to: name, among: names + Commands.optionNames) else {
            return UsageError("unknown option \(name); see yabbi-play help \(command)")
        }
        guard names.contains(nearest) else {
            let owners = Commands.names(with: nearest)
            return UsageError("unknown option \(name); \(nearest) is an option of \(owners)")
        }
        return UsageError("unknown option \(name); did you mean \(nearest)?")
    }
}
