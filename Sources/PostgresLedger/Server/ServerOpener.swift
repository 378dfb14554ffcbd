import AdCore
import LibC
import PostgresClient

/// Connects to the server, checks what is there, and connects again when the connection is lost.
final class ServerOpener {
    private let address: PostgresAddress
    private let createsTables: Bool
    private var connection: PostgresConnection?
    private var failure: (error: PostgresError, until: ContinuousClock.Instant)?
    private var failures = 0
    private var issues: [AdIssue] = []
    /// Whether the issue of a connection that is not verified was reported.
    private var hasWarned = false

    /// The pause after a failed attempt to connect, doubled with each.
    private static let firstPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(10)

    init(_ address: PostgresAddress, createsTables: Bool) {
        self.address = address
        self.createsTables = createsTables
    }

    var isClosed: LedgerError { ServerOpener.closedError(self.address) }

    static func closedError(_ address: PostgresAddress) -> LedgerError {
        LedgerError("the ledger \(address.printable) is closed; create a new one", isFinal: true)
    }

    /// Removes and returns the issues that were not reported yet.
    func drainIssues() -> [AdIssue] {
        defer { self.issues = [] }
        return self.issues
    }

    /// The connection; connects if there is none, unless that has failed a moment ago.
    func ready() throws(PostgresError) -> PostgresConnection {
        if let connection { return connection }
        if let failure, ContinuousClock.now < failure.until { throw failure.error }
        do throws(PostgresError) {
            let connection = try self.connect()
            self.connection = connection
            self.failure = nil
            self.failures = 0
            return connection
        } catch {
            self.failures += 1
            let pause = ServerOpener.firstPause * (1 << min(self.failures - 1, 10))
            self.failure = (error, ContinuousClock.now + min(pause, ServerOpener.longestPause))
            throw error
        }
    }

    /// Sleeps until the next attempt to connect is due, a few times: a server that restarts is back in a moment.
    func waitToReconnect() -> Bool {
        guard let failure else { return true }
        let pause = failure.until - ContinuousClock.now
        guard pause < .seconds(1) else { return false }
        if pause > .zero { usleep(UInt32(pause / .microseconds(1))) }
        return true
    }

    /// Drops a connection that is broken; the next operation connects again.
    func discard() { self.connection = nil }

    func close() { self.connection = nil }

    private func connect() throws(PostgresError) -> PostgresConnection {
        let connection = try PostgresConnection(self.address)
        try LedgerTables.schema.open(connection, createsTables: self.createsTables)
        if !connection.isVerified, !self.hasWarned {
            self.hasWarned = true
            self.issues.append(
                AdIssue(
                    "ledger.unverified",
                    at: .whole,
                    """
                    the connection to \(self.address.printable) is not encrypted, or its certificate is not verified; \
                    use sslmode=verify-full
                    """
                )
            )
        }
        return connection
    }

    /// An error that names the server.
    func ledgerError(_ error: PostgresError) -> LedgerError {
        LedgerError("the ledger \(self.address.printable) \(error.explanation())")
    }
}
