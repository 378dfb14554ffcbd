import AdCore
import PlayConsole
import PlayQueue
import PostgresClient

/// The options about a queue.
enum QueueOptions {
    static let queue = Option(
        "--queue",
        .other("<database>"),
        "The database of the queue, as in postgres://user@host/database."
    ) { (text, name) throws(UsageError) in
        guard PostgresAddress.isURL(text) else {
            throw OptionValue.invalid(
                Redaction.address(text),
                for: name,
                expected: "the URL of a database, as in postgres://user@host/database"
            )
        }
        return try LedgerOptions.checked(text, name)
    }
    static let label = Option(
        "--label",
        .other("<text>"),
        "The name of the submission, which status, results and retry select it by.",
        otherwise: "the time for submit; all for others"
    ) { (text, name) throws(UsageError) in
        guard !text.isEmpty, text.utf8.count <= 200, Style.printable(text) == text else {
            throw OptionValue.invalid(
                text.excerpt(60),
                for: name,
                expected: "a text of at most 200 bytes without control characters"
            )
        }
        return text
    }

    static func address(_ arguments: Arguments) throws(UsageError) -> PostgresAddress {
        guard let text = try arguments.value(self.queue) else {
            throw UsageError("--queue postgres://host/database is missing")
        }
        do throws(PostgresError) {
            return try PostgresAddress(text)
        } catch {
            throw UsageError("the value of --queue \(error.explanation())")
        }
    }

    static func refuseOperands(_ arguments: Arguments, for command: String) throws(UsageError) {
        guard let word = arguments.operands.first else { return }
        throw UsageError("unexpected argument \u{201C}\(Redaction.address(word).excerpt(60))\u{201D} for \(command)")
    }

    /// Runs a body with an open queue; a database that is away is waited for.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - createsTables: Whether missing tables are created.
    ///   - console: Where it is told if the database is away, or the connection is not verified.
    ///   - body: The body.
    /// - Returns: What the body returns.
    /// - Throws: `PlayError` if the queue can't be used.
    static func withQueue<Value: Sendable>(
        _ address: PostgresAddress,
        createsTables: Bool = false,
        _ console: any Console,
        _ body: (CreativeQueue) async throws(PlayError) -> Value
    ) async throws(PlayError) -> Value {
        let queue: CreativeQueue
        do throws(QueueError) {
            queue = try CreativeQueue(address, createsTables: createsTables)
        } catch {
            throw PlayError(.usage, error.message)
        }
        try await self.open(queue, console)
        if await queue.isUnverified() {
            console.err(
                """
                yabbi-play: the connection to \(address.printable) is not encrypted, or its certificate is not verified; use \
                sslmode=verify-full
                """
            )
        }
        return try await body(queue)
    }

    private static func open(_ queue: CreativeQueue, _ console: any Console) async throws(PlayError) {
        var isAway = false
        try await self.call { () throws(QueueError) in
            do throws(QueueError) {
                try await queue.open()
            } catch {
                // The address is more likely to be wrong than its server to become the primary one in a minute.
                guard error.isAway, !error.isReadOnly else { throw QueueError(error.message) }
                if !isAway { console.err("yabbi-play: \(error.message); it is tried again for a minute") }
                isAway = true
                throw error
            }
        }
        if isAway { console.err("yabbi-play: the database responds again") }
    }

    /// How long a command waits for a database that is away.
    private static let patience = Duration.seconds(60)

    /// The value of a call of the queue, or the command's error.
    ///
    /// While the database is away, it is tried again for a minute: a server restarts in that time.
    static func call<Value: Sendable>(
        _ body: () async throws(QueueError) -> Value
    ) async throws(PlayError) -> Value {
        let deadline = ContinuousClock.now + self.patience
        var pause = Duration.milliseconds(200)
        while true {
            do throws(QueueError) {
                return try await body()
            } catch {
                guard error.isAway, .now + pause < deadline, (try? await Task.sleep(for: pause)) != nil else {
                    throw PlayError(.usage, error.message)
                }
                pause = min(pause * 2, .seconds(5))
            }
        }
    }
}
