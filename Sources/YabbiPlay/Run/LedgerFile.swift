import AdCore
import AdRuntime
import LibC
import PlayConsole
import PlayReport
import SQLiteLedger

/// The ledgers that the command line names.
enum LedgerFile {
    /// Does something with the ledger that the command line names, made where there is none, or with one in memory.
    static func keeping<Outcome: Sendable>(
        _ name: String?,
        _ console: any Console,
        isVirtual: Bool,
        else memory: MemoryLedger = MemoryLedger(),
        _ body: (any BeaconLedger, _ mark: Int64) async throws(PlayError) -> Outcome
    ) async throws(PlayError) -> Outcome {
        guard let name else { return try await body(memory, 0) }
        let path = self.path(name)
        try self.check(path)
        let ledger = SQLiteLedger(file: path)
        for issue in try await self.open(ledger) { console.err("yabbi-play: \(issue.message)") }
        let outcome: Result<Outcome, PlayError>
        do throws(PlayError) {
            if isVirtual { try await self.checkNobodyIsOwed(ledger) }
            outcome = .success(try await body(ledger, try await self.lastNumber(of: ledger)))
        } catch {
            outcome = .failure(error)
        }
        await ledger.close()
        return try outcome.get()
    }

    /// Refuses virtual time to a ledger that holds anything for a real server: it would be tried a hundred times in a
    /// moment, and be given up.
    private static func checkNobodyIsOwed(_ ledger: any BeaconLedger) async throws(PlayError) {
        var last = Int64.min
        do throws(LedgerError) {
            while true {
                let page = try await ledger.entries(after: last, limit: 500)
                guard let end = page.last else { return }
                last = end.number
                let owed = page.first { entry in
                    !entry.state.isSettled && entry.beacon.call.address.url.map { !$0.http.isLoopback } ?? false
                }
                guard let owed else { continue }
                let address = Style.printable(Redaction.address(owed.beacon.call.address.text))
                throw LedgerError(
                    "a beacon for \(address) waits in the ledger, and virtual time would give it up in a moment; give --clock real, another --ledger, or yabbi-play outbox flush first"
                )
            }
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    /// The number of the last beacon in a ledger, found by halving: there may be hundreds of thousands.
    private static func lastNumber(of ledger: any BeaconLedger) async throws(PlayError) -> Int64 {
        do throws(LedgerError) {
            var low: Int64 = 0
            var high: Int64 = 1
            // Something lies behind `low`, as far as is known, and nothing behind `high`.
            while let entry = try await ledger.entries(after: high, limit: 1).first {
                low = entry.number
                high = max(high > .max / 2 ? .max : high * 2, entry.number)
                if high == .max { break }
            }
            while low < high {
                let middle = low + (high - low) / 2
                if let entry = try await ledger.entries(after: middle, limit: 1).first {
                    low = entry.number
                } else {
                    high = middle
                }
            }
            return high
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    /// A ledger to look at: it must be there.
    static func existing(_ name: String) async throws(PlayError) -> SQLiteLedger {
        let path = self.path(name)
        guard access(path, F_OK) == 0 else {
            throw PlayError(.usage, "there is no ledger at \(path): \(String(cString: strerror(errno)))")
        }
        try self.check(path)
        let ledger = SQLiteLedger(file: path, access: .existing)
        _ = try await self.open(ledger)
        return ledger
    }

    private static func open(_ ledger: SQLiteLedger) async throws(PlayError) -> [AdIssue] {
        do throws(LedgerError) {
            return try await ledger.open()
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    /// An app's folder stands for the ledger in it.
    private static func path(_ name: String) -> String {
        var status = stat()
        guard stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return name }
        return SQLiteLedger(folder: name).file
    }

    /// A mistyped name must not rename another file as a broken ledger.
    private static func check(_ path: String) throws(PlayError) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        // A pipe would be waited for, for ever.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw PlayError(.usage, "\(path) is no file, and a ledger is one; name another for --ledger")
        }
        guard let file = fopen(path, "rb") else { return }
        defer { fclose(file) }
        var beginning = [UInt8](repeating: 0, count: 16)
        let count = fread(&beginning, 1, beginning.count, file)
        guard count == 0 || beginning.elementsEqual("SQLite format 3\u{0}".utf8) else {
            throw PlayError(.usage, "\(path) is no ledger of beacons; name another file for --ledger")
        }
    }
}
