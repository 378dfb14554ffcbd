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
    func redacted(by redactor: inout Redactor) -> Self

    /// A command as JSON.
    static func traced(_ command: Command) -> AdJSON
    /// Restores a command; nil if the JSON is invalid.
    static func command(traced json: AdJSON) -> Command?
    /// A command with redacted identifiers.
    static func redacted(_ command: Command, by redactor: inout Redactor) -> Command
    /// An event as JSON, for comparison.
    static func traced(_ event: Event) -> AdJSON
    /// A message of a server or page without data about the user.
    static func redacted(_ text: String) -> String
}

/// Replaces identifiers by pseudonyms, the same one for the same identifier.
package struct Redactor: Sendable {
    /// The pseudonym of identifiers above the limit, and the prefix of all others; traces contain it.
    package static let placeholder = "veiled"
    /// The maximum number of different pseudonyms.
    private static let limit = 1_000

    private var names: [String: String] = [:]
    private var new: [String] = []

    package init() {}

    /// The pseudonym of an identifier.
    package mutating func name(_ secret: String) -> String {
        if let name = self.names[secret] { return name }
        self.new.append(secret)
        guard self.names.count < Redactor.limit else { return Redactor.placeholder }
        let name = "\(Redactor.placeholder)-\(self.names.count + 1)"
        self.names[secret] = name
        return name
    }

    /// Returns and clears the identifiers that were new since the last call.
    package mutating func drainNew() -> [String] {
        defer { self.new = [] }
        return self.new
    }
}
