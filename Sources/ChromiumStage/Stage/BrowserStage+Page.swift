import AdCore

/// What is done with the page of a stage: pictures, presses, and questions to its scripts.
extension BrowserStage {
    /// A picture of what is on screen, with as many pixels as the screen has.
    ///
    /// A browser that is kept busy by a creative makes none in time, and nothing waits longer for it.
    package func picture(
        _ format: PictureFormat = .png,
        within patience: Duration = .seconds(5)
    ) async throws(DevToolsFault) -> [UInt8] {
        let screen = self.plan.screen
        var params: [JSON.Member] = [
            .init("format", .string(format.rawValue)),
            .init(
                "clip",
                [
                    "x": 0, "y": 0, "width": .double(screen.width), "height": .double(screen.height),
                    // After a picture of another scale, presses in frames that move land somewhere else.
                    "scale": 1,
                ]
            ),
        ]
        if format == .webp { params.append(.init("quality", 82)) }
        let answer = try await self.browser.call(
            DevToolsCommand("Page.captureScreenshot", .object(params), in: self.page),
            within: patience
        )
        guard let bytes = answer["data"]?.string.flatMap(Base64.bytes) else { throw .refused("it made no picture") }
        return bytes
    }

    /// The formats of pictures.
    package enum PictureFormat: String, Sendable {
        case png, webp
    }

    // MARK: Presses

    /// Waits until what was changed in our page is on screen, as far as a page can know: some frames later.
    package func untilDrawn(within patience: Duration = DevToolsPipe.patience) async throws(DevToolsFault) {
        let frames = """
            new Promise((go) => {
              let left = 4;
              const next = () => (left-- > 0 ? requestAnimationFrame(next) : go(0));
              next();
            })
            """
        let machine = self.machine
        _ = try await self.value(
            of: machine.evaluation(frames, in: self.page, world: machine.world),
            within: patience
        )
    }

    /// Presses and lets go at a place of the screen, as a user's finger or mouse does.
    func press(x: Double, y: Double) async throws(DevToolsFault) { _ = try await self.tryPress(x: x, y: y) }

    /// The same; false where no answer came within `patience`: what was sent arrives all the same, when the page can take it.
    ///
    /// The three movements are sent without waiting for each other's answers, because a page that hangs in its first
    /// listener gives none.
    func tryPress(
        x: Double,
        y: Double,
        drawnWithin drawing: Duration = .seconds(1),
        within patience: Duration = .seconds(2)
    ) async throws(DevToolsFault) -> Bool {
        // What has just been drawn is pressed only when the browser knows where it is; a page that never draws is pressed
        // nevertheless.
        try? await self.untilDrawn(within: drawing)
        func movement(_ type: String, buttons: Int) -> DevToolsCommand {
            let params: JSON = [
                "type": .string(type), "x": .double(x), "y": .double(y),
                "button": type == "mouseMoved" ? "none" : "left",
                "buttons": .int(buttons), "clickCount": type == "mouseMoved" ? 0 : 1,
            ]
            return DevToolsCommand("Input.dispatchMouseEvent", params, in: self.page)
        }
        self.browser.post(movement("mouseMoved", buttons: 0))
        self.browser.post(movement("mousePressed", buttons: 1))
        do {
            _ = try await self.browser.call(movement("mouseReleased", buttons: 0), within: patience)
            return true
        } catch .late {
            return false
        }
    }

    /// Taps with a finger: touch events come before mouse events, as on a phone.
    ///
    /// A creative that hangs answers no touch; false then, and its press is reported all the same.
    func tap(_ place: ScreenPlace) async throws(DevToolsFault) -> Bool {
        try? await self.untilDrawn(within: .seconds(1))
        self.put(.tap(place))
        func movement(_ type: String, _ points: JSON) -> DevToolsCommand {
            DevToolsCommand(
                "Input.dispatchTouchEvent",
                ["type": .string(type), "touchPoints": points],
                in: self.page
            )
        }
        // A page that hangs in its first listener gives no answer, and the end of the touch does not wait for one.
        self.browser.post(movement("touchStart", [["x": .double(place.x), "y": .double(place.y)]]))
        do throws(DevToolsFault) {
            _ = try await self.browser.call(movement("touchEnd", []), within: .seconds(1))
            return true
        } catch .late {
            return false
        }
    }

    // MARK: Questions

    /// Runs an expression in our page; for tests and the hand of a scripted user.
    func evaluate(_ expression: String) async throws(DevToolsFault) -> JSON {
        try await self.value(of: self.machine.evaluation(expression, in: self.page))
    }

    /// The value that an evaluation comes to.
    func value(
        of evaluation: DevToolsCommand,
        within patience: Duration = DevToolsPipe.patience
    ) async throws(DevToolsFault) -> JSON {
        try await self.browser.call(evaluation, within: patience)["result"]?["value"] ?? .null
    }

    /// Has a process of the creative crash, its own where no other is said; for tests.
    func crash(_ session: DevToolsSession? = nil) async throws(DevToolsFault) {
        guard let session = session ?? self.machine.creative else { throw .refused("there is no creative") }
        // Nobody answers any more.
        self.browser.post(DevToolsCommand("Page.crash", in: session))
    }

    /// Runs an expression among the creative's own scripts, which may have changed all that it uses.
    func evaluate(
        inCreative expression: String,
        within patience: Duration = .seconds(2)
    ) async throws(DevToolsFault) -> JSON {
        guard let session = self.machine.creative else { throw .refused("there is no creative") }
        return try await self.evaluate(expression, in: session, within: patience)
    }

    /// Runs an expression in one of the creative's frames.
    func evaluate(
        _ expression: String,
        in session: DevToolsSession,
        within patience: Duration = .seconds(20)
    ) async throws(DevToolsFault) -> JSON {
        try await self.value(of: self.machine.evaluation(expression, in: session), within: patience)
    }
}
