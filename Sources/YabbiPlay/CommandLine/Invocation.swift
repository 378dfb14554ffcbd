import AdCore
import PlayConsole

/// What a command line requests: a command, or the version.
enum Invocation: Sendable {
    case command(any Command)
    case version

    /// Parses the words after the program's name.
    ///
    /// The default command is `demo`.
    init(parsing words: [String]) throws(UsageError) {
        if let requested = Invocation.helpOrVersion(in: words) {
            self = requested
            return
        }
        do throws(UsageError) {
            var rest = words[...]
            let command = try Invocation.command(&rest)
            let arguments = try Arguments(Array(rest), for: command)
            self = .command(arguments.requestsHelp ? HelpCommand(topic: command.name) : try command.command(arguments))
        } catch {
            throw Invocation.misplacedCommand(in: words) ?? error
        }
    }

    /// Help or version, which are accepted at every place and override all errors.
    private static func helpOrVersion(in words: [String]) -> Invocation? {
        let options = words.prefix { $0 != "--" }
        guard let first = options.first, first.hasPrefix("-") || Commands.named(first) != nil else { return nil }
        if options.contains("--version") { return .version }
        guard options.contains("-h") || options.contains("--help") else { return nil }
        // `yabbi-play --help` prints the overview, `yabbi-play show --help` the help of show.
        return .command(HelpCommand(topic: first.hasPrefix("-") ? nil : first))
    }

    private static func command(_ rest: inout ArraySlice<String>) throws(UsageError) -> any CommandDeclaration.Type {
        guard let first = rest.first, !first.hasPrefix("-") else { return DemoCommand.self }
        rest.removeFirst()
        if let command = Commands.named(first) { return command }
        throw UsageError("unknown command \u{201C}\(first)\u{201D}; \(self.hint(for: first))")
    }

    /// A suggestion for a word that is not a command.
    private static func hint(for word: String) -> String {
        if let nearest = Suggestion.nearest(to: word, among: Commands.names) { return "did you mean \(nearest)?" }
        if let option = Help.common.flatMap(\.names).first(where: { $0 == "--" + word }) {
            return "did you mean \(option)?"
        }
        // It looks like a file or a URL.
        if word.contains(".") || word.contains("/") {
            return "did you mean yabbi-play show \(Redaction.address(word))?"
        }
        return "see yabbi-play help"
    }

    /// The error for options before the command, which would otherwise be parsed as options of `demo`.
    private static func misplacedCommand(in words: [String]) -> UsageError? {
        guard words.first?.hasPrefix("-") ?? false, let place = words.firstIndex(where: Commands.names.contains)
        else { return nil }
        let right = [words[place]] + words[..<place] + words[(place + 1)...]
        let line = right.map(Redaction.address).map { $0.contains(" ") ? "\"\($0)\"" : $0 }.joined(separator: " ")
        return UsageError("options must follow the command; write yabbi-play \(line)")
    }
}
