import Dispatch
import Glibc

/// Shows ads in a loop until its time is over, or SIGINT or SIGTERM comes.
@main
struct LinuxKiosk {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == ["--help"] { return print(KioskOptions.help) }
        do {
            // systemd sets it to the folder that the unit names.
            let stateFolder = getenv("STATE_DIRECTORY").map { String(cString: $0) }
            let options = try KioskOptions(arguments, stateFolder: stateFolder)
            let kiosk = try await Kiosk(options)
            let loop = Task { await kiosk.run(options.plan) }
            let signals = self.onSignal { loop.cancel() }
            await loop.value
            // Not in the cancelled task, in which nothing would be awaited.
            try await kiosk.end()
            withExtendedLifetime(signals) {}
        } catch let mistake as KioskOptions.Mistake {
            log("\(mistake); --help lists all options")
            exit(2)
        } catch {
            log("\(error)")
            exit(1)
        }
    }

    /// Calls a closure for SIGINT and SIGTERM, as long as the result exists.
    private static func onSignal(_ body: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: body)
            source.activate()
            return source
        }
    }
}
