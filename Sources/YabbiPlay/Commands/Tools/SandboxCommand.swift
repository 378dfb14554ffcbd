import PlayConsole
import SandboxSSP

/// Runs the built-in server.
struct SandboxCommand: Command {
    static let name = "sandbox"
    static let summary = "Run the built-in ad server until interrupted."
    static let exitCodes: [ExitCode] = [.done, .usage]
    static let options: [any OptionDeclaration] = [CreativesOption.creatives, port]

    static let port = Option(
        "--port",
        .other("<port>"),
        "The port to listen on.",
        otherwise: "chosen by the system",
        OptionValue.count(0...Int(UInt16.max))
    )

    let creatives: String?
    /// The port to listen on.
    ///
    /// 0 lets the system choose.
    let port: Int

    init(_ arguments: Arguments) throws(UsageError) {
        self.creatives = try arguments.value(CreativesOption.creatives)
        self.port = try arguments.value(Self.port) ?? 0
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        let sandbox: Sandbox
        do throws(SandboxError) {
            var configuration = Sandbox.Configuration()
            configuration.port = self.port
            configuration.catalogue = try CreativesFolder.catalogue(self.creatives)
            sandbox = try Sandbox.start(configuration)
        } catch {
            throw PlayError(.usage, error.message)
        }
        console.out("listening on http://127.0.0.1:\(sandbox.port)")
        // Without a printed port the server can't be used.
        if console.loss == nil { await Interruption.wait() }
        sandbox.stop()
        return .done
    }
}
