import AdCore
import AdRuntime
import CurlTransport
import SandboxSSP
import YabbiAds

/// What each command does.
enum Commands {
    static func run(_ settings: Settings, _ console: any Console) async -> ExitCode {
        do throws(PlayError) {
            switch settings.command {
            case .help: return try self.help(settings.source, console)
            case .sandbox: return try await SandboxCommand.run(settings, console)
            case .demo: return try await Demo.run(settings, console)
            case .show, .load: return try await self.ask(settings, console)
            }
        } catch {
            console.err("yabbi-play: \(error.message)")
            return error.code
        }
    }

    private static func help(_ topic: String?, _ console: any Console) throws(PlayError) -> ExitCode {
        do throws(UsageError) {
            console.out(try Help.text(topic))
            return .done
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    static func transport() throws(PlayError) -> CurlTransport {
        do throws(CurlTransport.SetupError) {
            return try CurlTransport()
        } catch {
            throw PlayError(.loadFailed, error.description)
        }
    }

    private static func ask(_ settings: Settings, _ console: any Console) async throws(PlayError) -> ExitCode {
        let transport = try self.transport()
        var source: Source?
        if let text = settings.source {
            source = try await Source.read(text, format: settings.format, by: transport)
        }
        let play = try Play(settings, console, source: source, transport: transport)
        let unit = try play.unit()
        if settings.isDryRun { return try await self.dryRun(play, unit) }
        var rounds = Rounds(play, provider: settings.provider, script: settings.script)
        for _ in 0..<settings.repeats { try await rounds.round(unit: unit, shows: settings.command == .show) }
        if settings.repeats > 1 { Summary(rounds).tell(console, isJSON: settings.isJSON) }
        if rounds.worst != .done, let error = rounds.lastError { console.err("yabbi-play: \(error)") }
        return rounds.worst
    }

    private static func dryRun(_ play: Play, _ unit: String) async throws(PlayError) -> ExitCode {
        let (loader, placement) = try play.loader(unit: unit, provider: play.settings.provider)
        let request: HTTPRequest
        do throws(AdError) {
            request = try await loader.request(for: placement)
        } catch {
            throw PlayError(.loadFailed, error.description)
        }
        let body = request.body.map { String(decoding: $0, as: UTF8.self) }
        if play.settings.isJSON {
            let headers = request.headers.fields.map { JSON.Member($0.name, .string($0.value)) }
            let line: JSON = [
                "event": "request", "method": .string(request.method.rawValue), "url": .string(request.url.text),
                "headers": .object(headers), "body": .text(body),
            ]
            play.console.out(line.text())
            return .done
        }
        play.console.out("\(request.method.rawValue) \(request.url)")
        for field in request.headers.fields { play.console.out("\(field.name): \(field.value)") }
        if let body { play.console.out("\n\(body)") }
        return .done
    }
}

/// Fill rate and latency of many rounds.
struct Summary {
    let asked: Int
    let filled: Int
    let latencies: [Duration]

    init(_ rounds: Rounds) {
        self.asked = rounds.play.settings.repeats
        self.filled = rounds.fills
        self.latencies = rounds.loads.sorted()
    }

    private func quantile(_ share: Double) -> Double? {
        guard !self.latencies.isEmpty else { return nil }
        let index = min(self.latencies.count - 1, Int(Double(self.latencies.count) * share))
        return self.latencies[index].inSeconds * 1000
    }

    func tell(_ console: any Console, isJSON: Bool) {
        let rate = Double(self.filled) / Double(max(1, self.asked))
        if isJSON {
            let line: JSON = [
                "event": "summary", "asked": .int(self.asked), "filled": .int(self.filled), "fillRate": .double(rate),
                "p50": self.quantile(0.5).map { .double($0) } ?? .null,
                "p95": self.quantile(0.95).map { .double($0) } ?? .null,
            ]
            console.out(line.text())
        } else {
            func text(_ value: Double?) -> String { value.map { "\(Double(Int($0 * 100)) / 100) ms" } ?? "-" }
            let percent = Int((rate * 100).rounded())
            console.out(
                "\(self.filled) of \(self.asked) filled (\(percent) %), load p50 \(text(self.quantile(0.5))), p95 \(text(self.quantile(0.95)))"
            )
        }
    }
}
