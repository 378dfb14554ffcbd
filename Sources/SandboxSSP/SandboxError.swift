/// An error of the sandbox or its input: what is wrong and how to fix it.
package struct SandboxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and how to fix it, in one sentence.
    package let message: String

    init(_ message: String) { self.message = message }

    /// The message.
    package var description: String { self.message }
}
