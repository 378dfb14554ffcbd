package import AdCore

/// A place on the screen, in points.
package struct ScreenPlace: Hashable, Sendable {
    let x: Double
    let y: Double

    fileprivate init?(_ json: AdJSON) {
        guard let pair = json.array, pair.count == 2, let x = pair[0].number, let y = pair[1].number else { return nil }
        self.x = x
        self.y = y
    }

    init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A button of our player.
package enum PlayerButton: String, Sendable {
    /// Pauses the video, or resumes it.
    case pause
    /// Switches the sound off, or on.
    case sound
}

/// How long a press on a control waits for the page.
enum PressLimit {
    /// For each answer of the page on the way.
    static let step = Duration.milliseconds(150)
    /// For all of it: the ad is over within a second of the press.
    static let whole = Duration.milliseconds(600)
}

/// The input of a scripted user.
extension BrowserStage {
    /// The middle of a control of ours, scrolled into view where it was scrolled away; nil where it is not shown.
    package func place(of control: StageControl) async -> ScreenPlace? {
        (try? await self.value(of: self.machine.place(of: control))).flatMap { ScreenPlace($0) }
    }

    /// The middle of a button of our player; nil where it is not shown.
    package func place(of button: PlayerButton) async -> ScreenPlace? {
        let place = VideoMachine.place(ofElement: button.rawValue, in: self.page)
        return (try? await self.value(of: place)).flatMap { ScreenPlace($0) }
    }

    /// The middle of our button that collapses a large ad; nil where it is not shown.
    package func placeToCollapse(within limit: Duration = .seconds(2)) async -> ScreenPlace? {
        // Other pages may have an element of that name that is not ours.
        guard self.machine is CreativeMachine else { return nil }
        let place = CreativeMachine.place(ofElement: "collapse", in: self.page)
        return (try? await self.value(of: place, within: limit)).flatMap { ScreenPlace($0) }
    }

    /// Presses a control as a user does; false where it is not shown.
    ///
    /// The press is the engine's own, and the page reports it. A creative may keep the engine and our page busy for as long
    /// as it likes: a press that the page has not reported within `PressLimit.whole` counts all the same, because
    /// whether an ad can be ended must not depend on the ad.
    package func press(_ control: StageControl) async -> Bool {
        guard self.isShown(control) else { return false }
        let deadline = ContinuousClock.now + PressLimit.whole
        // Behind a large ad the app's button waits in the ad's own place.
        if control == .close, self.machine.isLarge, let place = await self.placeToCollapse(within: PressLimit.step) {
            await self.press(place, until: deadline, .collapsed)
        }
        let place = (try? await self.value(of: self.machine.place(of: control), within: PressLimit.step))
            .flatMap { ScreenPlace($0) }
        if let place { await self.press(place, until: deadline, .reported(control)) }
        if !self.isRequested(control), !self.engine.hasEnded { self.post(.pressed(control)) }
        return true
    }

    /// Presses, and waits for the effect of the press until `deadline`.
    private func press(_ place: ScreenPlace, until deadline: ContinuousClock.Instant, _ condition: StageCondition) async
    {
        _ = try? await self.tryPress(
            x: place.x,
            y: place.y,
            drawnWithin: PressLimit.step,
            within: PressLimit.step
        )
        await self.wait(for: condition, within: max(.zero, deadline - .now))
    }

    /// Where the scripted user taps: the middle of the first link, button or element with an `onclick` that can be seen; where
    /// there is none, the middle of the creative, or of its first visible element where nothing lies in the middle.
    package func placeToClick() async -> ScreenPlace? {
        let (box, inside) = self.machine.clickable
        guard let box = (try? await self.value(of: box))?.array?.compactMap(\.number), box.count >= 4 else {
            return nil
        }
        let first = #"""
            (() => {
              // What looks like a button that closes the ad is pressed only where there is nothing else.
              const isWayOut = (element) =>
                /^close/i.test(element.getAttribute("aria-label") ?? "") || /^[x\u00d7\u2715]$/i.test(element.textContent.trim());
              const all = "a[*|href], area[href], button, [onclick], [type=submit], [data-dp]";
              const sides = ({ x, y, width, height }) => [x, y, width, height];
              // What lies at the middle of a box is the element, or in it: it is neither covered nor beside its own box.
              const isHit = (element, { x, y, width, height }) => {
                const top = width > 0 && height > 0 ? document.elementFromPoint(x + width / 2, y + height / 2) : null;
                return top !== null && (top === element || element.contains(top));
              };
              let first = null;
              const found = [...document.querySelectorAll(all)].slice(0, 200);
              for (const element of [...found.filter((each) => !isWayOut(each)), ...found.filter(isWayOut)]) {
                const whole = element.getBoundingClientRect();
                const inner = [...element.querySelectorAll("*")].slice(0, 50).map((each) => each.getBoundingClientRect());
                const box = [whole, ...element.getClientRects(), ...inner].find((box) => isHit(element, box));
                if (box) return sides(box);
                if (whole.width > 0 && whole.height > 0) first ??= sides(whole);
              }
              if (first) return first;
              const page = [0, 0, innerWidth, innerHeight];
              const roots = [null, document.documentElement, document.body];
              if (!roots.includes(document.elementFromPoint(innerWidth / 2, innerHeight / 2))) return page;
              for (const element of [...document.body.querySelectorAll("*")].slice(0, 500)) {
                const box = element.getBoundingClientRect();
                if (box.width > 9 && box.height > 9 && isHit(element, box)) return sides(box);
              }
              return page;
            })()
            """#
        let scale = box.count > 4 && box[4] > 0 ? box[4] : self.plan.size.scale
        // The creative's own word, which may be anything: it is only a place within it.
        var link = [0, 0, box[2] / scale, box[3] / scale]
        if let inside,
            let found = try? await self.evaluate(first, in: inside, within: .seconds(2)),
            let sides = found.array?.compactMap(\.number), sides.count == 4
        {
            link = sides
        }
        // A user who wants to click an ad does not press the button that ends it.
        let button = await self.place(of: .close)
        let shares = [0.5, 0.25, 0.75, 0.08]
        let places = shares.map { share in
            ScreenPlace(
                x: box[0] + min(max(1, (link[0] + link[2] * share) * scale), box[2] - 1),
                y: box[1] + min(max(1, (link[1] + link[3] / 2) * scale), box[3] - 1)
            )
        }
        return places.first { place in
            button.map { abs($0.x - place.x) > 30 || abs($0.y - place.y) > 30 } ?? true
        } ?? places[0]
    }

    /// Clicks what is shown; again where no target has reported the press, as a user would who saw nothing happen: on a busy
    /// machine a press may come before the engine has the place of what was drawn.
    package func click(_ place: ScreenPlace) async throws(EngineFault) {
        for _ in 0..<3 {
            let before = self.machine.gestures
            self.post(.reach)
            let isTouch = await self.listensToTouches(at: place)
            guard try await (isTouch ? self.tap(place) : self.pressCreative(place)) else { break }
            await self.untilHandled()
            guard let before, self.machine.gestures == before else { break }
        }
        await self.wait(for: .tapsSettled)
    }

    /// Presses the creative as a mouse does; false where it hangs.
    private func pressCreative(_ place: ScreenPlace) async throws(EngineFault) -> Bool {
        self.post(.tap(place))
        // What has not answered hangs in the press already.
        return try await self.tryPress(x: place.x, y: place.y, within: .seconds(1))
    }

    /// Whether what is at a place, or anything around it, listens to touches.
    ///
    /// On a phone a tap is a touch first, and some creatives listen to nothing else. Where none listens, a mouse presses: the
    /// engine makes a click of that at once, and of a touch only when no second tap can follow.
    private func listensToTouches(at place: ScreenPlace) async -> Bool {
        let (box, inside) = self.machine.clickable
        guard let inside, let box = (try? await self.value(of: box))?.array?.compactMap(\.number), box.count >= 4 else {
            return false
        }
        let scale = box.count > 4 && box[4] > 0 ? box[4] : max(self.plan.size.scale, 0.01)
        return await self.engine.listensToTouches(
            x: (place.x - box[0]) / scale,
            y: (place.y - box[1]) / scale,
            in: inside,
            within: .milliseconds(500)
        )
    }

    /// Waits a moment, in which the creative can handle a press; less where it replies sooner.
    private func untilHandled() async {
        guard let target = self.machine.creative else { return }
        let script = "new Promise((go) => setTimeout(go, 50))"
        _ = try? await self.evaluate(script, in: target, within: .milliseconds(500))
    }

    /// The page's markup, as it is now; nil where it can't be had.
    package func source() async -> String? {
        guard let target = self.machine.creative else { return nil }
        let script = "document.documentElement.outerHTML.slice(0, 1048576)"
        return (try? await self.evaluate(script, in: target, within: .seconds(2)))?.string
    }

    /// Presses and lets go.
    package func press(_ place: ScreenPlace) async throws(EngineFault) {
        try await self.press(x: place.x, y: place.y)
    }

    /// Makes small what has made itself large, as far as that can be done with our button.
    package func collapse() async throws(EngineFault) {
        // A press may come before the button is on screen, and what it does takes its time.
        for _ in 0..<10 {
            guard let place = await self.placeToCollapse() else { return }
            try await self.press(place)
            try await self.untilDrawn()
        }
    }

    /// Scrolls the app until so many points of the creative are out of sight.
    package func scroll(by points: Double) async throws(EngineFault) {
        let top =
            "document.getElementById(\"place\").getBoundingClientRect().top + scrollY + \(AdJSON.double(points).text())"
        _ = try await self.evaluate("scrollTo({ top: \(top), behavior: \"instant\" }), 0")
    }
}
