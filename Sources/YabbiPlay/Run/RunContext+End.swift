import AdCore
import AdRuntime
import AdTrace
import ChromiumStage
import PlayConsole
import PlayReport
import PlayStages

extension RunContext {
    /// As long as an attempt to deliver a beacon takes at most, and a little more.
    static let longestAttempt = Duration.seconds(16)

    /// Runs a body, and then waits for what it started, before the ledger is closed.
    func finishing<Outcome: Sendable>(
        _ body: () async throws(PlayError) -> Outcome
    ) async throws(PlayError) -> Outcome {
        let outcome: Result<Outcome, PlayError>
        do throws(PlayError) {
            outcome = .success(try await body())
        } catch {
            outcome = .failure(error)
        }
        // An ad is over before its stage is empty, and the picture is taken in between.
        await self.browser?.whenIdle()
        let version = self.report == nil ? nil : await self.browser?.browserVersion()
        await self.browser?.close()
        // A beacon that is being sent when the process ends is unconfirmed in the ledger; in memory nothing is kept.
        await self.services.beacons.windDown(
            within: self.options.ledger == nil ? self.plan.scaled(.seconds(1)) : RunContext.longestAttempt
        )
        // A report is needed most for what failed; that it cannot be written is the smaller problem then.
        guard case .success = outcome else {
            if self.report?.book.stories.isEmpty == false { try? self.writeReport(shownBy: version) }
            return try outcome.get()
        }
        try self.writeReport(shownBy: version)
        if let trouble = self.picture?.trouble { throw PlayError(.usage, "there is no picture: \(trouble)") }
        if let trouble = self.trace?.trouble { throw PlayError(.usage, "the trace is not whole: \(trouble)") }
        return try outcome.get()
    }

    /// Writes the report, where one is asked for, and prints where it is.
    private func writeReport(shownBy browser: String?) throws(PlayError) {
        guard let report else { return }
        let isJSON = self.options.isJSON
        let progress = Progress(ProgressLine("writing the report"), on: self.console, isSilent: isJSON)
        defer { progress?.end() }
        let factor = self.plan.time.speed
        let speed = factor == 1 ? "" : ", \(AdJSON.double(factor).text()) times as fast"
        let stage = browser ?? "the terminal, without pictures"
        if let trouble = report.write(self.plan.title, stage: stage + speed, clock: self.clock) {
            throw PlayError(.usage, "the report is not whole: \(trouble)")
        }
        let line: AdJSON = ["event": "report", "path": .string(report.path)]
        self.console.out(isJSON ? line.text() : "\n  report  \(report.path)")
    }
}
