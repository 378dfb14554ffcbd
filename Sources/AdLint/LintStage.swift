import AdHTML
import AdMarkup

/// How far markup is on its way to a player: that decides whether macros in it are faults.
enum LintStage {
    /// A tag or a creative that an ad server or an exchange may still fill in.
    case tag
    /// What was delivered: nothing is filled in after it.
    case delivered
}
