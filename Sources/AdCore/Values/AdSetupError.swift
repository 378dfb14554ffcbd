/// Why a part of the runtime, such as the network, can't be set up.
public struct AdSetupError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is missing and how to fix it, in one sentence.
    public let description: String

    /// An error with its description.
    public init(description: String) { self.description = description }
}
