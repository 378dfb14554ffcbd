import AdCore

// Blank checks: screenshots of the creative's rectangle, whose pixels the host page counts.

extension CreativeMachine {
    /// Starts the checks after the reveal.
    mutating func startLooks(at now: Duration) -> [StageOutput] {
        self.blank.reveal(at: now).map { [.setAlarm(.look, after: $0)] } ?? []
    }

    /// Starts a check that is due.
    mutating func look(at now: Duration) -> [StageOutput] {
        self.blank.start() ? self.lookNow(at: now) : []
    }

    private mutating func lookNow(at now: Duration) -> [StageOutput] {
        guard self.mraid.host.layout == .slot else { return self.endLooks() }
        guard self.lastRatio.map({ $0 > 0 }) ?? true else { return self.handle(BlankDetector.Look.none, at: now) }
        return self.query("yabbiVisibleRect()", .place)
    }

    /// Evaluates a step of a check in the host page.
    private func query(_ script: String, _ step: LookStep) -> [StageOutput] {
        guard let hostPage else { return [] }
        return [.query(hostPage.evaluation(script), .look(step), within: CreativeMachine.lookTime)]
    }

    /// Handles the reply to a step of a check: the creative's rectangle, its failed images, a screenshot, and the
    /// number of pixels that differ from the empty rectangle.
    mutating func look(
        _ step: LookStep,
        _ reply: Result<EngineReply, EngineFault>,
        at now: Duration
    ) -> [StageOutput] {
        // The screenshot is taken also if the creative does not reply.
        if case .images = step { return self.picture(without: FailedImage.list((try? reply.get())?.value)) }
        guard case .success(let reply) = reply else { return self.handle(BlankDetector.Look.none, at: now) }
        switch step {
        case .place:
            guard let rect = MRAIDRect(reply.value), rect.width >= 1, rect.height >= 1 else {
                return self.handle(BlankDetector.Look.none, at: now)
            }
            guard let creative else { return self.picture(without: []) }
            let images = EngineCommand.evaluate(EngineEvaluation(Scripts.images), in: creative)
            return [.query(images, .look(.images), within: CreativeMachine.imagesTime)]
        case .images: return []
        case .picture(let failed):
            guard case .picture(let data) = reply else { return self.handle(BlankDetector.Look.none, at: now) }
            let images = AdJSON.array(failed.map(\.json)).text()
            return self.query("yabbiCountPixels(\(AdJSON.string(data).text()), \(images))", .count)
        case .count:
            let count = reply.value.number.flatMap { Int(exactly: $0) }
            return self.handle(count.map { .pixels($0) } ?? BlankDetector.Look.none, at: now)
        }
    }

    private func picture(without failed: [FailedImage]) -> [StageOutput] {
        // The whole screen, without a clip: for a clip Chromium moves the page for a moment, and a press in that moment
        // misses.
        let picture = EngineCommand.capture(EngineCapture(isFast: true), in: self.page)
        return [.query(picture, .look(.picture(without: failed)), within: CreativeMachine.lookTime)]
    }

    private mutating func handle(_ look: BlankDetector.Look, at now: Duration) -> [StageOutput] {
        let pause = self.blank.handle(look, at: now)
        return (pause.map { [.setAlarm(.look, after: $0)] } ?? []) + self.decided()
    }

    /// Prepares the end of the ad: resolves pending taps and the blank check first, then returns `farewell`.
    mutating func leave(_ farewell: [StageOutput], at now: Duration) -> [StageOutput] {
        let taps = self.settleTaps()
        let wasUndecided = self.blank.isUndecided
        switch self.blank.leave(at: now) {
        case .decided: return taps + (wasUndecided ? self.decided() : []) + farewell
        case .wait where farewell.contains { self.farewell.contains($0) }: return taps
        case .wait:
            self.farewell += farewell
            return taps + [.setAlarm(.lastLook, after: CreativeMachine.lastLookTime)]
        case .look:
            self.farewell += farewell
            return taps + [.setAlarm(.lastLook, after: CreativeMachine.lastLookTime)] + self.lookNow(at: now)
        }
    }

    /// Decides from the checks so far.
    mutating func closeLooks() -> [StageOutput] {
        guard self.blank.isUndecided else { return [] }
        self.blank.close()
        return self.decided()
    }

    /// Ends the checks without a verdict.
    mutating func endLooks() -> [StageOutput] {
        guard self.blank.isUndecided else { return [] }
        self.blank.end()
        return self.decided()
    }

    /// The outputs when the checks are over; none while a verdict is pending.
    private mutating func decided() -> [StageOutput] {
        guard !self.blank.isUndecided else { return [] }
        defer { self.farewell = [] }
        let blank: [StageOutput] =
            self.blank.verdict == .blank ? [.report(.diagnostic(.blank(self.policy.blankCreative)))] : []
        return blank + [.settled] + self.farewell
    }

    /// How long each step of a check may take.
    private static let lookTime = Duration.seconds(2)
    /// How long the creative may take to return its failed images.
    private static let imagesTime = Duration.milliseconds(500)
    /// How long a close waits for the final check.
    private static let lastLookTime = Duration.milliseconds(300)
}

/// One step of a blank check.
package enum LookStep: Hashable, Sendable {
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
