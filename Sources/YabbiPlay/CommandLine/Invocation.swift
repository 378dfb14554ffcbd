import AdCore
import PlayConsole

/// What the words of the command line ask for.
enum Invocation: Sendable {
    case command(any Command)
    case version

    /// Reads the words after the program's name; without a command they are those of `demo`.
    init(parsing words: [String]) throws(UsageError) {
        if let asked = Invocation.helpOrVersion(in: words) {
            self = asked
            return
        }
        do throws(UsageError) {
            var rest = words[...]
            let command = try Invocation.command(&rest)
            let arguments = try Arguments(Array(rest), for: command)
            self = .command(arguments.asksForHelp ? HelpCommand(topic: command.name) : try command.init(arguments))
        } catch {
            throw Invocation.misplacedCommand(in: words) ?? error
        }
    }

    /// Help and version, which count wherever they stand and whatever else is wrong.
    private static func helpOrVersion(in words: [String]) -> Invocation? {
        let options = words.prefix { $0 != "--" }
        guard let first = options.first, first.hasPrefix("-") || Commands.named(first) != nil else { return nil }
        if options.contains("--version") { return .version }
        guard options.contains("-h") || options.contains("--help") else { return nil }
        // `yabbi-play --help` is about everything, `yabbi-play show --help` about show.
        return .command(HelpCommand(topic: first.hasPrefix("-") ? nil : first))
    }

    private static func command(_ rest: inout ArraySlice<String>) throws(UsageError) -> any Command.Type {
        guard let first = rest.first, !first.hasPrefix("-") else { return DemoCommand.self }
        rest.removeFirst()
        if let command = Commands.named(first) { return command }
        throw UsageError("there is no command \u{201C}\(first)\u{201D}; \(self.hint(for: first))")
    }

    /// What may be meant by a word that is no command.
    private static func hint(for word: String) -> String {
        if let nearest = Suggestion.nearest(to: word, among: Commands.names) { return "did you mean \(nearest)?" }
        if let option = Help.everywhere.flatMap(\.names).first(where: { $0 == "--" + word }) {
            return "did you mean \(option)?"
        }
        // A file or an address.
        if word.contains(".") || word.contains("/") {
            return "did you mean yabbi-play show \(Redaction.address(word))?"
        }
        return "yabbi-play help lists them"
    }

    /// The error for options before the command: without a command first they would be those of `demo`.
    private static func misplacedCommand(in words: [String]) -> UsageError? {
        guard words.first?.hasPrefix("-") ?? false, let place = words.firstIndex(where: Commands.names.contains)
        else { return nil }
        let right = [words[place]] + words[..<place] + words[(place + 1)...]
        let line = right.map(Redaction.address).map { $0.contains(" ") ? "\"\($0)\"" : $0 }.joined(separator: " ")
        return UsageError("the command comes first: yabbi-play \(line)")
    }
}
