import AdCore
import AdRuntime
import PlayConsole

/// Prints the exact request without sending it to its server.
struct DryRun {
    private let context: RunContext

    init(_ context: RunContext) { self.context = context }

    /// Prints the request with the headers that the transport would send.
    func run(_ query: AdQuery, _ transport: any Transport) async throws(PlayError) -> ExitCode {
        switch query {
        case .placement(let query):
            try await self.print(try self.context.request(for: query), by: transport)
        case .cards(let query, _, _): try await self.print(try self.context.request(for: query), by: transport)
        case .engagement(let options): try EngagementDryRun.print(EngagementPlan(options, self.context), self.context)
        }
        return .done
    }

    private func print(_ request: AdRequest, by transport: any Transport) async throws(PlayError) {
        let http: AdHTTPRequest
        do throws(AdError) {
            http = try await request.httpRequest()
        } catch {
            throw PlayError(.loadFailed, error.description)
        }
        let headers = try await WireCapture.header(of: http, by: transport)
        let body = http.body.map { String(decoding: $0, as: UTF8.self) }
        let console = self.context.console
        if self.context.options.isJSON {
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
