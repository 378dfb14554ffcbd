import AdCore

/// The page of a stage: pictures, presses, and evaluations of scripts.
extension BrowserStage {
    /// A picture of what is on screen, with as many pixels as the screen has.
    ///
    /// An engine that a creative keeps busy makes none in time, and nothing waits longer for it.
    package func picture(
        _ format: PictureFormat = .png,
        within limit: Duration = .seconds(5)
    ) async throws(EngineFault) -> [UInt8] {
        let capture = EngineCapture(format: format, clip: self.plan.screen)
        let reply = try await self.engine.query(.capture(capture, in: self.page), within: limit)
        guard case .picture(let data) = reply, let bytes = Base64.bytes(data) else {
            throw .refused("it made no picture")
        }
        return bytes
    }

    /// The formats of pictures.
    package typealias PictureFormat = EngineCapture.Format

    // MARK: Presses

    /// Waits until what was changed in our page is on screen, as far as a page can know: some frames later.
    package func untilDrawn(within limit: Duration = EngineTime.limit) async throws(EngineFault) {
        let frames = """
            new Promise((go) => {
              let left = 4;
              const next = () => (left-- > 0 ? requestAnimationFrame(next) : go(0));
              next();
            })
            """
        let evaluation = EngineEvaluation(frames, self.machine.drawingWorld)
        _ = try await self.value(of: .evaluate(evaluation, in: self.page), within: limit)
    }

    /// Presses and releases at a place of the screen, as a user's finger or mouse does.
    func press(x: Double, y: Double) async throws(EngineFault) { _ = try await self.tryPress(x: x, y: y) }

    /// The same; false where no reply came within `limit`: what was sent arrives all the same, when the page can handle it.
    ///
    /// The three steps are sent without waiting for each other's replies, because a page that hangs in its first listener
    /// gives none.
    func tryPress(
        x: Double,
        y: Double,
        drawnWithin drawLimit: Duration = .seconds(1),
        within limit: Duration = .seconds(2)
    ) async throws(EngineFault) -> Bool {
        // What has just been drawn can be pressed only when the engine has its place; a page that never draws is pressed
        // nevertheless.
        try? await self.untilDrawn(within: drawLimit)
        self.engine.send(.mouse(.move, x: x, y: y, in: self.page))
        self.engine.send(.mouse(.press, x: x, y: y, in: self.page))
        return try await self.isExecuted(.mouse(.release, x: x, y: y, in: self.page), within: limit)
    }

    /// Taps with a finger: touch events come before mouse events, as on a phone.
    ///
    /// A creative that hangs replies to no touch; false then, and its press is reported all the same.
    func tap(_ place: ScreenPlace) async throws(EngineFault) -> Bool {
        try? await self.untilDrawn(within: .seconds(1))
        self.post(.tap(place))
        // A page that hangs in its first listener gives no reply, and the end of the touch does not wait for one.
        self.engine.send(.touchStart(x: place.x, y: place.y, in: self.page))
        return try await self.isExecuted(.touchEnd(self.page), within: .seconds(1))
    }

    /// Executes a command; false where no reply came in time.
    private func isExecuted(_ command: EngineCommand, within limit: Duration) async throws(EngineFault) -> Bool {
        do throws(EngineFault) {
            _ = try await self.engine.query(command, within: limit)
            return true
        } catch .late {
            return false
        }
    }

    // MARK: Evaluations

    /// Evaluates a script in our page; for tests and the scripted user.
    func evaluate(_ script: String) async throws(EngineFault) -> AdJSON {
        try await self.evaluate(script, in: self.page, within: EngineTime.limit)
    }

    /// The value of an evaluation; null where it threw.
    func value(
        of evaluation: EngineCommand,
        within limit: Duration = EngineTime.limit
    ) async throws(EngineFault) -> AdJSON {
        try await self.engine.query(evaluation, within: limit).value
    }

    /// Ends a process of the creative, its own where no other is given; for tests.
    func crash(_ target: EngineTarget? = nil) async throws(EngineFault) {
        guard let target = target ?? self.machine.creative else { throw .refused("there is no creative") }
        // A process that ends does not reply.
        self.engine.send(.terminate(target))
    }

    /// Evaluates a script among the creative's own scripts, which may have changed everything that it uses.
    func evaluate(
        inCreative script: String,
        within limit: Duration = .seconds(2)
    ) async throws(EngineFault) -> AdJSON {
        guard let target = self.machine.creative else { throw .refused("there is no creative") }
        return try await self.evaluate(script, in: target, within: limit)
    }

    /// Evaluates a script in a target of the creative.
    func evaluate(
        _ script: String,
        in target: EngineTarget,
        within limit: Duration = .seconds(20)
    ) async throws(EngineFault) -> AdJSON {
        try await self.value(of: .evaluate(EngineEvaluation(script), in: target), within: limit)
    }
}
