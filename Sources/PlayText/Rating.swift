/// How good a result is.
///
/// A page shows it by a word, a sign and a color, never by a color alone. The raw values are its CSS classes.
package enum Rating: String, Sendable {
    case good, plain, warn, bad

    /// The sign for readers who see no colors.
    package var sign: String {
        switch self {
        case .good: "✓"
        case .plain: "–"
        case .warn: "!"
        case .bad: "✗"
        }
    }
}
