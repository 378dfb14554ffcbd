import CPostgres
import LibC

/// The address of a database: a URL `postgres://user@host:port/database?option=value`, or libpq's `key=value` form.
///
/// What it leaves out comes from the environment (`PGHOST`, `PGUSER`, ...), from the service file (`PGSERVICE`) and from
/// the password file (`PGPASSFILE`), as with every program over libpq.
package struct PostgresAddress: Hashable, Sendable {
    /// The options that the address names, in its order.
    private let options: [Option]
    private let environment: PostgresEnvironment

    private struct Option: Hashable, Sendable {
        let name: String
        let value: String
        /// Whether no program should show it.
        let isSecret: Bool
    }

    /// Whether a text is meant as the URL of a database.
    package static func isURL(_ text: String) -> Bool {
        let start = text.prefix(14).lowercased()
        return start.hasPrefix("postgres://") || start.hasPrefix("postgresql://")
    }

    /// Reads an address.
    ///
    /// - Parameters:
    ///   - text: The address.
    ///   - environment: Where the options come from that it leaves out.
    /// - Throws: `PostgresError` if it can't be read.
    package init(_ text: String, in environment: PostgresEnvironment = .current) throws(PostgresError) {
        if let error = yabbi_pq_error() {
            throw .unreachable("libpq can't be loaded: \(String(cString: error)); install the package libpq5")
        }
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
                // libpq marks what a form should not show with an asterisk.
                let isSecret = next.pointee.dispchar.map { String(cString: $0) } == "*"
                let name = String(cString: keyword)
                options.append(Option(name: name, value: String(cString: value), isSecret: isSecret))
            }
            next += 1
        }
        self.options = options
        self.environment = environment
    }

    /// The name of an option that others must not see in a command line, as `password`; nil if the address has none.
    package var secretOption: String? { self.options.first(where: \.isSecret)?.name }

    private subscript(_ name: String) -> String? { self.options.first { $0.name == name }?.value }

    /// The value of an option: that of the address, or of its variable.
    private func value(_ name: String, _ variable: String) -> String? { self[name] ?? self.environment[variable] }

    /// The service that says what the address leaves out, before the environment.
    private var service: String? { self.value("service", "PGSERVICE") }

    /// The database; without a name, libpq takes that of the user.
    private var database: String {
        let names = [self.value("dbname", "PGDATABASE"), self.value("user", "PGUSER")]
        return names.compactMap { $0 }.first { !$0.isEmpty } ?? self.environment.systemUser
    }

    /// What tells databases apart, whichever user connects to them and however their addresses are written.
    ///
    /// Two addresses of one database may differ in it, but those of two databases must: what a service says is not
    /// known here, so all that could be added to it counts.
    package var identity: String {
        let ports = PostgresAddress.list(self.value("port", "PGPORT") ?? "").map { $0.isEmpty ? "5432" : $0 }
        let place = "\(self.server):\(ports.joined(separator: ","))/\(self.database)"
        guard let service = self.service else { return place }
        let file = self.value("servicefile", "PGSERVICEFILE").map { " of \($0)" } ?? ""
        return "service \(service)\(file) \(place)"
    }

    /// The hosts, with the IP addresses that are given in place of a look-up: libpq connects to these.
    private var server: String {
        let hosts = PostgresAddress.list(self.value("host", "PGHOST") ?? "").map { host in
            // Paths of sockets differ in case.
            host.hasPrefix("/") ? host : host.lowercased()
        }
        let names = hosts.joined(separator: ",")
        let addresses = (self.value("hostaddr", "PGHOSTADDR") ?? "").lowercased()
        if addresses.isEmpty { return names }
        return names.isEmpty || names == addresses ? addresses : "\(names)=\(addresses)"
    }

    /// The address for messages: without its password and what else could be secret.
    package var printable: String {
        let named = ["host", "hostaddr", "dbname"].compactMap { self[$0] }
        let service = self.service.map { "of the service \($0)" }
        if let service, named.isEmpty { return service }
        // What the service leaves out is not known here.
        func part(_ name: String, _ variable: String) -> String? {
            let value = service == nil ? self.value(name, variable) : self[name]
            return value.flatMap { $0.isEmpty ? nil : $0 }
        }
        let (host, address) = (part("host", "PGHOST"), part("hostaddr", "PGHOSTADDR"))
        let hosts = host ?? address ?? (service == nil ? "localhost" : "")
        let places = PostgresAddress.places(hosts, part("port", "PGPORT"))
        let database = service == nil ? self.database : self["dbname"] ?? ""
        let user = part("user", "PGUSER").map { $0 + "@" } ?? ""
        let connects = host == nil ? "" : address.map { "?hostaddr=\($0)" } ?? ""
        return "postgres://\(user)\(places)/\(database)\(connects)\(service.map { " " + $0 } ?? "")"
    }

    /// The elements of a list of hosts or ports.
    private static func list(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// Hosts with their ports, as in a URL: one port for all, or one for each.
    private static func places(_ hosts: String, _ ports: String?) -> String {
        let ports = self.list(ports ?? "")
        return self.list(hosts).enumerated().map { index, host in
            // The colons of an IPv6 address are not that of a port.
            let host = host.contains(":") && !host.hasPrefix("/") ? "[\(host)]" : host
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            return port.isEmpty ? host : "\(host):\(port)"
        }.joined(separator: ",")
    }

    // MARK: Connecting

    /// The names and values to connect with: TLS is verified unless the address says otherwise.
    func parameters(connectTimeout: Int) -> [(name: String, value: String)] {
        var parameters = self.options.map { ($0.name, $0.value) }
        func add(_ name: String, _ variable: String?, _ value: String) {
            guard self[name] == nil, variable.flatMap({ self.environment[$0] }) == nil else { return }
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
        guard self.service == nil else { return parameters }
        if !self.isLocal { add("sslmode", "PGSSLMODE", "verify-full") }
        // With certificates libpq would verify in weaker modes, too.
        let mode = parameters.first { $0.0 == "sslmode" }?.1 ?? self.environment["PGSSLMODE"] ?? ""
        if mode.hasPrefix("verify"), let roots = PostgresAddress.systemRoots {
            add("sslrootcert", "PGSSLROOTCERT", roots)
        }
        return parameters
    }

    /// Whether every server is on this computer: by its address if there is one, otherwise by its name or socket.
    private var isLocal: Bool {
        let hosts = PostgresAddress.list(self.value("host", "PGHOST") ?? "")
        let addresses = PostgresAddress.list(self.value("hostaddr", "PGHOSTADDR") ?? "")
        guard addresses != [""] else { return hosts.allSatisfy(PostgresAddress.isThisComputer) }
        return addresses.enumerated().allSatisfy { index, address in
            guard address.isEmpty else { return PostgresAddress.isLoopback(address) }
            return index < hosts.count && PostgresAddress.isThisComputer(hosts[index])
        }
    }

    /// Whether a host is this computer, or a socket in its file system; an empty one is the standard socket.
    private static func isThisComputer(_ host: String) -> Bool {
        host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host.lowercased() == "localhost"
            || self.isLoopback(host)
    }

    /// Whether a text is an IP address of this computer: one of 127.0.0.0/8, or ::1.
    ///
    /// RFC 1122, section 3.2.1.3, and RFC 4291, section 2.5.3. A name that only begins like one, as `127.db.example`,
    /// may be another computer's.
    static func isLoopback(_ text: String) -> Bool {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return false }
        return withUnsafeBytes(of: six) { $0.elementsEqual([UInt8](repeating: 0, count: 15) + [1]) }
    }

    /// The certificates of the system, where the user has none for PostgreSQL.
    private static let systemRoots: String? = {
        if let home = getenv("HOME").map({ String(cString: $0) }), !home.isEmpty,
            access("\(home)/.postgresql/root.crt", R_OK) == 0
        {
            return nil
        }
        return ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]
            .first { access($0, R_OK) == 0 }
    }()
}
