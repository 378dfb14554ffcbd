import AdCore
import AdRuntime
import LibC
import PlayConsole
import PlayText
import PostgresClient
import PostgresLedger
import SQLiteLedger

/// The ledger that the command line names: a file, the folder of one, or a database.
enum NamedLedger {
    /// Runs a body with the named ledger, which is created if needed, or with a ledger in memory.
    static func withLedger<Outcome: Sendable>(
        _ name: String?,
        _ console: any Console,
        isVirtual: Bool,
        else memory: MemoryLedger = MemoryLedger(),
        _ body: (any BeaconLedger) async throws(PlayError) -> Outcome
    ) async throws(PlayError) -> Outcome {
        guard let name else { return try await body(memory) }
        guard !isVirtual || !PostgresAddress.isURL(name) else {
            throw PlayError(
                .usage,
                "a ledger in a database needs real time, which other hosts share; remove --clock virtual"
            )
        }
        let ledger = try self.writable(name)
        for issue in try await self.open(ledger) { console.err("yabbi-play: \(issue.message)") }
        let outcome: Result<Outcome, PlayError>
        do throws(PlayError) {
            if isVirtual { try await self.refusePendingBeacons(in: ledger) }
            outcome = .success(try await body(ledger))
        } catch {
            outcome = .failure(error)
        }
        await ledger.close()
        return try outcome.get()
    }

    /// An existing ledger.
    ///
    /// - Parameters:
    ///   - name: Its file or folder, or the URL of a database.
    ///   - carriesOver: Whether what this computer has recorded without the database is carried over. Otherwise the
    ///     database must be there: this computer's files are not the book.
    /// - Returns: The opened ledger.
    /// - Throws: `PlayError` if it can't be opened.
    static func existing(_ name: String, carriesOver: Bool = false) async throws(PlayError) -> any StoredLedger {
        let ledger: any StoredLedger
        if PostgresAddress.isURL(name) {
            let folder = carriesOver ? try? self.folder(of: name) : nil
            ledger = try self.database { () throws(LedgerError) in
                try PostgresLedger(name, folder: folder, access: .existing)
            }
        } else {
            ledger = SQLiteLedger(file: try LedgerFile(existing: name).path, access: .existing)
        }
        _ = try await self.open(ledger)
        return ledger
    }

    private static func writable(_ name: String) throws(PlayError) -> any StoredLedger {
        guard PostgresAddress.isURL(name) else { return SQLiteLedger(file: try LedgerFile(name).path) }
        let folder = try self.folder(of: name)
        return try self.database { () throws(LedgerError) in try PostgresLedger(name, folder: folder) }
    }

    private static func database(_ make: () throws(LedgerError) -> PostgresLedger) throws(PlayError) -> PostgresLedger {
        do throws(LedgerError) {
            return try make()
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    /// The folder for beacons that are recorded while a database is away, one for each database.
    private static func folder(of name: String) throws(PlayError) -> String {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        guard let state = variable("XDG_STATE_HOME") ?? variable("HOME").map({ $0 + "/.local/state" }) else {
            throw PlayError(
                .usage,
                "a ledger in a database needs a folder for the time without it; set XDG_STATE_HOME or HOME"
            )
        }
        let identity = (try? PostgresAddress(name))?.identity ?? name
        return "\(state)/yabbi/ledgers/\(AdID(bits: Checksum.of(identity)).rawValue)"
    }

    /// Throws if the ledger has a pending beacon for a real server: virtual time would use up its retries at once.
    private static func refusePendingBeacons(in ledger: any BeaconLedger) async throws(PlayError) {
        var last = Int64.min
        do throws(LedgerError) {
            while true {
                let page = try await ledger.entries(after: last, limit: 500)
                guard let end = page.last else { return }
                last = end.number
                let pending = page.first { entry in
                    !entry.state.isSettled && entry.beacon.call.address.url.map { !$0.http.isLoopback } ?? false
                }
                guard let pending else { continue }
                let url = Style.printable(Redaction.address(pending.beacon.call.address.text))
                throw LedgerError(
                    """
                    the ledger has a pending beacon for \(url), which virtual time would give up; use --clock real or \
                    another --ledger, or run yabbi-play outbox flush first
                    """
                )
            }
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    private static func open(_ ledger: any StoredLedger) async throws(PlayError) -> [AdIssue] {
        do throws(LedgerError) {
            return try await ledger.open()
        } catch {
            throw PlayError(.usage, error.message)
        }
    }
}
