import AdCore
import AdRuntime
import CurlTransport
import SandboxSSP
import YabbiAds

/// What each command does.
enum Commands {
    static func run(_ settings: Settings, _ console: any Console) async throws(PlayError) -> ExitCode {
        if settings.isVersion {
            console.out("yabbi-play \(Help.version)")
            return .done
        }
        try OutputFiles.check(settings)
        switch settings.command {
        case .help: return try self.help(settings.source, console)
        case .sandbox: return try await SandboxCommand.run(settings, console)
        case .demo: return try await Demo.run(settings, console)
        case .show, .load: return try await self.ask(settings, console)
        case .watch: return try await Watch.run(settings, console)
        case .inspect: return try await Inspect.run(settings, console)
        case .lint: return try await LintCommand.run(settings, console)
        case .replay: return try ReplayCommand.run(settings, console)
        case .reconcile: return try await ReconcileCommand.run(settings, console)
        case .outbox: return try await Outbox.run(settings, console)
        case .doctor: return await Doctor.run(settings, console)
        case .completions: return self.completions(settings, console)
        case .manual:
            console.out(ManualPage().text)
            return .done
        }
    }

    private static func help(_ topic: String?, _ console: any Console) throws(PlayError) -> ExitCode {
        do throws(UsageError) {
            console.out(try Help.text(topic, width: console.proseWidth ?? Help.usualWidth))
            return .done
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    private static func completions(_ settings: Settings, _ console: any Console) -> ExitCode {
        guard let shell = settings.shell else { preconditionFailure("The command line was checked.") }
        console.out(CompletionTable().script(for: shell))
        return .done
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
            do throws(PlayError) {
                source = try await Source.read(text, settings, by: transport).named(settings.unit)
            } catch {
                // A creative's name is no file's.
                guard !text.contains("/"), let bundled = try? Play.catalogue(settings, nil),
                    bundled.creatives.contains(where: { $0.name == text })
                else { throw error }
                throw PlayError(error.code, "\(error.message); did you mean --unit \(text)?")
            }
        }
        if settings.isDryRun {
            let play = try Play(settings, console, source: source, transport: transport)
            if settings.provider.isConnected { return try EngagementDryRun.run(play) }
            return try await DryRun.run(play, try play.wish(), by: transport)
        }
        // An answer or a tag names any servers there are.
        if settings.isVirtual, settings.ledger != nil, let source, source.content.body != nil {
            throw PlayError(.usage, Settings.needsRealTime)
        }
        return try await LedgerFile.keeping(settings.ledger, console, isVirtual: settings.isVirtual) {
            ledger,
            mark async throws(PlayError) in
            let play = try Play(settings, console, source: source, transport: transport, ledger: ledger, mark: mark)
            return try await play.windingDown { () async throws(PlayError) in
                try await self.rounds(play, settings, console, sockets: transport)
            }
        }
    }

    private static func rounds(
        _ play: Play,
        _ settings: Settings,
        _ console: any Console,
        sockets: any SocketTransport
    ) async throws(PlayError) -> ExitCode {
        var rounds = Rounds(play, script: settings.script)
        if settings.provider.isConnected {
            rounds = try await EngagementShow.run(play, settings, sockets)
        } else {
            let wish = try play.wish()
            let line = ProgressLine("rounds", of: settings.repeats)
            let progress = Progress(line, on: console, isSilent: settings.isJSON || settings.repeats == 1)
            defer { progress?.end() }
            for _ in 0..<settings.repeats where console.loss == nil {
                progress?.step()
                await rounds.round(wish, shows: settings.command == .show)
            }
        }
        if settings.repeats > 1 {
            let summary = Summary(asked: rounds.asked, filled: rounds.fills, latencies: rounds.loads)
            console.out(settings.isJSON ? summary.json : summary.line)
        }
        if let error = rounds.worstError { throw PlayError(rounds.worst, error) }
        return rounds.worst
    }
}
