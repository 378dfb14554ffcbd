/// What an option takes, or a command without a name before it: help shows it, and a shell completes it.
enum Argument: Equatable, Sendable {
    /// Nothing at all: a switch.
    case nothing
    /// One of a few words.
    case word([String])
    /// Some of a few words, with commas between them; the placeholder stands for them in the help.
    case words([String], placeholder: String)
    /// Steps with commas between them, each of which begins as one of these words.
    case steps([String], placeholder: String)
    /// A file.
    case file(placeholder: String)
    /// A folder.
    case folder
    /// NAME=VALUE, by the names of the provider that is asked.
    case parameter
    /// Something of which nothing is known ahead.
    case other(String)

    /// A file that is called no more than that.
    static let file = Argument.file(placeholder: "FILE")

    /// Whether it is a file or a folder.
    var isPath: Bool {
        switch self {
        case .file, .folder: true
        case .nothing, .word, .words, .steps, .parameter, .other: false
        }
    }

    /// What stands for it in the help; nil where there is nothing to write.
    var placeholder: String? {
        switch self {
        case .nothing: nil
        case .word(let words): words.joined(separator: "|")
        case .words(_, let placeholder), .steps(_, let placeholder): placeholder
        case .file(let placeholder), .other(let placeholder): placeholder
        case .folder: "DIR"
        case .parameter: "NAME=VALUE"
        }
    }
}

extension Settings.Command {
    /// What stands behind the command without an option's name.
    var argument: Argument {
        switch self {
        case .demo, .watch, .reconcile, .sandbox, .doctor, .manual: .nothing
        case .show, .load: .file(placeholder: "SOURCE")
        case .inspect, .lint: .file(placeholder: "INPUT")
        case .replay: .file(placeholder: "TRACE")
        case .outbox: .word(Settings.OutboxAct.allCases.map(\.rawValue))
        case .completions: .word(Settings.Shell.allCases.map(\.rawValue))
        case .help: .word(Help.words)
        }
    }

    /// Whether it takes any number of them.
    var takesMany: Bool { self == .inspect || self == .lint }
}
