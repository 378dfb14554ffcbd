package import AdCore

/// A live view of the stage: pictures while it changes, and a user's inputs.
extension BrowserStage {
    /// A part of a gesture with a pointer.
    package enum PointerStep: String, Sendable, CaseIterable {
        case press, move, release
    }

    /// Calls a closure with a picture of the screen now and whenever it changes, `interval` apart at least.
    package func startPictures(
        _ pictures: EnginePictures,
        every interval: @escaping @Sendable () -> Duration = { .zero },
        _ handler: @escaping PictureHandler
    ) {
        let schedule = PictureSchedule(pictures, of: self.page)
        self.updatePictures { state in
            state = Pictures(schedule: schedule, interval: interval, handler: handler)
            return state?.schedule.start() ?? []
        }
    }

    /// Makes no more pictures.
    package func stopPictures() {
        self.updatePictures { state in
            defer { state = nil }
            return state?.schedule.stop() ?? []
        }
    }

    /// Whether the element of the creative at a position of the screen listens to touches.
    ///
    /// Without touch listeners the mouse is used: the engine dispatches its click at once, and a touch's click only
    /// when no double tap can follow.
    package func wantsTouch(at place: ScreenPoint) async -> Bool {
        self.post(.willTap)
        return await self.listensToTouches(at: place)
    }

    /// Sends a step of a gesture, by touch or by the mouse.
    package func point(_ step: PointerStep, at place: ScreenPoint, isTouch: Bool, isPressed: Bool) {
        let (x, y) = (place.x, place.y)
        switch (step, isTouch) {
        case (.press, true): self.engine.send(.touchStart(x: x, y: y, in: self.page))
        case (.move, true): if isPressed { self.engine.send(.touchMove(x: x, y: y, in: self.page)) }
        case (.release, true): self.engine.send(.touchEnd(self.page))
        case (.press, false):
            // The element under the pointer is known only after a move.
            self.engine.send(.mouse(.move, x: x, y: y, in: self.page))
            self.engine.send(.mouse(.press, x: x, y: y, in: self.page))
        case (.move, false): self.engine.send(.mouse(isPressed ? .drag : .move, x: x, y: y, in: self.page))
        case (.release, false): self.engine.send(.mouse(.release, x: x, y: y, in: self.page))
        }
    }

    /// Turns the mouse wheel.
    package func turnWheel(dx: Double, dy: Double, at place: ScreenPoint) {
        self.engine.send(.wheel(dx: dx, dy: dy, x: place.x, y: place.y, in: self.page))
    }

    /// Presses or releases a key.
    package func type(_ key: EngineKey) { self.engine.send(.key(key, in: self.page)) }

    /// Simulates a network from now on; nil for that of this computer.
    package func throttle(_ network: EngineNetwork?) { self.engine.send(.throttle(network, in: self.page)) }

    /// Sets the size of the screen.
    package func resize(to screen: Size) {
        let machine = self.machine
        self.setGeometry(machine.appGeometry.resized(to: screen, machine.plan.layout))
    }

    /// The markup of the creative's document now, as its own scripts see it; nil if it does not answer.
    package func document() async -> String? {
        guard let target = self.machine.creative else { return nil }
        let script = "document.documentElement.outerHTML.slice(0, 1048576)"
        return (try? await self.evaluate(script, in: target, within: .seconds(2)))?.string
    }
}
