import AdCore

// Blank checks: screenshots of the creative's rectangle, whose pixels the host page counts.

extension CreativeMachine {
    /// Starts the checks after the reveal.
    mutating func startBlankChecks(at now: Duration) -> [StageOutput] {
        self.blank.reveal(at: now).map { [.setAlarm(.blankCheck, after: $0)] } ?? []
    }

    /// Starts a check that is due.
    mutating func startBlankCheck(at now: Duration) -> [StageOutput] {
        self.blank.start() ? self.runBlankCheck(at: now) : []
    }

    private mutating func runBlankCheck(at now: Duration) -> [StageOutput] {
        guard self.mraid.host.layout == .defaultPosition else { return self.endBlankChecks() }
        guard self.lastRatio.map({ $0 > 0 }) ?? true else {
            return self.handle(BlankDetector.CheckResult.none, at: now)
        }
        return self.query("yabbiVisibleRect()", .place)
    }

    /// Evaluates a step of a check in the host page.
    private func query(_ script: String, _ step: BlankCheckStep) -> [StageOutput] {
        guard let hostPage else { return [] }
        return [.query(hostPage.evaluation(script), .blankCheck(step), within: CreativeMachine.checkTimeLimit)]
    }

    /// Handles the reply to a step of a check: the creative's rectangle, its failed images, a screenshot, and the
    /// number of pixels that differ from the empty rectangle.
    mutating func handleBlankCheck(
        _ step: BlankCheckStep,
        _ reply: Result<EngineReply, EngineError>,
        at now: Duration
    ) -> [StageOutput] {
        // The screenshot is taken also if the creative does not reply.
        if case .images = step { return self.picture(without: FailedImage.list((try? reply.get())?.value)) }
        guard case .success(let reply) = reply else { return self.handle(BlankDetector.CheckResult.none, at: now) }
        switch step {
        case .place:
            guard let rect = MRAIDRect(reply.value), rect.width >= 1, rect.height >= 1 else {
                return self.handle(BlankDetector.CheckResult.none, at: now)
            }
            guard let creative else { return self.picture(without: []) }
            let images = EngineCommand.evaluate(EngineEvaluation(Scripts.images), in: creative)
            return [.query(images, .blankCheck(.images), within: CreativeMachine.imagesTimeLimit)]
        case .images: return []
        case .picture(let failed):
            guard case .picture(let data) = reply else { return self.handle(BlankDetector.CheckResult.none, at: now) }
            let images = AdJSON.array(failed.map(\.json)).text()
            return self.query("yabbiCountPixels(\(AdJSON.string(data).text()), \(images))", .count)
        case .count:
            let count = reply.value.number.flatMap { Int(exactly: $0) }
            return self.handle(count.map { .pixels($0) } ?? BlankDetector.CheckResult.none, at: now)
        }
    }

    private func picture(without failed: [FailedImage]) -> [StageOutput] {
        // The whole screen, without a clip: for a clip an engine may move the page for a moment, and a press in that
        // moment misses.
        let picture = EngineCommand.capture(EngineCapture(isFast: true), in: self.page)
        return [.query(picture, .blankCheck(.picture(without: failed)), within: CreativeMachine.checkTimeLimit)]
    }

    private mutating func handle(_ result: BlankDetector.CheckResult, at now: Duration) -> [StageOutput] {
        let pause = self.blank.handle(result, at: now)
        return (pause.map { [.setAlarm(.blankCheck, after: $0)] } ?? []) + self.decided()
    }

    /// Prepares the end of the ad: resolves pending taps and the blank check first, then returns `reports`.
    mutating func finish(with reports: [StageOutput], at now: Duration) -> [StageOutput] {
        let taps = self.settleTaps()
        let wasUndecided = self.blank.isUndecided
        switch self.blank.prepareToClose(at: now) {
        case .decided: return taps + (wasUndecided ? self.decided() : []) + reports
        case .wait where reports.contains { self.deferredReports.contains($0) }: return taps
        case .wait:
            self.deferredReports += reports
            return taps + [.setAlarm(.finalBlankCheck, after: CreativeMachine.finalCheckTimeLimit)]
        case .check:
            self.deferredReports += reports
            return taps + [.setAlarm(.finalBlankCheck, after: CreativeMachine.finalCheckTimeLimit)]
                + self.runBlankCheck(at: now)
        }
    }

    /// Decides from the checks so far.
    mutating func decideBlankCheck() -> [StageOutput] {
        guard self.blank.isUndecided else { return [] }
        self.blank.decideNow()
        return self.decided()
    }

    /// Ends the checks without an outcome.
    mutating func endBlankChecks() -> [StageOutput] {
        guard self.blank.isUndecided else { return [] }
        self.blank.end()
        return self.decided()
    }

    /// The outputs when the checks are over; none while an outcome is pending.
    private mutating func decided() -> [StageOutput] {
        guard !self.blank.isUndecided else { return [] }
        defer { self.deferredReports = [] }
        let blank: [StageOutput] =
            self.blank.outcome == .blank ? [.report(.diagnostic(.blank(self.policy.blankCreative)))] : []
        return blank + [.blankCheckFinished] + self.deferredReports
    }

    /// How long each step of a check may take.
    private static let checkTimeLimit = Duration.seconds(2)
    /// How long the creative may take to return its failed images.
    private static let imagesTimeLimit = Duration.milliseconds(500)
    /// How long a close waits for the final check.
    private static let finalCheckTimeLimit = Duration.milliseconds(300)
}

/// One step of a blank check.
package enum BlankCheckStep: Hashable, Sendable {
    case place, images, count
    case picture(without: [FailedImage])
}

/// The rectangle of an image that failed to load, where the browser paints a placeholder: a border and an icon.
///
/// The placeholder is no visible content. Images with an alternative text are not listed, because that text is content.
package struct FailedImage: Hashable, Sendable {
    /// The image's rectangle, in the creative's points.
    private let place: MRAIDRect
    /// The image's border and padding around the placeholder.
    private let inset: Double
    /// The scale of the image by a transform of the creative.
    private let scale: Double

    /// Reads the result of `images.js`, which the creative can forge: at most `limit` images, and plausible numbers
    /// only.
    static func list(_ json: AdJSON?) -> [FailedImage] {
        (json?.array ?? []).prefix(limit).compactMap(FailedImage.init)
    }

    private static let limit = 100

    private init?(_ json: AdJSON) {
        let numbers = json.array?.prefix(6).compactMap(\.number).filter { abs($0) < 1e5 } ?? []
        guard numbers.count == 6 else { return nil }
        self.place = MRAIDRect(x: numbers[0], y: numbers[1], width: max(0, numbers[2]), height: max(0, numbers[3]))
        self.inset = max(0, numbers[4])
        self.scale = max(0, numbers[5])
    }

    var json: AdJSON {
        .array([
            .double(self.place.x), .double(self.place.y), .double(self.place.width), .double(self.place.height),
            .double(self.inset), .double(self.scale),
        ])
    }
}
