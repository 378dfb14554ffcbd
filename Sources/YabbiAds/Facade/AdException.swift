public import AdCore

/// Why a command failed: the kind of failure, and the texts of the SDK.
public struct AdException: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public let code: AdError.Code
    /// What happened and the fix, in one sentence.
    public let message: String
    /// The underlying error or URL; empty if there is none.
    public let caused: String

    /// Creates an exception, as for the tests of a delegate.
    ///
    /// ```swift
    /// delegate.onInterstitialLoadFailed(AdPayload(placementName: "pause"), AdException(.noFill, "there is no ad now"))
    /// ```
    public init(_ code: AdError.Code, _ message: String, caused: String = "") {
        self.code = code
        self.message = message
        self.caused = caused
    }

    /// The code and the message, as in `noFill: there is no ad now`.
    public var description: String { "\(self.code): \(self.message)" }

    init(_ error: AdError) {
        self.init(error.code, error.message, caused: error.underlying.map { "\($0)" } ?? error.place.url ?? "")
    }
}
