import AdCore
import PlayConsole
import PlayReconcile
import SQLiteLedger

/// Reads the ledger that the command line names.
enum LedgerReading {
    /// Calls a closure with every beacon in the ledger, oldest first, in bounded memory.
    static func forEach(
        of name: String,
        _ body: (LedgerLine) throws(UsageError) -> Void
    ) async throws(PlayError) {
        let ledger = try await NamedLedger.existing(name)
        var result: Result<Void, PlayError> = .success(())
        var last = Int64.min
        reading: while true {
            do throws(LedgerError) {
                let page = try await ledger.entries(after: last, limit: 1_000)
                guard let end = page.last else { break }
                last = end.number
                do throws(UsageError) {
                    for entry in page { try body(LedgerLine(entry)) }
                } catch {
                    result = .failure(PlayError(.usage, error.message))
                    break reading
                }
            } catch {
                result = .failure(PlayError(.usage, error.message))
                break
            }
        }
        await ledger.close()
        try result.get()
    }

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
