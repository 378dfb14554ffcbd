import LoopbackServer

/// An error of the sandbox or its input: what is wrong and how to fix it.
package struct SandboxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and how to fix it, in one sentence.
    package let message: String

    init(_ message: String) { self.message = message }

    /// The message.
    package var description: String { self.message }

    /// Runs a body, and throws its error as one of the sandbox.
    static func converting<Value>(_ body: () throws(ServerError) -> Value) throws(SandboxError) -> Value {
        do throws(ServerError) {
            return try body()
        } catch {
            throw SandboxError(error.message)
        }
    }
}
