import AdCore

/// One option: its name, what it takes, what it means, where it is known, and what it does to the settings.
struct Option: Sendable {
    let name: String
    let takes: Argument
    let summary: String
    let commands: [Settings.Command]
    /// Whether each use of it says something more; any other one may be given once.
    var addsUp = false
    let apply: @Sendable (inout Settings, String) throws(UsageError) -> Void

    /// The value's placeholder in the help; nil for a switch.
    var placeholder: String? { self.takes.placeholder }

    /// The same, where each use of it says something more.
    var addingUp: Option {
        var option = self
        option.addsUp = true
        return option
    }

    static let playing: [Settings.Command] = [.demo, .show, .load]
    static let asking: [Settings.Command] = [.show, .load]
    /// Those that stay connected besides.
    static let connecting: [Settings.Command] = [.watch]

    /// A switch.
    static func flag(
        _ name: String,
        _ summary: String,
        _ commands: [Settings.Command],
        _ set: @escaping @Sendable (inout Settings) -> Void
    ) -> Option {
        Option(name: name, takes: .nothing, summary: summary, commands: commands) { (settings, _) throws(UsageError) in
            set(&settings)
        }
    }

    /// An option with a value of which nothing is known ahead: a name, a number, an address.
    static func value(
        _ name: String,
        _ placeholder: String,
        _ summary: String,
        _ commands: [Settings.Command],
        _ set: @escaping @Sendable (inout Settings, String) throws(UsageError) -> Void
    ) -> Option {
        Option(name: name, takes: .other(placeholder), summary: summary, commands: commands, apply: set)
    }

    /// An option whose value is a file, or of a known kind.
    static func value(
        _ name: String,
        _ takes: Argument,
        _ summary: String,
        _ commands: [Settings.Command],
        _ set: @escaping @Sendable (inout Settings, String) throws(UsageError) -> Void
    ) -> Option {
        Option(name: name, takes: takes, summary: summary, commands: commands, apply: set)
    }

    /// An option whose value is one of a few words.
    static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ name: String,
        _ summary: String,
        _ commands: [Settings.Command],
        _ path: @escaping @Sendable (inout Settings, Choice) -> Void
    ) -> Option where Choice.RawValue == String {
        let words = Choice.allCases.map(\.rawValue)
        return .value(name, .word(words), summary, commands) { (settings, text) throws(UsageError) in
            guard let choice = Choice(rawValue: text) else {
                let nearest = Suggestion.nearest(to: text, among: words).map { "; did you mean \($0)?" } ?? ""
                throw UsageError(
                    "\(name) takes \(words.joined(separator: " or ")), not \u{201C}\(text)\u{201D}\(nearest)"
                )
            }
            path(&settings, choice)
        }
    }
}
