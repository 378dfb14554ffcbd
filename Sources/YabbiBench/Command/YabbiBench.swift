import AdCore
import LibC

/// The benchmarks' command; `yabbi-bench help` says what it knows.
@main
struct YabbiBench {
    static func main() async {
        // A peer that goes away is found out by what it does not answer.
        signal(SIGPIPE, SIG_IGN)
        do throws(WishError) {
            switch try Wish(parsing: Array(CommandLine.arguments.dropFirst())) {
            case .help: self.say(Help.text, to: STDOUT_FILENO)
            case .page(let file): self.say(Page(try self.records(in: file)).text, to: STDOUT_FILENO)
            case .rows(let file): self.say(Highlight.table(of: try self.records(in: file)), to: STDOUT_FILENO)
            case .run(let run):
                let isJSON = run.isJSON
                let isWell = await run.go(run.chosen) { record in
                    self.say((isJSON ? record.json.text() : record.line) + "\n", to: STDOUT_FILENO)
                } progress: { line in
                    self.say(line + "\n", to: STDERR_FILENO)
                }
                if !isWell { exit(1) }
            }
        } catch {
            self.say("yabbi-bench: \(error.message)\n", to: STDERR_FILENO)
            exit(2)
        }
    }

    private static func records(in file: String) throws(WishError) -> [Record] {
        try Record.all(in: String(decoding: try ReadFile.bytes(file), as: UTF8.self))
    }

    /// Writes at once: whoever waits for minutes sees each figure when it is there.
    private static func say(_ text: String, to file: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
