/// A live session that can be traced and replayed.
///
/// In a redacted trace, a replica of the session is recorded instead: it starts with redacted identifiers and receives
/// redacted inputs, so that nothing it produces contains a secret.
package protocol TraceableMachine: EngagementMachine {
    /// Its initial state as JSON.
    var traced: AdJSON { get }
    /// Restores a session from its initial state; nil if the JSON is invalid.
    init?(traced json: AdJSON)
    /// The session's replica with redacted identifiers.
    func redacted(by pseudonyms: inout Pseudonyms) -> Self

    /// A command as JSON.
    static func traced(_ command: Command) -> AdJSON
    /// Restores a command; nil if the JSON is invalid.
    static func command(traced json: AdJSON) -> Command?
    /// A command with redacted identifiers.
    static func redacted(_ command: Command, by pseudonyms: inout Pseudonyms) -> Command
    /// An event as JSON, for comparison.
    static func traced(_ event: Event) -> AdJSON
    /// A message of a server or page without data about the user.
    static func redacted(_ text: String) -> String
}
