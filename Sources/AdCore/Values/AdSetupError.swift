/// An error in setting up a part of the runtime, such as the network.
public struct AdSetupError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is missing and the fix, in one sentence.
    public let description: String

    /// Creates an error with its description.
    public init(description: String) { self.description = description }
}
