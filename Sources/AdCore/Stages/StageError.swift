/// Why a creative can't be displayed on a stage.
public struct StageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened and the fix, in one sentence.
    public let message: String
    /// The VAST error code, if any.
    public let vastCode: Int?

    /// Creates an error.
    public init(_ message: String, vastCode: Int? = nil) {
        self.message = message
        self.vastCode = vastCode
    }

    /// The message.
    public var description: String { self.message }
}
