import AdCore
import PlayConsole
import PlayReconcile
import SQLiteLedger

/// Reads the ledger that the command line names.
enum LedgerReading {
    /// Every beacon in the ledger, oldest first.
    static func lines(of path: String) async throws(PlayError) -> [LedgerLine] {
        let ledger = try await NamedLedger.existing(path)
        let entries: Result<[LedgerEntry], LedgerError>
        do throws(LedgerError) {
            entries = .success(try await ledger.entries())
        } catch {
            entries = .failure(error)
        }
        await ledger.close()
        switch entries {
        case .success(let entries): return entries.map(LedgerLine.init)
        case .failure(let error): throw PlayError(.usage, error.message)
        }
    }
}
