import AdCore

// Whether anything of the creative is visible: pictures of its place, counted by our page.

extension CreativeMachine {
    /// The ad is on screen.
    mutating func startLooks(at now: Duration) -> [StageOutput] {
        self.blank.reveal(at: now).map { [.setAlarm(.look, after: $0)] } ?? []
    }

    /// A look is due.
    mutating func look(at now: Duration) -> [StageOutput] {
        self.blank.start() ? self.lookNow(at: now) : []
    }

    private mutating func lookNow(at now: Duration) -> [StageOutput] {
        guard self.mraid.host.layout == .slot else { return self.endLooks() }
        guard self.lastRatio.map({ $0 > 0 }) ?? true else { return self.handle(BlankDetector.Look.none, at: now) }
        return self.query("yabbiSlot()", .place)
    }

    /// Asks our page for the next step.
    private func query(_ script: String, _ step: LookStep) -> [StageOutput] {
        guard let hostPage else { return [] }
        return [.query(hostPage.evaluation(script), .look(step), within: CreativeMachine.lookTime)]
    }

    /// The next step of a look: where the creative's place is, which of its images failed, a picture of the screen, and how
    /// many pixels of the place differ from the empty place.
    mutating func look(
        _ step: LookStep,
        _ reply: Result<EngineReply, EngineFault>,
        at now: Duration
    ) -> [StageOutput] {
        // A creative that does not reply can't keep the picture from being made.
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
            return self.query("yabbiLook(\(AdJSON.string(data).text()), \(images))", .count)
        case .count:
            let count = reply.value.number.flatMap { Int(exactly: $0) }
            return self.handle(count.map { .pixels($0) } ?? BlankDetector.Look.none, at: now)
        }
    }

    private func picture(without failed: [FailedImage]) -> [StageOutput] {
        // The whole screen, without a clip: for a clip Chromium moves the page for a moment, and a press in that moment lands
        // somewhere else.
        let picture = EngineCommand.capture(EngineCapture(isFast: true), in: self.page)
        return [.query(picture, .look(.picture(without: failed)), within: CreativeMachine.lookTime)]
    }

    private mutating func handle(_ look: BlankDetector.Look, at now: Duration) -> [StageOutput] {
        let pause = self.blank.handle(look, at: now)
        return (pause.map { [.setAlarm(.look, after: $0)] } ?? []) + self.decided()
    }

    /// The ad is about to leave the screen, which `farewell` reports: what is undecided is decided first, after a last look
    /// where there is time for one.
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

    /// There is no time for another look.
    mutating func closeLooks() -> [StageOutput] {
        guard self.blank.isUndecided else { return [] }
        self.blank.close()
        return self.decided()
    }

    /// What can be seen is no longer the creative in its place.
    mutating func endLooks() -> [StageOutput] {
        guard self.blank.isUndecided else { return [] }
        self.blank.end()
        return self.decided()
    }

    /// What follows when it is decided.
    private mutating func decided() -> [StageOutput] {
        guard !self.blank.isUndecided else { return [] }
        defer { self.farewell = [] }
        let blank: [StageOutput] =
            self.blank.verdict == .blank ? [.report(.diagnostic(.blank(self.policy.blankCreative)))] : []
        return blank + [.settled] + self.farewell
    }

    /// How long each step of a look may take.
    private static let lookTime = Duration.seconds(2)
    /// How long the creative may take to find its failed images.
    private static let imagesTime = Duration.milliseconds(500)
    /// How long an ad that is closed waits for its last look.
    private static let lastLookTime = Duration.milliseconds(300)
}

/// One step of a look at the creative's place.
package enum LookStep: Hashable, Sendable {
    case place, images, count
    case picture(without: [FailedImage])
}

/// Where an image of the creative did not load, and a browser shows a frame and an icon instead.
///
/// Neither is something of the creative; an alternative text is, and such an image is none of these.
package struct FailedImage: Hashable, Sendable {
    /// The image, in the creative's points.
    private let place: MRAIDRect
    /// How much of its own border and padding lies around what the browser shows.
    private let inset: Double
    /// How large a point of it is: a creative may enlarge what it shows.
    private let scale: Double

    /// Reads what the creative's script returned: no more than `limit` of them, and finite numbers only.
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
