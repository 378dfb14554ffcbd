import AdCore
import AdRuntime
import PlayConsole
import PlayText
import SQLiteLedger

/// Lists the beacons of a ledger.
struct OutboxList: Command {
    static let name = "list"
    static let summary = "Lists the beacons of a ledger."
    static let options: [any OptionDeclaration] = [OutputOptions.json, LedgerOptions.existing, states]

    static let states = Option(
        "--state",
        .words(OutboxText.states, placeholder: "<state>,<state>"),
        "Only these states: recorded, inFlight, delivered, unconfirmed, dead. Repeatable.",
        isRepeatable: true,
        OutboxList.states
    )

    let ledger: String
    let isJSON: Bool
    /// The states to list; nil for all.
    let states: Set<String>?

    init(_ arguments: Arguments) throws(UsageError) {
        self.ledger = try LedgerOptions.required(arguments, by: "outbox list")
        self.isJSON = arguments.has(OutputOptions.json)
        let states = try arguments.values(Self.states)
        self.states = states.isEmpty ? nil : states.reduce(into: []) { $0.formUnion($1) }
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        try await OutboxCommand.withLedger(self.ledger) { ledger async throws(LedgerError) in
            .success(try await self.list(ledger, console))
        }
    }

    private func list(_ ledger: any StoredLedger, _ console: any Console) async throws(LedgerError) -> ExitCode {
        let text = OutboxText(style: Style(isColored: console.isColored), now: SystemClock().wallTime)
        var counts = OutboxCounts()
        var isFirst = true
        var last = Int64.min
        // In pages, because a ledger may contain hundreds of thousands of beacons.
        while console.loss == nil {
            let page = try await ledger.entries(after: last, limit: 500)
            guard let end = page.last else { break }
            last = end.number
            for entry in page where self.states?.contains(entry.standing.name) ?? true {
                counts.add(entry)
                if self.isJSON {
                    console.out(OutboxText.json(entry))
                } else {
                    if isFirst { console.out(text.header) }
                    isFirst = false
                    for line in text.lines(entry) { console.out(line) }
                }
            }
        }
        if !self.isJSON {
            console.out(counts.line)
            let summary = try await ledger.summary()
            for line in OutboxCounts.omissions(dropped: summary.dropped, unlisted: summary.unlisted) {
                console.out(line)
            }
        }
        return counts.code(waitingCounts: false)
    }

    private static func states(_ text: String, _ name: String) throws(UsageError) -> Set<String> {
        let states = text.split(separator: ",").map(\.trimmed)
        let known = OutboxText.states.joined(separator: ", ")
        guard !states.isEmpty else { throw UsageError("the value of \(name) is empty; expected some of \(known)") }
        for state in states where !OutboxText.states.contains(state) {
            let hint = OptionValue.hint(for: state, among: OutboxText.states)
            throw OptionValue.invalid(state, for: name, expected: "some of \(known)\(hint)")
        }
        return Set(states)
    }
}
