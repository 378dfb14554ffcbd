import AdCore
package import PostgresClient
import SystemSupport

/// A queue of creatives in a PostgreSQL database: some computers submit them, others scan them.
///
/// - A creative is scanned by the worker that has claimed it. Claims are leases by the server's clock, which workers renew;
///   a creative whose worker did not is claimed by another one, and set aside if that happens again and again.
/// - A result is stored only for the claim that holds the creative: one verdict for each creative and version of a policy.
///
/// Statements run on a thread of its own. What may be executed twice without an effect is tried again over a new connection.
package actor CreativeQueue {
    let address: PostgresAddress
    private let createsTables: Bool
    private let executor: ThreadExecutor
    private var connection: PostgresConnection?
    /// Why the last attempt to connect failed, and until when it is not tried again.
    private var refusal: (error: PostgresError, until: ContinuousClock.Instant)?
    private var lostClaims = LostClaims()

    private static let maximumTries = 4
    /// So that many callers do not wait for one connection attempt after the other.
    private static let connectionPause = Duration.seconds(1)
    private static let timeout = Duration.seconds(45)
    /// How long a statement is waited for that reads many rows.
    private static let readingTimeout = Duration.seconds(620)

    /// Creates a queue; it connects when it is first used.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - createsTables: Whether missing tables are created, if the user may do so.
    /// - Throws: `QueueError` if the system can't create a thread.
    package init(_ address: PostgresAddress, createsTables: Bool) throws(QueueError) {
        guard let executor = ThreadExecutor("yabbi-queue") else {
            throw QueueError("the system can't create a thread for the queue; end other programs")
        }
        self.address = address
        self.createsTables = createsTables
        self.executor = executor
    }

    deinit { self.executor.close() }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { self.executor.asUnownedSerialExecutor() }

    /// Connects, and creates missing tables.
    package func open() throws(QueueError) { _ = try self.run([PostgresStatement("ping", "SELECT 1")]) }

    /// Whether the server is another computer's, and its connection neither encrypted nor verified.
    package func isUnverified() -> Bool { self.connection.map { !$0.isVerified } ?? false }

    /// Executes statements in one transaction.
    ///
    /// - Parameters:
    ///   - statements: The statements.
    ///   - isRepeatable: Whether they may be executed twice, so that they are tried again if the connection breaks.
    ///   - timeout: How long the answers are waited for.
    ///   - tries: How often they are tried.
    /// - Returns: The rows of each.
    /// - Throws: `QueueError` if they were not executed, or may not have been.
    func run(
        _ statements: [PostgresStatement],
        isRepeatable: Bool = true,
        timeout: Duration = CreativeQueue.timeout,
        tries: Int = CreativeQueue.maximumTries
    ) throws(QueueError) -> [PostgresRows] {
        for attempt in 1... {
            do throws(PostgresError) {
                return try self.ready().run(statements, timeout: timeout)
            } catch {
                if error.endsConnection { self.connection = nil }
                // A foreign key: its content was removed a moment before.
                let mayPass = error.isTransient || error.code == "23503" || isRepeatable && error.isUncertain
                guard mayPass, attempt < tries else { throw QueueError(error, self.address) }
            }
        }
        return []
    }

    func run(_ statement: PostgresStatement) throws(QueueError) -> PostgresRows {
        guard let rows = try self.run([statement]).first else {
            throw QueueError("the queue \(self.address.printable) returned no result")
        }
        return rows
    }

    /// Executes a statement that reads many rows, so that it may take minutes.
    func read(_ text: String, _ values: [PostgresValue] = []) throws(QueueError) -> PostgresRows {
        let statements = [PostgresStatement(once: QueueSQL.readingMuch), PostgresStatement(once: text, values)]
        guard let rows = try self.run(statements, timeout: CreativeQueue.readingTimeout).last else {
            throw QueueError("the queue \(self.address.printable) returned no result")
        }
        return rows
    }

    private func ready() throws(PostgresError) -> PostgresConnection {
        if let connection { return connection }
        if let refusal, .now < refusal.until { throw refusal.error }
        do throws(PostgresError) {
            let connection = try PostgresConnection(self.address, timeout: CreativeQueue.timeout)
            try QueueTables.schema.open(connection, createsTables: self.createsTables)
            self.connection = connection
            self.refusal = nil
            return connection
        } catch {
            self.refusal = (error, .now + CreativeQueue.connectionPause)
            throw error
        }
    }

    /// Creates the tables, and gives roles their rights.
    package func prepare(
        submitters: [String],
        workers: [String],
        readers: [String]
    ) throws(QueueError) {
        let grants: [(QueueTables.Access, [String])] = [
            (.submitter, submitters), (.worker, workers), (.reader, readers),
        ]
        let texts = grants.flatMap { access, roles in
            roles.flatMap { QueueTables.schema.grants(of: access.rights, to: $0) }
        }
        try self.open()
        if !texts.isEmpty { _ = try self.run(texts.map { PostgresStatement(once: $0) }) }
    }

    // MARK: Lost claims

    /// Gives back what claims took whose answers were lost.
    var givingBack: [PostgresStatement] {
        let numbers = self.lostClaims.numbers
        return numbers.isEmpty ? [] : [PostgresStatement(once: QueueSQL.giveBackClaims, [.ints(numbers)])]
    }

    /// Executes a claim; one whose answer is lost is given back with the next ones.
    func claim(_ number: Int64, _ statements: [PostgresStatement]) throws(QueueError) -> [PostgresRows] {
        let giveBack = self.givingBack
        do throws(QueueError) {
            let rows = try self.run(giveBack + statements, isRepeatable: false)
            self.lostClaims.gaveBack(at: .now)
            return Array(rows.dropFirst(giveBack.count))
        } catch {
            if error.isUncertain { self.lostClaims.add(number, at: .now) }
            throw error
        }
    }
}
