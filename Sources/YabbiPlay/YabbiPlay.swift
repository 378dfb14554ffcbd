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
        // A reader that goes away, as in `yabbi-play demo | head`, is no fault.
        signal(SIGPIPE, SIG_IGN)
        let code = await self.run(Array(CommandLine.arguments.dropFirst()), ProcessConsole())
        exit(code.rawValue)
    }

    /// Does what the words say.
    static func run(_ words: [String], _ console: any Console) async -> ExitCode {
        let settings: Settings
        do throws(UsageError) {
            settings = try Settings(parsing: words)
        } catch {
            console.err("yabbi-play: \(error.message)")
            return .usage
        }
        if settings.isVersion {
            console.out("yabbi-play \(Help.version)")
            return .done
        }
        guard settings.isHelp else { return await Commands.run(settings, console) }
        var help = settings
        // `yabbi-play --help` is about everything, `yabbi-play show --help` about show.
        help.source = words.first?.hasPrefix("-") ?? true ? nil : settings.command.rawValue
        help.command = .help
        return await Commands.run(help, console)
    }
}
