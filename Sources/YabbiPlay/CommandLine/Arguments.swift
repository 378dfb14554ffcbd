import AdCore
import PlayConsole

/// The words after a command's name, checked against what the command declares.
///
/// Commands read their options from it with `value`, `values` and `has`.
struct Arguments: Sendable {
    /// The words that belong to no option, in order.
    private(set) var operands: [String] = []
    /// Whether `help` stands in place of the command's action, as in `outbox help`.
    private(set) var asksForHelp = false
    /// The texts of each option that was given, by its name.
    private var texts: [String: [String]] = [:]
    private let command: any Command.Type

    init(_ words: [String], for command: any Command.Type) throws(UsageError) {
        self.command = command
        var rest = words[...]
        var isOptionsOver = false
        while let word = rest.popFirst() {
            if isOptionsOver || !word.hasPrefix("-") || word == "-" {
                try self.addOperand(word)
            } else if word == "--" {
                isOptionsOver = true
            } else {
                try self.addOption(word, &rest)
            }
        }
    }

    /// Whether a flag was given.
    func has(_ flag: Flag) -> Bool { self.texts[flag.name] != nil }

    /// The value of an option; nil where it was not given.
    func value<Value>(_ option: Option<Value>) throws(UsageError) -> Value? {
        guard let text = self.texts[option.name]?.last else { return nil }
        return try option.value(text)
    }

    /// All values of an option that may be given several times.
    func values<Value>(_ option: Option<Value>) throws(UsageError) -> [Value] {
        var values: [Value] = []
        for text in self.texts[option.name, default: []] { values.append(try option.value(text)) }
        return values
    }

    // MARK: Operands

    private mutating func addOperand(_ word: String) throws(UsageError) {
        switch self.command.operand {
        case .none: throw self.unexpected(word)
        case .many: break
        case .choice(let words):
            guard self.operands.isEmpty else { throw self.unexpected(word) }
            if word == "help" { return self.asksForHelp = true }
            guard words.contains(word) else {
                let hint = OptionValue.hint(for: word, among: words)
                let known = words.joined(separator: ", ")
                throw UsageError("\(self.command.name) takes \(known), not \u{201C}\(word)\u{201D}\(hint)")
            }
        case .one(_, let noun):
            if let first = self.operands.first {
                let both =
                    "\u{201C}\(Redaction.address(first))\u{201D} or \u{201C}\(Redaction.address(word))\u{201D}"
                throw UsageError("one \(noun) at a time: \(both)")
            }
            guard !word.isEmpty else { throw UsageError("a file or an address has a name, and this one has none") }
        }
        self.operands.append(word)
    }

    private func unexpected(_ word: String) -> UsageError {
        let name = self.command.name
        return UsageError("\(name) takes no \u{201C}\(word)\u{201D}; see yabbi-play help \(name)")
    }

    // MARK: Options

    private mutating func addOption(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts[0]
        guard let option = self.command.options.first(where: { $0.name == name }) else { throw self.unknown(name) }
        var text = ""
        if let placeholder = option.argument.placeholder {
            text = try Arguments.text(of: name, placeholder, parts.dropFirst().first, &rest)
        } else if parts.count > 1 {
            throw UsageError("\(name) is a switch and takes no value")
        }
        if let before = self.texts[name]?.last, before != text, !option.isRepeatable {
            let both = "\u{201C}\(Redaction.address(before))\u{201D} and \u{201C}\(Redaction.address(text))\u{201D}"
            throw UsageError("\(name) was given twice, with \(both); give it once")
        }
        try option.validate(text)
        guard !text.isEmpty || !option.argument.isPath else {
            throw UsageError("\(name) needs a value: \(name) \(option.argument.placeholder ?? "")")
        }
        self.texts[name, default: []].append(text)
    }

    /// The text of an option's value: after its equals sign, or the next word.
    private static func text(
        of name: String,
        _ placeholder: String,
        _ attached: String?,
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        if let attached { return attached }
        guard let next = rest.first else { throw UsageError("\(name) needs a value: \(name) \(placeholder)") }
        // Another option is hardly meant as a value; other words with a hyphen, such as negative numbers, may be.
        let word = String(next.prefix { $0 != "=" })
        if (Commands.optionNames + Help.everywhere.flatMap(\.names)).contains(word) {
            let cure = "write \(name) \(placeholder), or \(name)=\(next) where that is meant"
            throw UsageError("\(name) needs a value, and \(word) is an option; \(cure)")
        }
        rest.removeFirst()
        return next
    }

    private func unknown(_ name: String) -> UsageError {
        let command = self.command.name
        let elsewhere = Commands.names(with: name)
        if !elsewhere.isEmpty { return UsageError("\(name) is no option of \(command), but of \(elsewhere)") }
        // Options of this command are suggested first, unless another one is nearer.
        let names = self.command.options.map(\.name) + Help.everywhere.flatMap(\.names).filter { $0.hasPrefix("--") }
        guard let nearest = Suggestion.nearest(to: name, among: names + Commands.optionNames) else {
            return UsageError("there is no option \(name); yabbi-play help \(command) lists them")
        }
        guard names.contains(nearest) else {
            let owners = Commands.names(with: nearest)
            return UsageError("there is no option \(name); \(nearest) is an option of \(owners)")
        }
        return UsageError("there is no option \(name); did you mean \(nearest)?")
    }
}
