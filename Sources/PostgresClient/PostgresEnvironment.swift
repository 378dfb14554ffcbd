import LibC

/// What libpq takes from the environment for the options that an address leaves out.
package struct PostgresEnvironment: Hashable, Sendable {
    private let variables: [String: String]
    private let user: String?

    /// The variables that are looked at.
    private static let names = [
        "PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER", "PGSERVICE", "PGSERVICEFILE", "PGSSLMODE",
        "PGSSLROOTCERT", "PGCONNECT_TIMEOUT", "PGAPPNAME",
    ]

    /// Creates an environment.
    ///
    /// - Parameters:
    ///   - variables: The variables by their names; an empty one counts as missing.
    ///   - user: The name of the operating system's user; nil for that of this process.
    package init(_ variables: [String: String], user: String? = nil) {
        self.variables = variables
        self.user = user
    }

    /// The environment of this process.
    package static var current: PostgresEnvironment {
        var variables: [String: String] = [:]
        for name in Self.names { variables[name] = getenv(name).map { String(cString: $0) } }
        return PostgresEnvironment(variables)
    }

    subscript(_ name: String) -> String? { self.variables[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The operating system's user, whose name is that of the database's user if there is no other one.
    var systemUser: String { self.user ?? Self.userOfThisProcess }

    /// As libpq does, by the effective user's number.
    private static let userOfThisProcess: String = {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        return buffer.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress,
                getpwuid_r(geteuid(), &entry, start, buffer.count, &found) == 0, found != nil
            else { return "" }
            return entry.pw_name.map { String(cString: $0) } ?? ""
        }
    }()
}
