#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The command `yabbi-play`.
@main
struct YabbiPlay {
    static func main() async {
        // A reader that goes away is found out by what can't be written, and ends the run in order.
        signal(SIGPIPE, SIG_IGN)
        // Some builds of Swift's runtime draw up a report at Ctrl-\, and go on.
        signal(SIGQUIT, SIG_DFL)
        let console = ProcessConsole()
        do throws(UsageError) {
            let words = try ProcessWords.behindName(CommandLine.arguments, told: ProcessWords.tellOfSystem())
            exit(await self.run(words, console).rawValue)
        } catch {
            console.err("yabbi-play: \(error.message)")
            exit(ExitCode.usage.rawValue)
        }
    }

    /// Does what the words say.
    static func run(_ words: [String], _ console: any Console) async -> ExitCode {
        var code = ExitCode.done
        var message: String?
        do throws(PlayError) {
            code = try await Commands.run(try self.settings(words), console)
        } catch {
            code = error.code
            message = error.message
        }
        // Results that nobody can read outweigh whatever they were.
        if case .failed(let reason) = console.loss {
            code = .usage
            message = "the output can't be written: \(reason); write it elsewhere, or make room"
        }
        if let message { console.err("yabbi-play: \(message)") }
        return code
    }

    private static func settings(_ words: [String]) throws(PlayError) -> Settings {
        var settings: Settings
        do throws(UsageError) {
            settings = try Settings(parsing: words)
        } catch {
            throw PlayError(.usage, error.message)
        }
        guard settings.isHelp, !settings.isVersion else { return settings }
        // `yabbi-play --help` is about everything, `yabbi-play show --help` about show.
        settings.source = words.first?.hasPrefix("-") ?? true ? nil : settings.command.rawValue
        settings.command = .help
        return settings
    }
}
