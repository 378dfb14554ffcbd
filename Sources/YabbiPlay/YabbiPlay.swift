import LibC
import PlayConsole

/// The command `yabbi-play`.
@main
struct YabbiPlay {
    static func main() async {
        // When the reader of a pipe goes away, the failed write ends the run in order.
        signal(SIGPIPE, SIG_IGN)
        // Some builds of Swift's runtime print a backtrace on Ctrl-\ and continue.
        signal(SIGQUIT, SIG_DFL)
        let console = ProcessConsole()
        do throws(UsageError) {
            let words = try ProcessArguments.afterName(
                CommandLine.arguments,
                systemRecord: ProcessArguments.systemRecord()
            )
            self.end(await self.run(words, console))
        } catch {
            console.err("yabbi-play: \(error.message)")
            self.end(.usage)
        }
    }

    /// Ends the process at once: other threads may still run, as for a browser that ends, and must not meet libraries whose
    /// exit handlers have run.
    private static func end(_ code: ExitCode) -> Never {
        fflush(nil)
        _exit(code.rawValue)
    }

    /// Runs the command that the arguments name.
    static func run(_ words: [String], _ console: any Console) async -> ExitCode {
        var code = ExitCode.done
        var message: String?
        do throws(PlayError) {
            code = try await self.run(try self.invocation(words), on: console)
        } catch {
            code = error.code
            message = error.message
        }
        // A failed write outweighs every result.
        if case .failed(let reason) = console.loss {
            code = .usage
            message = "the output can't be written: \(reason); free disk space, or redirect the output"
        }
        if let message { console.err("yabbi-play: \(message)") }
        return code
    }

    private static func invocation(_ words: [String]) throws(PlayError) -> Invocation {
        do throws(UsageError) {
            return try Invocation(parsing: words)
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    private static func run(_ invocation: Invocation, on console: any Console) async throws(PlayError) -> ExitCode {
        switch invocation {
        case .version:
            console.out("yabbi-play \(CommandVersion.number)")
            return .done
        case .command(let command): return try await command.run(on: console)
        }
    }
}
