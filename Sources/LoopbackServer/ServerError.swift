/// An error of a server on loopback: what is wrong and how to fix it.
package struct ServerError: Error, Hashable, Sendable {
    /// What is wrong and how to fix it, in one sentence.
    package let message: String

    init(_ message: String) { self.message = message }
}
