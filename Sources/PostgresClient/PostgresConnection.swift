import CPostgres
import LibC

/// A connection to a database, used by one thread.
package final class PostgresConnection {
    private let raw: OpaquePointer
    /// The names of the statements that are prepared.
    private var prepared: Set<String> = []
    /// How long the answers of one group are waited for, if the group has no limit of its own.
    private let timeout: Duration
    /// Why the connection is ended: an answer that comes later must not be taken for that of another statement.
    private var end: PostgresError?

    /// Connects.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - connectTimeout: How long connecting to each of its hosts may take, in whole seconds.
    ///   - timeout: How long the answers of one group are waited for.
    /// - Throws: `PostgresError` if no connection can be made.
    package init(
        _ address: PostgresAddress,
        connectTimeout: Int = 5,
        timeout: Duration = .seconds(15)
    ) throws(PostgresError) {
        let parameters = address.parameters(connectTimeout: connectTimeout)
        let names = parameters.map { strdup($0.name) } + [nil]
        let values = parameters.map { strdup($0.value) } + [nil]
        defer { for text in names + values { free(text) } }
        let raw = names.map { UnsafePointer($0) }.withUnsafeBufferPointer { names in
            values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
                PQconnectdbParams(names.baseAddress, values.baseAddress, 0)
            }
        }
        guard let raw else { throw .unreachable("out of memory") }
        guard PQstatus(raw) == CONNECTION_OK, PQsetnonblocking(raw, 1) == 0 else {
            defer { PQfinish(raw) }
            throw PostgresConnection.connectionError(PostgresConnection.message(PQerrorMessage(raw)))
        }
        self.raw = raw
        self.timeout = timeout
        yabbi_silence(raw)
        guard PQenterPipelineMode(raw) == 1 else { throw .unreachable("libpq can't send groups of statements") }
    }

    deinit { PQfinish(self.raw) }

    /// The server's version, as 150004 for 15.4.
    package var serverVersion: Int { Int(PQserverVersion(self.raw)) }

    /// Whether the connection is encrypted and the server's certificate was verified with its name, or is local.
    package var isVerified: Bool {
        if PQsslInUse(self.raw) == 1, self.option("sslmode") == "verify-full" { return true }
        let host = PQhost(self.raw).map { String(cString: $0) } ?? ""
        let address = PQhostaddr(self.raw).map { String(cString: $0) } ?? ""
        // A socket in the file system has no address.
        guard address.isEmpty else { return PostgresAddress.isLoopback(address) }
        return host.hasPrefix("/") || host.hasPrefix("@")
    }

    private func option(_ name: String) -> String? {
        guard let options = PQconninfo(self.raw) else { return nil }
        defer { PQconninfoFree(options) }
        var next = options
        while let keyword = next.pointee.keyword {
            if String(cString: keyword) == name { return next.pointee.val.map { String(cString: $0) } }
            next += 1
        }
        return nil
    }

    // MARK: Groups of statements

    /// Executes statements in one transaction and one exchange of messages: all of them or none.
    ///
    /// - Parameters:
    ///   - statements: The statements.
    ///   - timeout: How long the answers are waited for; nil for the connection's time.
    /// - Returns: The rows of each.
    /// - Throws: `PostgresError` if they were not executed, or may not have been.
    package func run(
        _ statements: [PostgresStatement],
        timeout: Duration? = nil
    ) throws(PostgresError) -> [PostgresRows] {
        let timeout = timeout ?? self.timeout
        guard statements.count != 1 else { return try self.exchange(statements, timeout) }
        do throws(PostgresError) {
            let results = try self.exchange(
                [PostgresStatement("begin", "BEGIN")] + statements + [PostgresStatement("commit", "COMMIT")],
                timeout
            )
            return Array(results.dropFirst().dropLast())
        } catch {
            if case .refused = error, PQtransactionStatus(self.raw) != PQTRANS_IDLE { try self.rollBack() }
            throw error
        }
    }

    /// Ends a transaction of which a statement was refused; if that fails, the connection is ended.
    private func rollBack() throws(PostgresError) {
        do throws(PostgresError) {
            _ = try self.exchange([PostgresStatement("rollback", "ROLLBACK")], self.timeout)
        } catch {
            guard case .refused(_, let message) = error else { throw error }
            let lost = PostgresError.lost("a transaction could not be rolled back (\(message))")
            self.end = lost
            throw lost
        }
    }

    /// Runs a body that exchanges messages; if the connection is lost meanwhile, it is ended.
    private func whileOpen<Value>(_ body: () throws(PostgresError) -> Value) throws(PostgresError) -> Value {
        if let end { throw end }
        do throws(PostgresError) {
            return try body()
        } catch {
            if case .lost = error { self.end = error }
            throw error
        }
    }

    /// Executes one statement.
    package func run(_ statement: PostgresStatement) throws(PostgresError) -> PostgresRows {
        guard let rows = try self.run([statement]).first else { throw .lost("it returned no result") }
        return rows
    }

    /// Executes several statements in one text, which return no rows.
    package func runScript(_ text: String) throws(PostgresError) {
        try self.whileOpen { () throws(PostgresError) in try self.execute(text) }
    }

    private func execute(_ text: String) throws(PostgresError) {
        // The simple protocol, which alone takes several statements, is not available in pipeline mode.
        guard PQexitPipelineMode(self.raw) == 1, PQsetnonblocking(self.raw, 0) == 0 else { throw self.lost() }
        let result = PQexec(self.raw, text)
        defer { PQclear(result) }
        let status = PQresultStatus(result)
        let error = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ? nil : self.error(of: result)
        if error != nil, PQtransactionStatus(self.raw) != PQTRANS_IDLE {
            PQclear(PQexec(self.raw, "ROLLBACK"))
            guard PQtransactionStatus(self.raw) == PQTRANS_IDLE else { throw self.lost() }
        }
        guard PQsetnonblocking(self.raw, 1) == 0, PQenterPipelineMode(self.raw) == 1 else { throw self.lost() }
        if let error { throw error }
    }

    private func exchange(
        _ statements: [PostgresStatement],
        _ timeout: Duration
    ) throws(PostgresError) -> [PostgresRows] {
        try self.whileOpen { () throws(PostgresError) in try self.answers(to: statements, timeout) }
    }

    private func answers(
        to statements: [PostgresStatement],
        _ timeout: Duration
    ) throws(PostgresError) -> [PostgresRows] {
        /// For each expected result, the name of the statement if it is that of its preparation.
        var expected: [String?] = []
        for statement in statements {
            if let name = statement.name, !self.prepared.contains(name), !expected.contains(name) {
                try self.prepare(statement, as: name)
                expected.append(name)
            }
            try self.send(statement)
            expected.append(nil)
        }
        guard PQpipelineSync(self.raw) == 1 else { throw self.lost() }
        let deadline = Deadline(limit: timeout, end: .now + timeout)
        try self.flush(until: deadline)

        var answers: [PostgresRows] = []
        var refusal: PostgresError?
        for name in expected {
            guard let result = try self.result(until: deadline) else { throw self.lost() }
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                let rows = PostgresRows(result)
                // It stays prepared also if a later statement is refused.
                if let name { self.prepared.insert(name) } else { answers.append(rows) }
            case PGRES_PIPELINE_ABORTED: PQclear(result)
            default:
                refusal = refusal ?? self.error(of: result)
                PQclear(result)
            }
            // After the result of each statement comes a null.
            while let more = try self.result(until: deadline) { PQclear(more) }
        }
        guard let sync = try self.result(until: deadline) else { throw self.lost() }
        defer { PQclear(sync) }
        guard PQresultStatus(sync) == PGRES_PIPELINE_SYNC else { throw self.error(of: sync) }
        if let refusal { throw refusal }
        return answers
    }

    private func prepare(_ statement: PostgresStatement, as name: String) throws(PostgresError) {
        let types = statement.values.map { Oid($0.type) }
        guard PQsendPrepare(self.raw, name, statement.text, Int32(types.count), types) == 1 else { throw self.lost() }
    }

    private func send(_ statement: PostgresStatement) throws(PostgresError) {
        let types = statement.values.map { Oid($0.type) }
        var lengths: [Int32] = []
        var bytes: [UInt8] = []
        var offsets: [Int?] = []
        for value in statement.values {
            let start = bytes.count
            value.encode(to: &bytes)
            offsets.append(value.isNull ? nil : start)
            lengths.append(Int32(bytes.count - start))
        }
        // A pointer that is not null, also for an empty value: null would be NULL.
        bytes.append(0)
        let formats = [Int32](repeating: 1, count: offsets.count)
        let isSent = bytes.withUnsafeBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = offsets.map { offset in offset.flatMap { place in start.map { $0 + place } } }
            if let name = statement.name {
                return PQsendQueryPrepared(self.raw, name, Int32(offsets.count), pointers, lengths, formats, 1)
            }
            return PQsendQueryParams(
                self.raw,
                statement.text,
                Int32(offsets.count),
                types,
                pointers,
                lengths,
                formats,
                1
            )
        }
        guard isSent == 1 else { throw self.lost() }
    }

    /// Until when answers are waited for.
    private struct Deadline {
        let limit: Duration
        let end: ContinuousClock.Instant
    }

    /// The next result; nil is the end of the results of a statement.
    private func result(until deadline: Deadline) throws(PostgresError) -> OpaquePointer? {
        while PQisBusy(self.raw) == 1 {
            try self.wait(forWriting: false, until: deadline)
            guard PQconsumeInput(self.raw) == 1 else { throw self.lost() }
        }
        return PQgetResult(self.raw)
    }

    /// Sends what libpq has buffered, and reads meanwhile: otherwise both ends could wait for each other.
    private func flush(until deadline: Deadline) throws(PostgresError) {
        while true {
            switch PQflush(self.raw) {
            case 0: return
            case 1:
                try self.wait(forWriting: true, until: deadline)
                guard PQconsumeInput(self.raw) == 1 else { throw self.lost() }
            default: throw self.lost()
            }
        }
    }

    private func wait(forWriting: Bool, until deadline: Deadline) throws(PostgresError) {
        let left = deadline.end - .now
        guard left > .zero else { throw .lost("no answer within \(deadline.limit)") }
        let socket = PQsocket(self.raw)
        guard socket >= 0 else { throw self.lost() }
        var waiting = pollfd(fd: socket, events: Int16(forWriting ? POLLIN | POLLOUT : POLLIN), revents: 0)
        let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
        guard poll(&waiting, 1, Int32(clamping: milliseconds + 1)) >= 0 || errno == EINTR else { throw self.lost() }
    }

    // MARK: Errors

    private func lost() -> PostgresError {
        let message = PostgresConnection.message(PQerrorMessage(self.raw))
        return .lost(message.isEmpty ? "the connection broke" : message)
    }

    private func error(of result: OpaquePointer?) -> PostgresError {
        let code = PQresultErrorField(result, yabbi_field_sqlstate()).map { String(cString: $0) }
        guard let code else {
            // Errors of libpq itself, so of the connection, have no SQLSTATE.
            return .lost(PostgresConnection.message(PQresultErrorMessage(result)))
        }
        // A server that shuts down says so, and ends the connection: the statement may have been its last one.
        let message = PQresultErrorField(result, yabbi_field_primary()).map { String(cString: $0) } ?? ""
        return code.hasPrefix("57P") ? .lost(message) : .refused(code: code, message: message)
    }

    /// libpq's error before a connection stands, whose SQLSTATE it does not tell.
    private static func connectionError(_ message: String) -> PostgresError {
        for (part, code) in [
            ("too many c", "53300"), ("already reserved", "53300"), ("remaining connection slots", "53300"),
            ("password authentication failed", "28P01"), ("no password supplied", "28P01"),
            ("no pg_hba.conf entry", "28000"), ("permission denied", "42501"), ("database \"", "3D000"),
            ("role \"", "28000"),
        ] where message.contains(part) {
            return .refused(code: code, message: message)
        }
        return .unreachable(message)
    }

    /// A message of libpq in one line.
    private static func message(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "" }
        return String(cString: text).split(whereSeparator: \.isNewline).map { line in
            line.drop { $0.isWhitespace }
        }.joined(separator: " ")
    }
}
