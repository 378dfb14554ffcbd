/// Why a statement was not executed, or may not have been.
package enum PostgresError: Error, Hashable, Sendable {
    /// The connection string can't be used; nothing was sent.
    case invalidAddress(String)
    /// No connection could be made; nothing was sent.
    case unreachable(String)
    /// The connection broke after something was sent: whether it was executed is unknown.
    case lost(String)
    /// The server refused a statement; nothing of its group was executed.
    case refused(code: String, message: String)

    /// Whether the group may have been executed in spite of the error.
    package var isUncertain: Bool {
        guard case .lost = self else { return false }
        return true
    }

    /// Whether the connection can't be used any more.
    package var endsConnection: Bool {
        switch self {
        case .unreachable, .lost: true
        case .invalidAddress: false
        // A connection exception (class 08); a read-only server, because after a failover the same name leads to another
        // one; and statements that are not known as prepared, or twice (26000, 42P05), as behind some poolers.
        case .refused(let code, _): code.hasPrefix("08") || ["25006", "26000", "42P05"].contains(code)
        }
    }

    /// Whether the same group may succeed if it is executed again at once: deadlocks, failed serializations, and statements
    /// that another connection has prepared.
    package var isTransient: Bool {
        guard case .refused(let code, _) = self else { return false }
        return ["40P01", "40001", "26000", "42P05"].contains(code)
    }

    /// Whether a key exists already (`unique_violation`).
    package var isKnownKey: Bool { self.code == "23505" }

    /// Whether other groups would fail for the same reason: everything but what is wrong with the data of this one
    /// (classes 22 and 23).
    package var isAway: Bool {
        guard case .refused(let code, _) = self else { return true }
        return !code.hasPrefix("22") && !code.hasPrefix("23")
    }

    /// Whether the address, the rights or the database must be changed: waiting does not help.
    package var isMisconfiguration: Bool {
        switch self {
        case .invalidAddress: true
        case .unreachable, .lost: false
        case .refused(let code, _): ["28", "3D", "3F", "42"].contains { code.hasPrefix($0) } && code != "42P05"
        }
    }

    /// The SQLSTATE of a refusal.
    package var code: String? {
        guard case .refused(let code, _) = self else { return nil }
        return code
    }

    /// What happened and the fix, in one clause for a text that names the server.
    ///
    /// - Parameter preparation: The command that creates the tables and grants rights.
    /// - Returns: The clause.
    package func explanation(preparedBy preparation: String = PostgresSchema.preparation) -> String {
        switch self {
        case .invalidAddress(let text): text
        case .unreachable(let text): "can't be reached (\(text)); start it, or correct its URL"
        case .lost(let text): "did not answer (\(text)); whether it has executed the last statements is unknown"
        case .refused(let code, let message): PostgresError.explain(code, message, preparation)
        }
    }

    private static func explain(_ code: String, _ message: String, _ preparation: String) -> String {
        switch code {
        case "25006": "is read-only (\(message)); name the primary server"
        case "28000", "28P01":
            "refuses the user (\(message)); put the password into the file that PGPASSFILE names, or a service file"
        case "3D000": "has no such database (\(message)); create it, or correct the URL"
        case "42501": "does not give this user the rights (\(message)); grant them with \(preparation)"
        case "3F000", "42P01": "has no tables of yabbi (\(message)); create them with \(preparation)"
        case "42704": "refused a name (\(message)); create the role first, or correct its name"
        case "53100": "can't write, because its disk is full (\(message)); free some space on it"
        case "53300": "has no free connection (\(message)); raise its max_connections, or use a pool"
        case "53200": "has no memory left (\(message)); give it more, or lower its settings"
        case "55P03": "is locked (\(message)); wait for the maintenance that locks its tables"
        case "58030": "can't read or write its disk (\(message)); check it"
        case "57014": "was too slow (\(message)); find out what it is busy with"
        case _ where code.hasPrefix("22"): "can't store what was sent (\(message), SQLSTATE \(code))"
        default: "refused a statement (\(message), SQLSTATE \(code)); report this as a bug"
        }
    }
}
