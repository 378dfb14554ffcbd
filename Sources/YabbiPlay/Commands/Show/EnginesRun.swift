import AdCore
import CurlTransport
import PlayCompare
import PlayConsole
import PlayReport
import PlayStages
import SystemSupport

/// Shows the same ad in two browsers, one after the other, and compares what happened.
struct EnginesRun: Sendable {
    private let run: LoadRun
    private let showings: [(engine: BrowserEngineKind, showing: Showing)]

    /// Nil for one stage.
    init?(_ run: LoadRun, _ showings: [Showing]) throws(UsageError) {
        guard showings.count > 1 else { return nil }
        if run.repeats > 1 { throw UsageError("--repeat can't be combined with two stages; remove one of them") }
        if run.options.trace != nil {
            throw UsageError("--trace records one run; name one stage, or remove it")
        }
        self.run = run
        self.showings = showings.compactMap { showing in showing.stage.browser.map { ($0.engine, showing) } }
    }

    /// Shows the ad in each browser, and reports what differs; differences do not change the exit code.
    func run(for command: String, on console: any Console, by script: UserScript) async throws(PlayError) -> ExitCode {
        let page = try self.run.options.report.map { (folder) throws(PlayError) in try ComparisonFile(in: folder) }
        let transport = try CurlTransport.forCommand()
        try self.requireBrowsers(transport)
        var run = self.run
        if run.query.source != nil {
            let origin = try await run.origin(transport, run.plan(for: command), nil)
            run.query = run.query.serving(origin.document)
        }
        var sides: [ComparisonPage.Side] = []
        var (worst, failure) = (ExitCode.done, PlayError?.none)
        for (engine, showing) in self.showings {
            self.announce(engine, on: console)
            run.showing = showing
            run.options.report = self.run.options.report.map { "\($0)/\(engine.rawValue)" }
            let document = Locked<RunDocument?>(nil)
            run.onReport = { made in document.withLock { $0 = made } }
            do throws(PlayError) {
                worst = worst.worse(try await run.run(for: command, on: console, by: script))
            } catch {
                // A browser that is missing or an option that is wrong fails both.
                guard error.code != .usage, document.withLock({ $0 != nil }) else { throw error }
                if worst.worse(error.code) != worst { (worst, failure) = (error.code, error) }
            }
            guard let made = document.withLock({ $0 }) else { return worst }
            sides.append(ComparisonPage.Side(engine.title, ComparedRun(made)))
        }
        let comparison = await BrowserPictures.comparing(sides[0].run, sides[1].run)
        let output = ComparisonOutput(
            comparison,
            sides[0].name,
            sides[1].name,
            failing: nil,
            isJSON: run.options.isJSON
        )
        if !run.options.isJSON { console.out("") }
        output.print(on: console)
        let title = self.run.plan(for: command).title
        try page?.write(title, sides[0], sides[1], comparison, isJSON: run.options.isJSON, on: console)
        if let failure { throw failure }
        return worst
    }

    /// Throws if a browser is not installed, before the ad is shown in the other one.
    private func requireBrowsers(_ transport: CurlTransport) throws(PlayError) {
        for (engine, _) in self.showings {
            do throws(BrowserFailure) {
                _ = try BrowserOptions(engine).shared(screen: Size(width: 1, height: 1), limit: 1, transport: transport)
            } catch {
                throw PlayError(.showFailed, "\(error.message); or name one stage")
            }
        }
    }

    /// Says which browser's events follow.
    private func announce(_ engine: BrowserEngineKind, on console: any Console) {
        let line: AdJSON = ["event": "engine", "name": .string(engine.rawValue)]
        let style = Style(isColored: console.isColored)
        console.out(self.run.options.isJSON ? line.text() : "\n\(style.bold(engine.title))")
    }
}

extension BrowserEngineKind {
    /// The name, as its makers write it.
    var title: String {
        switch self {
        case .chromium: "Chromium"
        case .webKit: "WebKit"
        }
    }
}
