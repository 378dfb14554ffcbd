/// The output of the command, and the keyboard.
package protocol Console: Sendable {
    /// Prints a line of results.
    func out(_ line: String)
    /// Prints a line about an error.
    func err(_ line: String)
    /// Whether results may be colored.
    var isColored: Bool { get }
    /// Why results can no longer be written. Nil while they can.
    var loss: OutputLoss? { get }
    /// The number of columns.
    var width: Int { get }
    /// Whether results go to a terminal.
    var isTerminal: Bool { get }
    /// The maximum width of prose. Nil for a pipe or a file.
    var proseWidth: Int? { get }
    /// Whether progress lines are shown.
    var showsProgress: Bool { get }
    /// Replaces the progress line below the printed lines. Nil removes it.
    func showProgress(_ line: String?)
    /// Starts to read keys. Nil without a terminal.
    func startInteraction(onKey: @escaping @Sendable (Key) -> Void) -> (any Interaction)?
}

extension Console {
    package var isTerminal: Bool { false }
    package var proseWidth: Int? { nil }
    package var showsProgress: Bool { false }
    package func showProgress(_ line: String?) {}
}

/// Why results can no longer be written.
package enum OutputLoss: Equatable, Sendable {
    /// The reader of the pipe went away, as in `yabbi-play demo | head`. Not an error.
    case readerGone
    /// A write failed, with the reason.
    case failed(String)
}

/// The status line and keys of an interactive terminal, from `startInteraction` to `end`.
package protocol Interaction: Sendable {
    /// Replaces the status line below the printed lines.
    func status(_ line: String)
    /// Restores the terminal.
    func end()
}
