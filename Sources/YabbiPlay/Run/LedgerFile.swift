import AdCore
import AdRuntime
import LibC
import PlayConsole
import PlayText
import SQLiteLedger

/// The file of a ledger that the command line names: a ledger, or nothing yet.
struct LedgerFile {
    private let path: String

    /// Runs a body with the named ledger, which is created if needed, or with a ledger in memory.
    static func withLedger<Outcome: Sendable>(
        _ name: String?,
        _ console: any Console,
        isVirtual: Bool,
        else memory: MemoryLedger = MemoryLedger(),
        _ body: (any BeaconLedger, _ lastBeaconNumber: Int64) async throws(PlayError) -> Outcome
    ) async throws(PlayError) -> Outcome {
        guard let name else { return try await body(memory, 0) }
        let ledger = SQLiteLedger(file: try LedgerFile(name).path)
        for issue in try await self.open(ledger) { console.err("yabbi-play: \(issue.message)") }
        let outcome: Result<Outcome, PlayError>
        do throws(PlayError) {
            if isVirtual { try await self.refusePendingBeacons(in: ledger) }
            outcome = .success(try await body(ledger, try await self.lastNumber(of: ledger)))
        } catch {
            outcome = .failure(error)
        }
        await ledger.close()
        return try outcome.get()
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

    /// The number of the last beacon in a ledger, by binary search: there may be hundreds of thousands.
    private static func lastNumber(of ledger: any BeaconLedger) async throws(PlayError) -> Int64 {
        do throws(LedgerError) {
            var low: Int64 = 0
            var high: Int64 = 1
            // Invariant: no entry comes after `high`. An entry may come after `low`.
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

    /// An existing ledger.
    static func existing(_ name: String) async throws(PlayError) -> SQLiteLedger {
        let path = self.path(name)
        guard access(path, F_OK) == 0 else {
            throw PlayError(.usage, "no ledger at \(path): \(String(cString: strerror(errno)))")
        }
        let ledger = SQLiteLedger(file: try LedgerFile(name).path, access: .existing)
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

    /// The file of a ledger.
    ///
    /// A folder stands for the ledger in it.
    private static func path(_ name: String) -> String {
        var status = stat()
        guard stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return name }
        return SQLiteLedger(folder: name).file
    }

    /// Throws for a file that is not a ledger, which would otherwise be moved aside as a damaged ledger.
    private init(_ name: String) throws(PlayError) {
        let path = LedgerFile.path(name)
        self.path = path
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        // Opening a pipe would block.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw PlayError(.usage, "\(path) is not a regular file; use another file for --ledger")
        }
        guard let file = fopen(path, "rb") else { return }
        defer { fclose(file) }
        var header = [UInt8](repeating: 0, count: 16)
        let count = fread(&header, 1, header.count, file)
        guard count == 0 || header.elementsEqual("SQLite format 3\u{0}".utf8) else {
            throw PlayError(.usage, "\(path) is not a beacon ledger; use another file for --ledger")
        }
    }
}
