/// The kind of value of an option or operand, for help and for shell completion.
enum Argument: Equatable, Sendable {
    /// No value: a flag.
    case nothing
    /// One of a few words.
    case word([String])
    /// No value, or a word after an equals sign.
    case optionalWord(String)
    /// Several of a few words, separated by commas.
    case words([String], placeholder: String)
    /// Steps separated by commas, each starting with one of these words.
    case steps([String], placeholder: String)
    case file(placeholder: String)
    case folder
    /// `<name>=<value>`, with the names of the chosen provider.
    case parameter
    /// A value that can't be completed: a name, a number, a URL.
    case other(String)

    static let file = Argument.file(placeholder: "<file>")

    var isPath: Bool {
        switch self {
        case .file, .folder: true
        case .nothing, .word, .optionalWord, .words, .steps, .parameter, .other: false
        }
    }

    /// The value after an option's name, as help shows it; empty for a flag.
    var suffix: String {
        switch self {
        case .optionalWord: self.placeholder ?? ""
        default: self.placeholder.map { " " + $0 } ?? ""
        }
    }

    /// How help shows the value; nil for a flag.
    var placeholder: String? {
        switch self {
        case .nothing: nil
        case .optionalWord(let word): "[=\(word)]"
        case .word(let words): "<\(words.joined(separator: "|"))>"
        case .words(_, let placeholder), .steps(_, let placeholder): placeholder
        case .file(let placeholder), .other(let placeholder): placeholder
        case .folder: "<dir>"
        case .parameter: "<name>=<value>"
        }
    }
}
