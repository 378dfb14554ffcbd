import PlayConsole
import PostgresClient

/// The option that names the ledger.
enum LedgerOptions {
    /// For commands that record beacons.
    static let writable = Option(
        "--ledger",
        .file,
        "Keep beacons in this file or database (postgres://host/database), so that the next run delivers what is pending.",
        read
    )
    /// For commands that read a ledger.
    static let existing = Option(
        "--ledger",
        .file,
        "The ledger file, the beacon folder of an app, or a database (postgres://host/database).",
        read
    )

    /// The ledger of a command that requires one.
    static func required(_ arguments: Arguments, by command: String) throws(UsageError) -> String {
        if let ledger = try arguments.value(self.existing) { return ledger }
        throw UsageError("\(command) requires --ledger <file>, a ledger, its folder or a database")
    }

    /// The name of a ledger: a path, or the URL of a database without a password.
    private static let read: Option<String>.Read = { (text, name) throws(UsageError) in
        guard PostgresAddress.isURL(text) else { return try OptionValue.path("file")(text, name) }
        return try LedgerOptions.checked(text, name)
    }

    /// The URL of a database without a password, also without that of a key for TLS.
    static func checked(_ text: String, _ name: String) throws(UsageError) -> String {
        let secret: String
        do throws(PostgresError) {
            guard let option = try PostgresAddress(text).secretOption else { return text }
            secret = option
        } catch {
            throw UsageError("the value of \(name) \(error.explanation())")
        }
        let (what, place) =
            secret == "password"
            ? ("a password", "the file that PGPASSFILE names, or into a service file")
            : ("the option \(secret)", "a service file")
        throw UsageError(
            """
            the URL of \(name) has \(what), which others can see in the list of processes; put it into \(place) \
            (PGSERVICE)
            """
        )
    }

    /// Virtual time would use up the retries of a beacon in a moment.
    static let needsRealTime =
        "--ledger with a real server needs real time; remove --clock virtual"
}
