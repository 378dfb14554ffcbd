import AdCore
import AdRuntime
import PlayConsole
import PlayLab
import PlayStages

/// Serves the page of the lab until it is interrupted.
struct LabCommand: Command {
    static let name = "lab"
    static let summary = "Open a page in which tags are pasted, shown live and inspected."
    static let discussion = [LabDiscussion.page, LabDiscussion.endpoints]
    static let exitCodes: [ExitCode] = [.done, .usage, .showFailed]
    static let exitCodeMeanings: [ExitCode: String] = [.showFailed: "No browser is installed."]
    static let options: [any OptionDeclaration] = [
        port, CreativesOption.creatives, StageSelection.engine, StageSelection.noSandbox, open, json,
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
            isSandboxed: !arguments.has(StageSelection.noSandbox),
            engine: try arguments.value(StageSelection.engine) ?? .chromium
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
        // If the address can't be printed, the lab can't be used.
        if console.loss == nil {
            let idleCheck = Task {
                while !Task.isCancelled {
                    try await Task.sleep(for: .seconds(30))
                    lab.endIdle(at: .now)
                }
            }
            await Interruption.wait()
            idleCheck.cancel()
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
    /// The browser that shows ads.
    var engine = BrowserEngineKind.chromium
}

/// The help about the lab.
enum LabDiscussion {
    static let page = """
        An ad of the page runs in a browser of the command. The page shows its pictures, and sends clicks, touches and
        keys to that browser. The creative never runs in the browser that shows the page. The address has a token: whoever
        has it can run ads and open files on this computer. Pages of other origins are refused.
        """

    static let endpoints = """
        Scripts send the same requests as the page, with ?token=… or Authorization: Bearer …. Bodies are JSON.
          POST /ads             Starts an ad with {"source": …, "options": …}; the response is 201 with {"id": …}.
          GET /ads, /ads/ID     All ads, the newest first; one of them.
          GET /options          The devices, networks, formats, providers and creatives to choose from.
          GET /ads/ID/events    The stream of server-sent events; it continues after Last-Event-ID or ?after=N.
          GET /ads/ID/frame     ?after=N waits for a picture (JPEG) that is newer than that of x-frame: N, up to 25 s;
                                ?n=N is a kept one.
          GET /ads/ID/document  The creative's document at an earlier time: ?n=N.
          POST /ads/ID/input    {"type": "press", "move", "release" or "tap", "x", "y"} in points of the screen,
                                {"type": "scroll", "x", "y", "dx", "dy"}, or
                                {"type": "key", "phase": "down" or "up", "key", "code", "text", "modifiers"}.
          POST /ads/ID/do       {"action": …}: an action of --do, offline, online, resize WxH, or end.
          GET /ads/ID/…         source (documents with findings), structure, command, original (the file that was
                                sent), report, har, trace, screenshot.
          POST /compare         {"a": ID, "b": ID}: what differs, as compare --json has it, and the pictures. In place of
                                an ID: {"name": …, "data": base64} of a report.html or a trace.

        A source is one of these. Options are the long options of show without hyphens: a text, true for a flag, or a
        list for several. Those without effect in the lab are refused.
          {"kind": "markup", "text": …}      What was pasted.
          {"kind": "url", "text": …}         The URL of a tag.
          {"kind": "file", "name": …}        A file or folder of this computer; with "data", the bytes in Base64.
          {"kind": "placement", …}           "provider", and "fields" with unit, endpoint and the values of --set.
          {"kind": "bundled", "name": …}     A creative of the built-in server.
          {"kind": "ad", "id": ID}           The source of an earlier ad, again.

        Events without a name are lines of --json. Those named state, trackers, verdict and strip are sent again as a
        whole when they change; strip has the numbers of the kept pictures and documents. The last one is end.

        Errors have a status and {"error": …, "field": …}, where field is the member that is wrong: 400 for an invalid
        body, 403 without the token, from another origin or for an unknown Host, 404 for what does not exist (any more),
        405 for a wrong method, 409 before an ad has started, 410 for pictures after the end, 413 for too large a body,
        429 if too many ads run, 503 when the lab ends, 504 if a response takes too long. 204 has no body.
        """
}
