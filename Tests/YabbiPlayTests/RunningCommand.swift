import PlaySupport

@testable import PlayConsole
@testable import YabbiPlay

/// Runs the command in this process.
func play(_ words: String...) async -> (code: ExitCode, console: BufferConsole) { await play(words) }

/// Runs the command in this process.
func play(_ words: [String]) async -> (code: ExitCode, console: BufferConsole) {
    let console = BufferConsole()
    let code = await YabbiPlay.run(words, console)
    return (code, console)
}
