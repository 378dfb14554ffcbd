import AdCore
import LibC
import SystemSupport

/// The command that is built beside this executable, in a process of its own.
final class PlayProcess: Sendable {
    /// The number of the process.
    let id: Int32
    /// The pipe from the process.
    private let output: Locked<UnsafeMutablePointer<FILE>>

    /// Starts the command; the error has the way to build it.
    ///
    /// - Parameters:
    ///   - words: The arguments; none may have a quotation mark.
    ///   - withErrors: Whether its errors are read, too.
    /// - Throws: `BenchmarkSkipped` or `BenchError` if it can't be started.
    init(_ words: [String], withErrors: Bool = true) throws {
        let text = ([try PlayProcess.path()] + words).map { "'\($0)'" }.joined(separator: " ")
        // The shell prints its process, which the command then replaces.
        guard let file = popen("echo $$; exec \(text) \(withErrors ? "2>&1" : "2>/dev/null")", "r") else {
            throw BenchError(message: "can't start yabbi-play")
        }
        self.output = Locked(file)
        self.id = Int32(PlayProcess.line(of: file)?.trimmed ?? "") ?? 0
    }

    /// Where the command is; the error has the way to build it.
    static func path() throws(BenchmarkSkipped) -> String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let own = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let command =
            own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/yabbi-play"
        guard access(command, X_OK) == 0 else {
            throw BenchmarkSkipped(reason: "yabbi-play is not built beside it: swift build -c release")
        }
        return command
    }

    /// Waits for the next line of its output; nil at the end.
    func nextLine() -> String? { self.output.withLock { PlayProcess.line(of: $0) } }

    private static func line(of file: UnsafeMutablePointer<FILE>) -> String? {
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        guard getline(&line, &capacity, file) > 0, let line else { return nil }
        return String(cString: line)
    }

    /// Ends the process, and waits for that.
    func end() {
        if self.id > 0 { kill(self.id, SIGINT) }
        self.waitForEnd()
    }

    /// Waits for the end of a process that has closed its output.
    func waitForEnd() { self.output.withLock { _ = pclose($0) } }
}
