/// A creative that a worker has claimed.
package struct ClaimedCreative: Hashable, Sendable {
    package let id: Int64
    /// The number of the claim, without which its result is refused.
    package let claim: Int64
    package let name: String
    package let source: String
    /// What its bytes are; nil for a kind that only newer versions know.
    package let kind: SubmittedCreative.Kind?
    package let settings: String
    /// The number of its policy in the database.
    package let policy: Int64
    package let keptPictureDays: Int64
    /// The server's day, as in `2026-12-31`.
    package let today: String
    /// A creative with the same content and settings that was measured before, so that it need not be shown again.
    package let measured: Int64?
}

/// What a worker stores.
package struct QueuedResult: Hashable, Sendable {
    /// 0 pass, 1 warn, 2 fail.
    package let level: Int
    /// Whether it could be shown, so that its measures are those of any other time.
    package let isMeasured: Bool
    /// The verdict, as JSON.
    package let verdict: String
    package let picture: [UInt8]?

    package init(level: Int, isMeasured: Bool, verdict: String, picture: [UInt8]?) {
        self.level = level
        self.isMeasured = isMeasured
        self.verdict = verdict
        self.picture = picture
    }
}

/// A worker, as others see it.
package struct QueueWorker: Hashable, Sendable {
    package let id: Int64
    /// The computer and the process.
    package let name: String
    package let version: String
    package let lanes: Int
    /// What the measures of its creatives depend on beside their settings: its version and its own options.
    package let signature: String

    package init(_ id: Int64, called name: String, version: String, lanes: Int, signature: String = "") {
        self.id = id
        self.name = name
        self.version = version
        self.lanes = lanes
        self.signature = signature
    }
}
