/// The kind of value of an option or operand, for help and for shell completion.
enum Argument: Equatable, Sendable {
    /// No value: a flag.
    case nothing
    /// One of a few words.
    case word([String])
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
        case .nothing, .word, .words, .steps, .parameter, .other: false
        }
    }

    /// How help shows the value; nil for a flag.
    var placeholder: String? {
        switch self {
        case .nothing: nil
        case .word(let words): "<\(words.joined(separator: "|"))>"
        case .words(_, let placeholder), .steps(_, let placeholder): placeholder
        case .file(let placeholder), .other(let placeholder): placeholder
        case .folder: "<dir>"
        case .parameter: "<name>=<value>"
        }
    }
}
