import AdCore
import PlayConsole
import PlayQueue
import PostgresClient

/// Lets creatives of a queue be scanned again.
struct QueueRetry: Command {
    static let name = "retry"
    static let summary = "Lets creatives be scanned again: those that were set aside, or those that are named."
    static let operand = ScanCommand.operand
    static let options: [any OptionDeclaration] = [
        QueueOptions.queue, QueueOptions.label, failures, OutputOptions.json,
    ]

    static let failures = Flag(
        "--failures",
        "Also those that could not be shown, for example because a server did not respond."
    )

    private let address: PostgresAddress
    private let label: String?
    private let withFailures: Bool
    private let names: [String]
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        self.address = try QueueOptions.address(arguments)
        self.label = try arguments.value(QueueOptions.label)
        self.withFailures = arguments.has(Self.failures)
        self.names = arguments.operands
        self.isJSON = arguments.has(OutputOptions.json)
        guard self.names.isEmpty || !self.withFailures else {
            throw UsageError("--failures has no effect on named creatives; remove it, or the names")
        }
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        let count = try await QueueOptions.withQueue(self.address, console) { queue throws(PlayError) in
            try await QueueOptions.call { () throws(QueueError) in
                try await queue.retry(self.label, names: self.names, withFailures: self.withFailures)
            }
        }
        guard !self.isJSON else {
            let line: AdJSON = ["event": "retried", "count": .int(count)]
            console.out(line.text())
            return .done
        }
        guard count == 0 else {
            console.out("\(Quantity.text(count, "creative")) will be scanned again")
            return .done
        }
        if !self.names.isEmpty {
            console.out("no creative with a verdict has such a name")
        } else if self.withFailures {
            console.out("nothing was set aside, and everything could be shown")
        } else {
            console.out("nothing was set aside; --failures also takes what could not be shown")
        }
        return .done
    }
}
