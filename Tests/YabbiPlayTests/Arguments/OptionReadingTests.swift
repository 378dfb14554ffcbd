import PlayConsole
import Testing

@testable import YabbiPlay

@Suite("Declared and read options")
struct OptionReadingTests {
    /// Command lines that together reach every place where a command reads an option.
    private static let lines = [
        "demo", "show a.html", "show --provider ceedads", "show --provider smartico", "show --unit u --dry-run",
        "load a.html", "load --provider activeads", "load --provider smartico", "load --unit u --dry-run", "watch",
        "auction --bid sandbox:fair", "watch --set domain=d", "inspect a.xml", "lint a.xml", "lint --rules",
        "scan a.html", "scan --measures", "scan --show-policy gam",
        "replay t.jsonl", "compare a b",
        "outbox list --ledger l.db", "outbox flush --ledger l.db", "outbox prune --ledger l.db",
        "prepare postgres://db.example/billing",
        "reconcile --ledger l.db --hits hits.json", "reconcile --ledger l.db --log access.log", "sandbox", "lab",
        "doctor", "completions bash", "manual", "help",
    ]

    @Test("every command reads the options that it declares, and only those")
    func all() throws {
        var records: [String: OptionRecord] = [:]
        for line in Self.lines {
            let words = line.split(separator: " ").map(String.init)
            let command = try #require(Commands.named(words[0]))
            let record = records[words[0]] ?? OptionRecord()
            records[words[0]] = record
            let arguments = try Arguments(Array(words.dropFirst()), for: command, record: record)
            _ = try command.command(arguments)
        }
        for command in Commands.all {
            let declared = Set(command.options.map(\.name))
            #expect(records[command.name]?.names == declared, "\(command.name)")
        }
    }

    @Test("a default is a value of its option, and is in its help")
    func defaults() throws {
        let arguments = try Arguments([], for: ShowCommand.self)
        #expect(try arguments.value(RunOptions.timeout) == .seconds(10))
        #expect(RunOptions.timeout.summary.hasSuffix("(default: 10)"))
        #expect(try arguments.value(ProviderOptions.provider) == .yabbi)
    }

    @Test("watch offers only providers that push")
    func pushing() {
        #expect(ProviderOptions.pushing.argument == .word(["smartico"]))
    }
}
