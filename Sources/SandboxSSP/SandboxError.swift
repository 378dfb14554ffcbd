/// Why the sandbox, or something that it was given, can't be used: what happened and what to do.
public struct SandboxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened and what to do, in one sentence.
    public let message: String

    init(_ message: String) { self.message = message }

    /// The message.
    public var description: String { self.message }
}
