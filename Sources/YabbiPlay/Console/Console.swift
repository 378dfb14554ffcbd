/// Where the command prints: results to one place, what went wrong to another.
protocol Console: Sendable {
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
    /// Whether somebody reads results on a terminal.
    var isTerminal: Bool { get }
    /// How many columns prose may take; nil where nobody says: a pipe, a file.
    var proseWidth: Int? { get }
    /// Whether somebody sees a line that counts.
    var showsProgress: Bool { get }
    /// Shows a line below everything printed, in place of the last one; nil for none.
    func showProgress(_ line: String?)
    /// Begins to listen to the keys of a user at the terminal; nil where there is none.
    func converse(_ onKey: @escaping @Sendable (Key) -> Void) -> (any Conversation)?
}

extension Console {
    var isTerminal: Bool { false }
    var proseWidth: Int? { nil }
    var showsProgress: Bool { false }
    func showProgress(_ line: String?) {}
}

/// Why what is printed does not arrive.
enum OutputLoss: Equatable, Sendable {
    /// Whoever read it went away, as in `yabbi-play demo | head`: no fault, and nothing more to do.
    case readerGone
    /// It can't be written, for this reason.
    case failed(String)
}

/// A user at the terminal, from `converse` to `end`.
protocol Conversation: Sendable {
    /// Shows a line below everything printed, in place of the last one.
    func status(_ line: String)
    /// Gives the terminal back as it was.
    func end()
}
