import CPostgres
import LibC

/// The address of a database: a URL `postgres://user@host:port/database?option=value`, or libpq's `key=value` form.
///
/// What it leaves out comes from the environment (`PGHOST`, `PGUSER`, ...), from the service file (`PGSERVICE`) and from
/// the password file (`PGPASSFILE`), as with every program over libpq.
package struct PostgresAddress: Hashable, Sendable {
    /// The options that the address names, in its order.
    private let options: [Option]

    private struct Option: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// Whether a text is meant as the URL of a database.
    package static func isURL(_ text: String) -> Bool {
        let start = text.prefix(14).lowercased()
        return start.hasPrefix("postgres://") || start.hasPrefix("postgresql://")
    }

    /// Reads an address.
    package init(_ text: String) throws(PostgresError) {
        var message: UnsafeMutablePointer<CChar>?
        guard let parsed = PQconninfoParse(text, &message) else {
            defer { PQfreemem(message) }
            // libpq's message may contain parts of the address, so also of a password.
            throw .invalidAddress(
                "is not a valid URL of a database; write it as in postgres://user@host:5432/database"
            )
        }
        defer { PQconninfoFree(parsed) }
        var options: [Option] = []
        var next = parsed
        while let keyword = next.pointee.keyword {
            if let value = next.pointee.val {
                options.append(Option(name: String(cString: keyword), value: String(cString: value)))
            }
            next += 1
        }
        self.options = options
    }

    /// Whether the address contains a password, which other users of the computer can see in a command line.
    package var hasPassword: Bool { self["password"] != nil }

    /// What tells databases apart, whoever connects to them and however their addresses are written.
    package var identity: String {
        if let service = self["service"] { return "service \(service)" }
        let host = self["host"] ?? self["hostaddr"] ?? PostgresAddress.environment("PGHOST") ?? ""
        let port = self["port"] ?? PostgresAddress.environment("PGPORT") ?? "5432"
        let database = self["dbname"] ?? PostgresAddress.environment("PGDATABASE") ?? ""
        return "\(host.lowercased()):\(port)/\(database)"
    }

    /// The address for messages: without its password and what else could be secret.
    package var printable: String {
        if let service = self["service"] { return "of the service \(service)" }
        let host = self["host"] ?? self["hostaddr"] ?? PostgresAddress.environment("PGHOST") ?? "localhost"
        let port = self["port"] ?? PostgresAddress.environment("PGPORT")
        let database = self["dbname"] ?? PostgresAddress.environment("PGDATABASE") ?? ""
        let user = self["user"] ?? PostgresAddress.environment("PGUSER")
        return "postgres://\(user.map { $0 + "@" } ?? "")\(host)\(port.map { ":" + $0 } ?? "")/\(database)"
    }

    /// The names and values to connect with: TLS is verified unless the address says otherwise.
    func parameters(connectTimeout: Int) -> [(name: String, value: String)] {
        var parameters = self.options.map { ($0.name, $0.value) }
        func add(_ name: String, _ variable: String?, _ value: String) {
            guard self[name] == nil, variable.flatMap(PostgresAddress.environment) == nil else { return }
            parameters.append((name, value))
        }
        add("connect_timeout", "PGCONNECT_TIMEOUT", String(connectTimeout))
        add("application_name", "PGAPPNAME", "yabbi")
        // A connection whose other end is gone must not be waited for.
        add("keepalives_idle", nil, "10")
        add("keepalives_interval", nil, "5")
        add("keepalives_count", nil, "3")
        add("tcp_user_timeout", nil, "15000")
        add("client_encoding", nil, "UTF8")
        // A service names its own mode and certificates.
        guard self["service"] == nil, PostgresAddress.environment("PGSERVICE") == nil else { return parameters }
        if !self.isLocal { add("sslmode", "PGSSLMODE", "verify-full") }
        // With certificates libpq would verify in weaker modes, too.
        let mode = parameters.first { $0.0 == "sslmode" }?.1 ?? PostgresAddress.environment("PGSSLMODE") ?? ""
        if mode.hasPrefix("verify"), let roots = PostgresAddress.systemRoots {
            add("sslrootcert", "PGSSLROOTCERT", roots)
        }
        return parameters
    }

    /// Whether every host is this computer, or a socket in its file system.
    private var isLocal: Bool {
        let hosts = self["hostaddr"] ?? self["host"] ?? PostgresAddress.environment("PGHOST") ?? ""
        return hosts.split(separator: ",", omittingEmptySubsequences: false).allSatisfy {
            $0.isEmpty || $0.hasPrefix("/") || $0.hasPrefix("@") || $0 == "localhost" || $0 == "::1"
                || $0.hasPrefix("127.")
        }
    }

    /// The certificates of the system, where the user has none for PostgreSQL.
    private static let systemRoots: String? = {
        if let home = Self.environment("HOME"), access("\(home)/.postgresql/root.crt", R_OK) == 0 { return nil }
        return ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]
            .first { access($0, R_OK) == 0 }
    }()

    private subscript(_ name: String) -> String? { self.options.first { $0.name == name }?.value }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
