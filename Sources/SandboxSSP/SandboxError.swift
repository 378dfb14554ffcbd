/// Why the sandbox, or something that it was given, can't be used: what happened and what to do.
package struct SandboxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened and what to do, in one sentence.
    package let message: String

    init(_ message: String) { self.message = message }

    /// The message.
    package var description: String { self.message }
}
