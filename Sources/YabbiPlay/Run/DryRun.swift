import AdCore
import AdRuntime
import CurlTransport
import PlayConsole

/// Prints the exact request without sending it to its server.
struct DryRun: Sendable {
    /// The options that it does not use.
    private static let unused: [any OptionDeclaration] =
        TraceOptions.options + [
            RunOptions.timeout, OutputOptions.report, RunOptions.resend, LedgerOptions.writable, LoadRun.repeats,
        ]

    private let query: AdQuery
    private let options: RunOptions
    private let time: PlayTime

    /// Reads `--dry-run`; nil if it was not given.
    ///
    /// `showing` are the command's options that only showing an ad uses.
    init?(
        _ arguments: Arguments,
        _ query: AdQuery,
        _ options: RunOptions,
        in time: PlayTime,
        showing: [any OptionDeclaration] = []
    ) throws(UsageError) {
        guard arguments.has(LoadRun.dryRun) else { return nil }
        if let source = query.source {
            throw UsageError("a source needs no request; remove --dry-run or \u{201C}\(source)\u{201D}")
        }
        if let given = arguments.given(Self.unused + showing).first {
            throw UsageError("--dry-run sends nothing; remove \(given)")
        }
        if case .engagement = query { try ProviderOptions(requesting: arguments).parameters.refuseUnsent() }
        self.query = query
        self.options = options
        self.time = time
    }

    /// Prints the request with the headers that the transport would send.
    func run(for command: String, on console: any Console) async throws(PlayError) -> ExitCode {
        let transport = try CurlTransport.forCommand()
        let origin = try await self.query.origin(
            seed: self.options.seed,
            within: self.options.timeout,
            by: transport
        )
        var plan = RunPlan(command: command, options: self.options, showing: Showing(terminalIn: self.time))
        plan.app = self.query.app
        let context = try RunContext(plan, origin, console, transport: transport)
        switch try context.ads(for: self.query) {
        case .request(let request): try await self.print(request, on: console, by: transport)
        case .session(let plan): try EngagementDryRun.print(plan, context)
        }
        return .done
    }

    private func print(
        _ request: AdRequest,
        on console: any Console,
        by transport: any Transport
    ) async throws(PlayError) {
        let http: AdHTTPRequest
        do throws(AdError) {
            http = try await request.httpRequest()
        } catch {
            throw PlayError(.loadFailed, error.description)
        }
        let headers = try await WireCapture.header(of: http, by: transport)
        let body = http.body.map { String(decoding: $0, as: UTF8.self) }
        if self.options.isJSON {
            let line: AdJSON = [
                "event": "request", "method": .string(http.method.rawValue), "url": .string(http.url.text),
                "headers": .object(headers.fields.map { AdJSON.Member($0.name, .string($0.value)) }),
                "body": .text(body),
            ]
            return console.out(line.text())
        }
        console.out("\(http.method.rawValue) \(http.url)")
        for field in headers.fields { console.out("\(field.name): \(field.value)") }
        if let body { console.out("\n\(body)") }
    }
}
