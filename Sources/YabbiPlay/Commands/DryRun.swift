import AdCore
import AdRuntime

/// Prints the request that would be sent, to the letter, and sends nothing to its server.
enum DryRun {
    static func run(_ play: Play, _ wish: Wish, by transport: any Transport) async throws(PlayError) -> ExitCode {
        let request: HTTPRequest
        do throws(AdError) {
            request = try await wish.request()
        } catch {
            throw PlayError(.loadFailed, error.description)
        }
        let headers = try await WireCapture.header(of: request, by: transport)
        let body = request.body.map { String(decoding: $0, as: UTF8.self) }
        if play.settings.isJSON {
            let line: JSON = [
                "event": "request", "method": .string(request.method.rawValue), "url": .string(request.url.text),
                "headers": .object(headers.fields.map { JSON.Member($0.name, .string($0.value)) }),
                "body": .text(body),
            ]
            play.console.out(line.text())
            return .done
        }
        play.console.out("\(request.method.rawValue) \(request.url)")
        for field in headers.fields { play.console.out("\(field.name): \(field.value)") }
        if let body { play.console.out("\n\(body)") }
        return .done
    }
}
