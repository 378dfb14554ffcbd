import AdCore
import AdRuntime
import PlayConsole
import PlayText
import SQLiteLedger

/// Removes the settled beacons of a ledger.
struct OutboxPrune: Command {
    static let name = "prune"
    static let summary = "Removes the settled beacons of a ledger."
    static let options: [any OptionDeclaration] = [OutputOptions.json, LedgerOptions.existing, all, age]

    static let all = Flag("--all", "Also remove dead and unconfirmed beacons.")
    static let age = Option(
        "--older-than",
        .other("<days>"),
        "Only beacons whose outcome is older.",
        OptionValue.days
    )

    let ledger: String
    let isJSON: Bool
    /// The states in which beacons are removed.
    let states: Set<LedgerEntry.FinalState>
    /// Only beacons whose outcome is older are removed; nil for all.
    let age: Duration?

    init(_ arguments: Arguments) throws(UsageError) {
        self.ledger = try LedgerOptions.required(arguments, by: "outbox prune")
        self.isJSON = arguments.has(OutputOptions.json)
        self.states = arguments.has(Self.all) ? [.delivered, .unconfirmed, .dead] : [.delivered]
        self.age = try arguments.value(Self.age)
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        try await OutboxCommand.withLedger(self.ledger) { ledger async throws(LedgerError) in
            .success(try await self.prune(ledger, console))
        }
    }

    private func prune(_ ledger: any StoredLedger, _ console: any Console) async throws(LedgerError) -> ExitCode {
        let before = self.age.map { SystemClock().wallTime + (.zero - $0) }
        let forgotten = try await ledger.deleteSettled(self.states, before: before)
        let counts = OutboxCounts(try await ledger.summary())
        console.out(
            self.isJSON
                ? counts.json("pruned", [.init("forgotten", .int(forgotten))])
                : "\(forgotten) removed; remaining: \(counts.line)"
        )
        return counts.code(waitingCounts: false)
    }
}
