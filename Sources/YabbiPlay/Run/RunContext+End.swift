import AdCore
import AdRuntime
import AdTrace
import PlayConsole
import PlayReport
import PlayStages
import PlayText
import WebStage

extension RunContext {
    /// The maximum duration of a delivery attempt, with a margin.
    static let maxAttemptTime = Duration.seconds(16)

    /// Runs a body, then waits for its beacons and closes the browser, before the ledger is closed.
    func finishing<Outcome: Sendable>(
        _ body: () async throws(PlayError) -> Outcome
    ) async throws(PlayError) -> Outcome {
        let outcome: Result<Outcome, PlayError>
        do throws(PlayError) {
            outcome = .success(try await body())
        } catch {
            outcome = .failure(error)
        }
        // An ad is over before its stage is closed, and the screenshot is taken in between.
        await self.browser?.whenIdle()
        let version = self.plan.isReported ? await self.browser?.browserVersion() : nil
        await self.browser?.close()
        // A beacon in flight at the end of the process becomes unconfirmed in a ledger file.
        await self.services.beacons.stopSending(
            within: self.options.ledger == nil ? self.plan.scaled(.seconds(1)) : RunContext.maxAttemptTime
        )
        // A failed run is reported too. Its own error outweighs an error of the report.
        guard case .success = outcome else {
            if self.log.recorder?.ads.isEmpty == false { try? self.writeReport(shownBy: version) }
            return try outcome.get()
        }
        try self.writeReport(shownBy: version)
        if let failure = self.picture?.failure { throw PlayError(.usage, "the screenshot failed: \(failure)") }
        if let failure = self.log.trace?.failure { throw PlayError(.usage, "the trace is incomplete: \(failure)") }
        return try outcome.get()
    }

    /// Writes the report, if one is requested, and prints its path.
    private func writeReport(shownBy browser: String?) throws(PlayError) {
        let stage = self.stageText(shownBy: browser)
        if let onReport = self.plan.onReport, let recorder = self.log.recorder {
            let (start, now, speed) = (self.log.startedAt, self.clock.wallTime, self.plan.time.speed)
            let ads = recorder.ads
            onReport(
                RunReport(title: self.plan.title, stage: stage, ads: ads, speed: speed, startedAt: start, now: now)
                    .document
            )
        }
        guard let report else { return }
        let isJSON = self.options.isJSON
        let progress = Progress(ProgressLine("writing the report"), on: self.console, isSilent: isJSON)
        defer { progress?.end() }
        if let failure = report.write(
            self.plan.title,
            stage: stage,
            startedAt: self.log.startedAt,
            now: self.clock.wallTime
        ) {
            throw PlayError(.usage, "the report is incomplete: \(failure)")
        }
        let line: AdJSON = ["event": "report", "path": .string(report.path)]
        self.console.out(isJSON ? line.text() : "\n  report  \(report.path)")
    }

    /// The name of the stage, and its speed.
    private func stageText(shownBy browser: String?) -> String {
        let factor = self.plan.time.speed
        let speed = factor == 1 ? "" : ", speed \(AdJSON.double(factor).text())"
        return (browser ?? "terminal, without pictures") + speed
    }
}
