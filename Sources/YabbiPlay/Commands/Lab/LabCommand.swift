import AdCore
import AdRuntime
import PlayConsole
import PlayLab

/// Serves the page of the lab until it is interrupted.
struct LabCommand: Command {
    static let name = "lab"
    static let summary = "Open a page in which tags are pasted, shown live and inspected."
    static let discussion = [LabDiscussion.page, LabDiscussion.endpoints]
    static let exitCodes: [ExitCode] = [.done, .usage]
    static let options: [any OptionDeclaration] = [
        port, CreativesOption.creatives, StageSelection.noSandbox, open, json,
    ]

    static let port = Option(
        "--port",
        .other("<port>"),
        "The port to listen on.",
        otherwise: "chosen by the system",
        OptionValue.count(0...Int(UInt16.max))
    )
    static let open = Flag("--open", "Open the page in this computer's browser.")
    static let json = OutputOptions.json

    private let port: Int
    private let opensPage: Bool
    private let isJSON: Bool
    private let settings: LabSettings

    init(_ arguments: Arguments) throws(UsageError) {
        self.port = try arguments.value(Self.port) ?? 0
        self.opensPage = arguments.has(Self.open)
        self.isJSON = arguments.has(Self.json)
        self.settings = LabSettings(
            creatives: try arguments.value(CreativesOption.creatives),
            isSandboxed: !arguments.has(StageSelection.noSandbox)
        )
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        let host = try CommandLabHost(self.settings)
        let lab = Lab(host) { SystemClock().wallTime }
        let server: LabServer
        do throws(LabError) {
            server = try LabServer(lab, port: self.port, token: LabCommand.token())
        } catch {
            throw PlayError(.usage, error.message)
        }
        let line: AdJSON = ["event": "listening", "url": .string(server.url)]
        console.out(self.isJSON ? line.text() : "the lab is at \(server.url)")
        if self.opensPage, let url = ClickThroughURL(server.url) { _ = await DesktopOpener().open(url, .systemBrowser) }
        // Without a printed address the lab can't be used.
        if console.loss == nil {
            let janitor = Task {
                while !Task.isCancelled {
                    try await Task.sleep(for: .seconds(30))
                    lab.endIdle(at: .now)
                }
            }
            await Interruption.wait()
            janitor.cancel()
        }
        server.stop()
        await host.close()
        return .done
    }

    /// A random token of 128 bits.
    private static func token() -> String {
        var random = SystemRandomNumberGenerator()
        return [random.next(), random.next()].map { (word: UInt64) in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// The options of the whole lab.
struct LabSettings: Sendable {
    /// The folder of the built-in server's creatives.
    let creatives: String?
    /// Whether the browser's own sandbox is on.
    let isSandboxed: Bool
}

/// The help about the lab.
enum LabDiscussion {
    static let page = """
        The page runs an ad in a browser of the command and shows its pictures; clicks, touches and keys go to that
        browser. The creative never runs in the browser that shows the page. The address has a token: whoever has it can
        run ads on this computer. Pages of other origins are refused.
        """

    static let endpoints = """
        Scripts use the same requests as the page, with ?token=… or Authorization: Bearer …:

        POST /ads with {"source": {"kind": "markup", "text": …}, "options": {"device": "iphone", …}} answers {"id"}. kind is
        markup, url, file, placement, bundled or ad; options are the long options of show without hyphens.
        GET /ads, /ads/ID; GET /ads/ID/events (server-sent events: the lines of --json; Last-Event-ID or ?after=);
        GET /ads/ID/frame?after=N (waits for the next picture), ?n=N (a kept one); GET /ads/ID/document?n=N;
        POST /ads/ID/input with {"type": "press"|"move"|"release"|"tap"|"scroll"|"key", "x", "y", …};
        POST /ads/ID/do with {"action": …}: an action of --do, offline, online, resize WxH, or end;
        GET /ads/ID/source, /structure, /command, /report, /har, /trace, /screenshot; POST /compare with {"a", "b"}.
        """
}
