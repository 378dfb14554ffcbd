import AdCore
import PlayConsole
import PlayText
import SQLiteLedger

/// Lists, delivers or removes the beacons of a ledger.
enum OutboxCommand: CommandGroup {
    static let name = "outbox"
    static let summary = "List, deliver or remove the beacons of a ledger."
    static let discussion = [about]
    static let exitCodes: [ExitCode] = [.done, .usage, .beacons]
    static let exitCodeMeanings: [ExitCode: String] = [
        .beacons: "Beacons are pending (except in list and prune), unconfirmed or dead."
    ]
    static let members: [any Command.Type] = [OutboxList.self, OutboxFlush.self, OutboxPrune.self]

    private static let about = """
        list prints each beacon with its state, attempts, next attempt and last error. flush tries every pending beacon once,
        ignoring backoff, and waits at most 15 s for requests in flight. prune removes delivered beacons; with --all also
        dead and unconfirmed ones, but never pending ones. A removed beacon is no longer protected against duplicates.

        The ledger may be in use by an app or another run; each beacon is claimed by one process at a time.
        """

    /// Runs a body with a ledger, and closes it; with `carriesOver` also what this computer has recorded without it.
    static func withLedger(
        _ name: String,
        carriesOver: Bool = false,
        _ body: (any StoredLedger) async throws(LedgerError) -> Result<ExitCode, PlayError>
    ) async throws(PlayError) -> ExitCode {
        let ledger = try await NamedLedger.existing(name, carriesOver: carriesOver)
        let code: Result<ExitCode, PlayError>
        do throws(LedgerError) {
            code = try await body(ledger)
        } catch {
            code = .failure(PlayError(.usage, error.message))
        }
        await ledger.close()
        return try code.get()
    }
}

extension OutboxCounts {
    init(_ summary: LedgerSummary) {
        self.init(
            waiting: summary.pending + summary.inFlight,
            delivered: summary.delivered,
            unconfirmed: summary.unconfirmed,
            dead: summary.dead
        )
    }

    mutating func add(_ entry: LedgerEntry) {
        switch entry.standing {
        case .pending, .inFlight: self.waiting += 1
        case .delivered: self.delivered += 1
        case .unconfirmed: self.unconfirmed += 1
        case .dead: self.dead += 1
        }
    }
}
