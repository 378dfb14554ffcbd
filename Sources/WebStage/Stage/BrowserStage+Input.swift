package import AdCore

/// A position on the screen, in points.
package struct ScreenPoint: Hashable, Sendable {
    package let x: Double
    package let y: Double

    fileprivate init?(_ json: AdJSON) {
        guard let pair = json.array, pair.count == 2, let x = pair[0].number, let y = pair[1].number else { return nil }
        self.x = x
        self.y = y
    }

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A button of the video player.
package enum PlayerButton: String, Sendable {
    /// Pauses the video, or resumes it.
    case pause
    /// Mutes or unmutes the video.
    case sound
    /// Shows the captions in the next language, or none.
    case captions
    /// Enters or leaves the full screen.
    case fullScreen = "full"
}

/// The time limits of a press on a control.
enum PressLimit {
    /// For each reply of the page.
    static let step = Duration.milliseconds(150)
    /// For the whole press, so that the ad closes within a second.
    static let total = Duration.milliseconds(600)
}

/// The input of a scripted user.
extension BrowserStage {
    /// The center of a control, after it was scrolled into view; nil if it is not shown.
    package func position(of control: StageControl) async -> ScreenPoint? {
        (try? await self.value(of: self.machine.place(of: control))).flatMap { ScreenPoint($0) }
    }

    /// The center of a button of the player; nil if it is not shown.
    package func position(of button: PlayerButton) async -> ScreenPoint? {
        let place = VideoMachine.place(ofElement: button.rawValue, in: self.page)
        return (try? await self.value(of: place)).flatMap { ScreenPoint($0) }
    }

    /// The center of the collapse button of a large ad; nil if it is not shown.
    package func placeToCollapse(within limit: Duration = .seconds(2)) async -> ScreenPoint? {
        guard let place = self.machine.placeOfCollapseButton else { return nil }
        return (try? await self.value(of: place, within: limit)).flatMap { ScreenPoint($0) }
    }

    /// Presses a control with a real mouse event; false if it is not shown.
    ///
    /// A creative can keep the engine and the host page busy. If the page does not report the press within
    /// `PressLimit.total`, the stage handles it, because closing an ad must not depend on the ad.
    package func press(_ control: StageControl) async -> Bool {
        guard self.isShown(control) else { return false }
        let deadline = ContinuousClock.now + PressLimit.total
        // The close button of a large ad is at its default position, so the ad is collapsed first.
        if control == .close, self.machine.isLarge, let place = await self.placeToCollapse(within: PressLimit.step) {
            await self.press(place, until: deadline, .collapsed)
        }
        let place = (try? await self.value(of: self.machine.place(of: control), within: PressLimit.step))
            .flatMap { ScreenPoint($0) }
        if let place { await self.press(place, until: deadline, .reported(control)) }
        if !self.isRequested(control), !self.engine.hasEnded { self.post(.pressed(control)) }
        return true
    }

    /// Presses, and waits for the effect until `deadline`.
    private func press(_ place: ScreenPoint, until deadline: ContinuousClock.Instant, _ condition: StageCondition) async
    {
        _ = try? await self.tryPress(
            x: place.x,
            y: place.y,
            drawnWithin: PressLimit.step,
            within: PressLimit.step
        )
        await self.wait(for: condition, within: max(.zero, deadline - .now))
    }

    /// Where the scripted user taps: the center of the first visible link, button or element with `onclick`; without
    /// one the center of the creative, or of its first visible element if the center is empty.
    package func clickPosition() async -> ScreenPoint? {
        let (box, inside) = self.machine.clickable
        guard let box = (try? await self.value(of: box))?.array?.compactMap(\.number), box.count >= 4 else {
            return nil
        }
        let scale = box.count > 4 && box[4] > 0 ? box[4] : self.plan.size.scale
        // The creative can forge the result; it is only a position within the creative.
        var link = [0, 0, box[2] / scale, box[3] / scale]
        if let inside,
            let found = try? await self.evaluate(Scripts.clickable, in: inside, within: .seconds(2)),
            let sides = found.array?.compactMap(\.number), sides.count == 4
        {
            link = sides
        }
        // A position on the host's close button is avoided.
        let button = await self.position(of: .close)
        let shares = [0.5, 0.25, 0.75, 0.08]
        let places = shares.map { share in
            ScreenPoint(
                x: box[0] + min(max(1, (link[0] + link[2] * share) * scale), box[2] - 1),
                y: box[1] + min(max(1, (link[1] + link[3] / 2) * scale), box[3] - 1)
            )
        }
        return places.first { place in
            button.map { abs($0.x - place.x) > 30 || abs($0.y - place.y) > 30 } ?? true
        } ?? places[0]
    }

    /// Taps or clicks a position, up to three times until a target reports the press: on a busy machine a press can
    /// come before the engine has the layout of what was drawn.
    ///
    /// It returns when the press has its outcome, or is quiet by the time of the creative's own timers: on a busy
    /// machine a link in a timer opens late.
    package func click(_ place: ScreenPoint) async throws(EngineError) {
        var hangs = false
        for _ in 0..<3 {
            let before = self.machine.gestures
            self.post(.willTap)
            let isTouch = await self.listensToTouches(at: place)
            hangs = try await !(isTouch ? self.tap(place) : self.pressCreative(place))
            // Without the creative's answer it is unknown whether it has got the press; a second one would be another.
            if !hangs { hangs = await !self.waitInCreative(for: .milliseconds(50)) }
            guard !hangs, let before, self.machine.gestures == before else { break }
        }
        if !hangs { _ = await self.waitInCreative(for: TapTracker.quietTime) }
        await self.wait(for: .tapsSettled)
    }

    /// Clicks the creative with the mouse; false if it hangs.
    private func pressCreative(_ place: ScreenPoint) async throws(EngineError) -> Bool {
        self.post(.tap(place))
        // A creative that does not reply hangs in a listener of this press.
        return try await self.tryPress(x: place.x, y: place.y, within: .seconds(1))
    }

    /// Whether the element at a position, or an ancestor, has touch listeners.
    ///
    /// On a phone a tap is a touch first, and some creatives listen only to touches. Without touch listeners the mouse
    /// is used: the engine dispatches its click at once, and a touch's click only when no double tap can follow.
    func listensToTouches(at place: ScreenPoint) async -> Bool {
        let (box, inside) = self.machine.clickable
        guard let inside, let box = (try? await self.value(of: box))?.array?.compactMap(\.number), box.count >= 4 else {
            return false
        }
        let scale = box.count > 4 && box[4] > 0 ? box[4] : max(self.plan.size.scale, 0.01)
        return await self.engine.listensToTouches(
            x: (place.x - box[0]) / scale,
            y: (place.y - box[1]) / scale,
            in: inside,
            within: .seconds(2)
        )
    }

    /// Waits for a timer of the creative, behind which are all its earlier tasks and shorter timers; false if it does
    /// not answer in time.
    private func waitInCreative(for time: Duration) async -> Bool {
        guard let target = self.machine.creative else { return true }
        let milliseconds = AdJSON.double((time / .milliseconds(1)).rounded()).text()
        let script = "new Promise((resolve) => setTimeout(resolve, \(milliseconds)))"
        do throws(EngineError) {
            _ = try await self.evaluate(script, in: target, within: time + .seconds(2))
            return true
        } catch {
            // The press may have replaced the document or ended the frame.
            if case .late = error { return false }
            return true
        }
    }

    /// The page's current markup; nil if it does not reply.
    package func markup() async -> String? {
        guard let target = self.machine.creative else { return nil }
        let script = "document.documentElement.outerHTML.slice(0, 1048576)"
        return (try? await self.evaluate(script, in: target, within: .seconds(2)))?.string
    }

    /// Clicks a position with the mouse.
    package func press(_ place: ScreenPoint) async throws(EngineError) {
        try await self.press(x: place.x, y: place.y)
    }

    /// Collapses a large ad with the collapse button.
    package func collapse() async throws(EngineError) {
        // A press can come before the button is on screen, and its effect takes time.
        for _ in 0..<10 {
            guard let place = await self.placeToCollapse() else { return }
            try await self.press(place)
            try await self.waitUntilDrawn()
        }
    }

    /// Scrolls the app so that the upper `points` of the creative are off-screen.
    package func scroll(by points: Double) async throws(EngineError) {
        let top =
            "document.getElementById(\"place\").getBoundingClientRect().top + scrollY + \(AdJSON.double(points).text())"
        _ = try await self.evaluate("scrollTo({ top: \(top), behavior: \"instant\" }), 0")
    }
}
