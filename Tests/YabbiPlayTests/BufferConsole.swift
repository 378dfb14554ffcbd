import AdCore
import SystemLock

@testable import YabbiPlay

/// A console that remembers what was printed.
final class BufferConsole: Console {
    private let lines = Locked<(out: [String], err: [String])>(([], []))
    let isColoured = false
    let width = 80
    let loss: OutputLoss? = nil

    func out(_ line: String) { self.lines.withLock { $0.out.append(line) } }
    func err(_ line: String) { self.lines.withLock { $0.err.append(line) } }

    func converse(_ onKey: @escaping @Sendable (Key) -> Void) -> (any Conversation)? { nil }

    var out: [String] { self.lines.withLock { $0.out } }
    var err: [String] { self.lines.withLock { $0.err } }

    /// The lines as JSON; a line that is none counts as null.
    var json: [JSON] { self.out.map { (try? JSON(parsing: $0)) ?? .null } }

    /// The names of the events, in order.
    var events: [String] { self.json.compactMap { $0["event"]?.string } }
}

/// Runs the command in this process.
func play(_ words: String...) async -> (code: ExitCode, console: BufferConsole) { await play(words) }

/// Runs the command in this process.
func play(_ words: [String]) async -> (code: ExitCode, console: BufferConsole) {
    let console = BufferConsole()
    let code = await YabbiPlay.run(words, console)
    return (code, console)
}
