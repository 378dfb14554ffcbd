/// Where the command prints: results to one place, what went wrong to another.
package protocol Console: Sendable {
    /// Prints a line of results.
    func out(_ line: String)
    /// Prints a line of what went wrong.
    func err(_ line: String)
    /// Whether results may be coloured.
    var isColoured: Bool { get }
    /// Why results don't arrive any more; nil as long as they do.
    var loss: OutputLoss? { get }
    /// How many columns there are.
    var width: Int { get }
    /// Whether results go to a terminal.
    var isTerminal: Bool { get }
    /// How many columns prose may take; nil for a pipe or a file.
    var proseWidth: Int? { get }
    /// Whether a progress line can be seen.
    var showsProgress: Bool { get }
    /// Shows a line below everything printed, in place of the last one; nil for none.
    func showProgress(_ line: String?)
    /// Begins to listen to the keys of a user at the terminal; nil where there is none.
    func converse(_ onKey: @escaping @Sendable (Key) -> Void) -> (any Conversation)?
}

extension Console {
    package var isTerminal: Bool { false }
    package var proseWidth: Int? { nil }
    package var showsProgress: Bool { false }
    package func showProgress(_ line: String?) {}
}

/// Why what is printed does not arrive.
package enum OutputLoss: Equatable, Sendable {
    /// The reader went away, as in `yabbi-play demo | head`: no fault, and nothing more to do.
    case readerGone
    /// It can't be written, for this reason.
    case failed(String)
}

/// A user at the terminal, from `converse` to `end`.
package protocol Conversation: Sendable {
    /// Shows a line below everything printed, in place of the last one.
    func status(_ line: String)
    /// Gives the terminal back as it was.
    func end()
}
