import PostgresClient

/// Why the queue could not do what was asked.
package struct QueueError: Error, Hashable, Sendable {
    package let message: String
    /// Whether the database is away, so that the same may succeed later.
    package let isAway: Bool
    /// Whether it may have been done in spite of the error.
    let isUncertain: Bool
    /// Whether the database takes no changes: it is not the primary one.
    package let isReadOnly: Bool

    package init(_ message: String, isAway: Bool = false, isUncertain: Bool = false, isReadOnly: Bool = false) {
        self.message = message
        self.isAway = isAway
        self.isUncertain = isUncertain
        self.isReadOnly = isReadOnly
    }

    init(_ error: PostgresError, _ address: PostgresAddress) {
        self.init(
            "the queue \(address.printable) \(error.explanation(preparedBy: QueueTables.schema.fix))",
            isAway: error.isAway && !error.isMisconfiguration,
            isUncertain: error.isUncertain,
            isReadOnly: error.code == "25006"
        )
    }
}
