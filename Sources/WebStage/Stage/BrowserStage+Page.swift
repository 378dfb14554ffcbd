import AdCore

/// Screenshots, input events and script evaluations.
extension BrowserStage {
    /// A screenshot with the screen's pixel size; throws if a busy engine takes longer than `limit`.
    package func screenshot(
        _ format: ScreenshotFormat = .jpeg,
        within limit: Duration = .seconds(5)
    ) async throws(EngineError) -> [UInt8] {
        let capture = EngineCapture(format: format, clip: self.plan.screen)
        let reply = try await self.engine.query(.capture(capture, in: self.page), within: limit)
        guard case .picture(let data) = reply, let bytes = Base64.bytes(data) else {
            throw .refused("it returned no screenshot")
        }
        return bytes
    }

    /// A picture of the creative without the app around it; nil if it is not on screen.
    ///
    /// For a part of the screen an engine may move the page for a moment, so nothing is pressed meanwhile.
    package func creativePicture(within limit: Duration = .seconds(3)) async -> [UInt8]? {
        let box = try? await self.engine.query(self.machine.clickable.box, within: limit).value.array?.compactMap(
            \.number
        )
        var capture = EngineCapture(format: .webp, clip: self.plan.screen)
        if let box, box.count >= 4, box[2] >= 1, box[3] >= 1 {
            capture.origin = ScreenPoint(x: max(0, box[0]), y: max(0, box[1]))
            capture.clip = Size(width: box[2], height: box[3])
        }
        guard case .picture(let data)? = try? await self.engine.query(.capture(capture, in: self.page), within: limit)
        else { return nil }
        return Base64.bytes(data)
    }

    /// The image format of a screenshot.
    package typealias ScreenshotFormat = EngineCapture.Format

    /// The number of frames of the video that were shown so far.
    package func shownFrames() async throws(EngineError) -> Int {
        let quality = """
            (() => {
              const { totalVideoFrames, droppedVideoFrames } = document.getElementById("video").getVideoPlaybackQuality();
              return totalVideoFrames - droppedVideoFrames;
            })()
            """
        return try await self.evaluate(quality).number.flatMap { Int(exactly: $0) } ?? 0
    }

    // MARK: Presses

    /// Waits for a few animation frames, so that changes of the host page are on screen.
    package func waitUntilDrawn(within limit: Duration = EngineTime.limit) async throws(EngineError) {
        let frames = """
            new Promise((resolve) => {
              let left = 4;
              const next = () => (left-- > 0 ? requestAnimationFrame(next) : resolve(0));
              next();
            })
            """
        let evaluation = EngineEvaluation(frames, self.machine.drawingWorld)
        _ = try await self.value(of: .evaluate(evaluation, in: self.page), within: limit)
    }

    /// Presses and releases the mouse at a position of the screen.
    func press(x: Double, y: Double) async throws(EngineError) { _ = try await self.tryPress(x: x, y: y) }

    /// Presses and releases the mouse; false if no reply comes within `limit`.
    ///
    /// The events are delivered later nevertheless.
    ///
    /// The three events are sent without waiting for replies, because a page that hangs in its first listener sends
    /// none.
    func tryPress(
        x: Double,
        y: Double,
        drawnWithin drawLimit: Duration = .seconds(1),
        within limit: Duration = .seconds(2)
    ) async throws(EngineError) -> Bool {
        // The engine needs the layout of what was just drawn; a page that never draws is pressed nevertheless.
        try? await self.waitUntilDrawn(within: drawLimit)
        self.engine.send(.mouse(.move, x: x, y: y, in: self.page))
        self.engine.send(.mouse(.press, x: x, y: y, in: self.page))
        return try await self.isExecuted(.mouse(.release, x: x, y: y, in: self.page), within: limit)
    }

    /// Taps with a finger: touch events come before mouse events, as on a phone (Pointer Events, Touch Events).
    ///
    /// False if the creative hangs; the press is reported nevertheless.
    func tap(_ place: ScreenPoint) async throws(EngineError) -> Bool {
        try? await self.waitUntilDrawn(within: .seconds(1))
        self.post(.tap(place))
        // Sent without waiting for a reply, because a page that hangs in its first listener sends none.
        self.engine.send(.touchStart(x: place.x, y: place.y, in: self.page))
        return try await self.isExecuted(.touchEnd(self.page), within: .seconds(1))
    }

    /// Executes a command; false if no reply comes in time.
    private func isExecuted(_ command: EngineCommand, within limit: Duration) async throws(EngineError) -> Bool {
        do throws(EngineError) {
            _ = try await self.engine.query(command, within: limit)
            return true
        } catch .late {
            return false
        }
    }

    // MARK: Evaluations

    /// Evaluates a script in the host page; for tests and the scripted user.
    func evaluate(_ script: String) async throws(EngineError) -> AdJSON {
        try await self.evaluate(script, in: self.page, within: EngineTime.limit)
    }

    /// The value of an evaluation; null if it threw.
    func value(
        of evaluation: EngineCommand,
        within limit: Duration = EngineTime.limit
    ) async throws(EngineError) -> AdJSON {
        try await self.engine.query(evaluation, within: limit).value
    }

    /// Ends the process of a target, by default the creative's; for tests.
    func crash(_ target: EngineTarget? = nil) async throws(EngineError) {
        guard let target = target ?? self.machine.creative else { throw .refused("there is no creative") }
        // A process that ends does not reply.
        self.engine.send(.terminate(target))
    }

    /// Evaluates a script in the creative's main world, where the creative may have replaced built-in functions.
    func evaluate(
        inCreative script: String,
        within limit: Duration = .seconds(2)
    ) async throws(EngineError) -> AdJSON {
        guard let target = self.machine.creative else { throw .refused("there is no creative") }
        return try await self.evaluate(script, in: target, within: limit)
    }

    /// Evaluates a script in a target of the creative.
    func evaluate(
        _ script: String,
        in target: EngineTarget,
        within limit: Duration = .seconds(20)
    ) async throws(EngineError) -> AdJSON {
        try await self.value(of: .evaluate(EngineEvaluation(script), in: target), within: limit)
    }
}
