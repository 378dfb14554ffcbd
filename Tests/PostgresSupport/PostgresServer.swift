import LibC
package import PostgresClient
import TestSupport

/// A PostgreSQL server in a temporary folder, on a socket and a port of its own, run by an ordinary user.
///
/// Without PostgreSQL's programs there is none, and `missing` tells why. Tests share `shared`, each with a database of its
/// own; the server ends with the process.
package final class PostgresServer: Sendable {
    /// The folder of the socket and the data.
    package let folder: String
    /// Where TCP connections are accepted.
    package let port: Int
    private let temporary: TemporaryFolder
    private let programs: String
    private let user: String?

    /// The server of this process; it is started at the first use.
    package static let shared: PostgresServer? = PostgresServer()

    /// Why there is no server; nil if there is one.
    package static let missing: String? =
        programs == nil ? "PostgreSQL's initdb is not installed (Debian: postgresql)" : nil

    /// The folder with initdb, pg_ctl and postgres.
    private static let programs: String? = {
        // Debian installs each version in a folder of its own, which is not on the PATH.
        let versions = (14...30).reversed().map { "/usr/lib/postgresql/\($0)/bin" }
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        return (versions + path.split(separator: ":").map(String.init)).first { folder in
            ["initdb", "pg_ctl", "postgres"].allSatisfy { access("\(folder)/\($0)", X_OK) == 0 }
        }
    }()

    /// Creates and starts a server; nil if that fails.
    ///
    /// - Parameter settings: Lines of `postgresql.conf`, after the default ones.
    package init?(_ settings: String = "") {
        guard let programs = PostgresServer.programs, let folder = TemporaryFolder() else { return nil }
        self.programs = programs
        self.temporary = folder
        self.folder = folder.path
        // PostgreSQL refuses to run as root.
        self.user = geteuid() == 0 ? "nobody" : nil
        if self.user != nil { chmod(folder.path, 0o777) }
        guard let port = PostgresServer.freePort() else { return nil }
        self.port = port
        let data = "\(folder.path)/data"
        let initialize =
            "\(programs)/initdb -D \(data) -U owner -A trust -E UTF8 --locale=C --no-sync --no-instructions"
        guard self.run(initialize) == 0 else { return nil }
        let configuration = """
            unix_socket_directories = '\(folder.path)'
            listen_addresses = '127.0.0.1'
            port = \(port)
            max_connections = 200
            shared_buffers = 64MB
            log_min_messages = error
            \(settings)
            """
        guard self.run("sh -c 'cat >> \(data)/postgresql.conf' <<'END'\n\(configuration)\nEND\n") == 0 else {
            return nil
        }
        guard self.start() else { return nil }
        // The process may end in any way; the server must not stay.
        self.watch()
    }

    /// Starts the server; false if it does not accept connections.
    @discardableResult
    package func start() -> Bool {
        self.run("\(self.programs)/pg_ctl -D \(self.folder)/data -l \(self.folder)/log -s -w -t 60 start") == 0
    }

    /// Stops the server: `immediate` as if its power failed.
    @discardableResult
    package func stop(immediate: Bool = true) -> Bool {
        let mode = immediate ? "immediate" : "fast"
        return self.run("\(self.programs)/pg_ctl -D \(self.folder)/data -s -w -t 60 -m \(mode) stop") == 0
    }

    /// Ends the server and removes its folder.
    package func remove() {
        self.stop()
        self.temporary.remove()
    }

    /// The URL of a database over the socket.
    package func url(_ database: String, user: String = "owner") -> String {
        "postgres://\(user)@/\(database)?host=\(self.folder)&port=\(self.port)"
    }

    /// The URL of a database over TCP.
    package func tcpURL(_ database: String, user: String = "owner") -> String {
        "postgres://\(user)@127.0.0.1:\(self.port)/\(database)"
    }

    /// Creates a database and returns its name.
    package func newDatabase() throws -> String {
        let name = "test_\(UInt32.random(in: .min ... .max))"
        try self.connection("postgres").runScript("CREATE DATABASE \(name) STRATEGY wal_log")
        return name
    }

    /// A connection of its own, to look at the tables of a database or to change them.
    package func connection(_ database: String) throws(PostgresError) -> PostgresConnection {
        try PostgresConnection(PostgresAddress(self.url(database)))
    }

    /// Gives the server a certificate.
    package func useTLS(certificate: [UInt8], key: [UInt8]) throws {
        for (bytes, name) in [(certificate, "server.crt"), (key, "server.key")] {
            guard let path = self.temporary.write(bytes, name) else { continue }
            chmod(path, 0o600)
            if self.user != nil { chown(path, 65_534, 65_534) }
        }
        let connection = try self.connection("postgres")
        try connection.runScript("ALTER SYSTEM SET ssl_cert_file = '\(self.folder)/server.crt'")
        try connection.runScript("ALTER SYSTEM SET ssl_key_file = '\(self.folder)/server.key'")
        try connection.runScript("ALTER SYSTEM SET ssl = on")
        self.stop(immediate: false)
        self.start()
    }

    /// Lets only users with a password in over TCP.
    package func requirePasswords() throws {
        guard let path = self.temporary.write("local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n", "hba")
        else { return }
        chmod(path, 0o644)
        try self.connection("postgres").runScript("ALTER SYSTEM SET hba_file = '\(path)'")
        self.stop(immediate: false)
        self.start()
    }

    /// Runs a shell command as the server's user; returns its exit status.
    private func run(_ command: String) -> Int32 {
        let prefix = self.user.map { "runuser -u \($0) -- " } ?? ""
        let status = system("cd \(self.folder) && \(prefix)\(command) >/dev/null 2>>\(self.folder)/errors")
        return status
    }

    /// Starts a process that ends the server when this one is gone.
    private func watch() {
        let prefix = self.user.map { "runuser -u \($0) -- " } ?? ""
        let stop = "\(self.programs)/pg_ctl -D \(self.folder)/data -s -m immediate stop"
        let script = """
            while kill -0 \(getpid()) 2>/dev/null; do sleep 1; done; cd \(self.folder) && \(prefix)\(stop); \
            rm -rf \(self.folder)
            """
        _ = system("setsid sh -c '\(script)' >/dev/null 2>&1 </dev/null &")
    }

    private static func freePort() -> Int? {
        let socket = socket(AF_INET, SocketConstants.stream, 0)
        guard socket >= 0 else { return nil }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard bind(socket, generic, length) == 0, getsockname(socket, generic, &length) == 0 else { return nil }
                return Int(UInt16(bigEndian: pointer.pointee.sin_port))
            }
        }
    }
}
