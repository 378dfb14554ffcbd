/// A live session that can be written down, and begun again from what was written.
///
/// Where secrets are left out, what is written down is the life of another one like it, whose user is veiled, and which
/// is told veiled texts: what comes of that holds no secret, because none has gone in.
package protocol TraceableMachine: EngagementMachine {
    /// What it begins with.
    var written: AdJSON { get }
    /// Begins one from what was written; nil for anything else.
    init?(written json: AdJSON)
    /// One that begins like this, with other names for whoever may not be named.
    func veiled(by veil: inout Redactor) -> Self

    /// What the host wants, in a form that can be read back.
    static func written(_ command: Command) -> AdJSON
    /// Reads it back; nil for anything else.
    static func command(written json: AdJSON) -> Command?
    /// The same, with other names for whoever may not be named.
    static func veiled(_ command: Command, by veil: inout Redactor) -> Command
    /// What the host hears, for comparison.
    static func written(_ news: Event) -> AdJSON
    /// What a server or a page said, without what may be about the user.
    static func veiled(_ text: String) -> String
}

/// Gives other names to what may not be named: the same one to the same, each time.
package struct Redactor: Sendable {
    /// What stands for whatever has no name of its own.
    package static let nobody = "veiled"
    /// Sessions know a few identifiers; no more than so many have names of their own.
    private static let most = 1_000

    private var names: [String: String] = [:]
    private var unseen: [String] = []

    package init() {}

    /// The other name of something.
    package mutating func name(_ secret: String) -> String {
        if let name = self.names[secret] { return name }
        self.unseen.append(secret)
        guard self.names.count < Redactor.most else { return Redactor.nobody }
        let name = "\(Redactor.nobody)-\(self.names.count + 1)"
        self.names[secret] = name
        return name
    }

    /// What was named since this was asked last.
    package mutating func takeUnseen() -> [String] {
        defer { self.unseen = [] }
        return self.unseen
    }
}
