import AdCore
import LibC

/// The command `yabbi-bench`.
@main
struct YabbiBench {
    static func main() async {
        // A closed connection is detected by the error of its write.
        signal(SIGPIPE, SIG_IGN)
        do throws(BenchError) {
            switch try BenchCommand(parsing: Array(CommandLine.arguments.dropFirst())) {
            case .help: self.write(Help.text, to: STDOUT_FILENO)
            case .page(let file): self.write(Page(try self.records(in: file)).text, to: STDOUT_FILENO)
            case .rows(let file): self.write(Highlight.table(of: try self.records(in: file)), to: STDOUT_FILENO)
            case .compare(let recorded, let measured):
                let changes = RatioChange.all(from: try self.records(in: recorded), to: try self.records(in: measured))
                guard !changes.isEmpty else { throw BenchError(message: "the two files have no ratio in common") }
                self.write(changes.map { $0.line + "\n" }.joined(), to: STDOUT_FILENO)
                if changes.contains(where: { $0.verdict == .worse }) { exit(1) }
            case .run(let run):
                let isJSON = run.isJSON
                let succeeded = await run.execute(run.selected) { record in
                    self.write((isJSON ? record.json.text() : record.line) + "\n", to: STDOUT_FILENO)
                } progress: { line in
                    self.write(line + "\n", to: STDERR_FILENO)
                }
                if !succeeded { exit(1) }
            }
        } catch {
            self.write("yabbi-bench: \(error.message)\n", to: STDERR_FILENO)
            exit(2)
        }
    }

    private static func records(in file: String) throws(BenchError) -> [Record] {
        try Record.all(in: String(decoding: try ReadFile.bytes(file), as: UTF8.self))
    }

    /// Writes without a buffer, so that each figure appears at once.
    private static func write(_ text: String, to file: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { LibC.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
