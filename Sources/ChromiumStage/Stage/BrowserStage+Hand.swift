package import AdCore

/// A place on the screen, in points.
package struct ScreenPlace: Hashable, Sendable {
    let x: Double
    let y: Double

    fileprivate init?(_ json: JSON) {
        guard let pair = json.array, pair.count == 2, let x = pair[0].number, let y = pair[1].number else { return nil }
        self.x = x
        self.y = y
    }

    fileprivate init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// What a user's hand does, where nobody sits before the screen.
extension BrowserStage {
    /// Where the middle of a control of ours is, brought into sight where it was scrolled away; nil where it is not shown.
    package func place(of control: StageControl) async -> ScreenPlace? { await self.place(ofElement: control.rawValue) }

    /// Where our button is that makes the ad small which has made itself large; nil where it is not.
    package func placeToCollapse() async -> ScreenPlace? { await self.place(ofElement: "collapse") }

    private func place(ofElement id: String) async -> ScreenPlace? {
        let script = """
            (() => {
              const control = document.getElementById("\(id)");
              if (control.getClientRects().length === 0) return null;
              control.scrollIntoView({ block: "nearest", behavior: "instant" });
              const { x, y, width, height } = control.getBoundingClientRect();
              return [x + width / 2, y + height / 2];
            })()
            """
        return (try? await self.evaluate(script)).flatMap(ScreenPlace.init)
    }

    /// Where somebody would click who is to click: on the first thing that looks as if it led somewhere, or in the middle.
    package func placeToClick() async -> ScreenPlace? {
        let slot = """
            (() => {
              const { x, y, width, height } = document.getElementById("slot").getBoundingClientRect();
              return [x, y, width, height];
            })()
            """
        guard let box = (try? await self.evaluate(slot))?.array?.compactMap(\.number), box.count == 4 else {
            return nil
        }
        let first = """
            (() => {
              for (const element of document.querySelectorAll("a[href], area[href], button, [onclick], [type=submit]")) {
                const { x, y, width, height } = element.getBoundingClientRect();
                if (width > 0 && height > 0) return [x + width / 2, y + height / 2];
              }
              return [innerWidth / 2, innerHeight / 2];
            })()
            """
        let scale = self.plan.size.scale
        // The creative's own word, which may be anything: it is only a place within it.
        let inside = (try? await self.evaluate(inCreative: first)).flatMap(ScreenPlace.init)
        let place = inside ?? ScreenPlace(x: box[2] / scale / 2, y: box[3] / scale / 2)
        return ScreenPlace(
            x: box[0] + min(max(1, place.x * scale), box[2] - 1),
            y: box[1] + min(max(1, place.y * scale), box[3] - 1)
        )
    }

    /// Presses and lets go.
    package func press(_ place: ScreenPlace) async throws(DevToolsFault) {
        try await self.press(x: place.x, y: place.y)
    }

    /// Makes small what has made itself large, as far as that can be done with our button.
    package func collapse() async throws(DevToolsFault) {
        // A press may come before the button is on screen, and what it does takes its time.
        for _ in 0..<10 {
            guard let place = await self.placeToCollapse() else { return }
            try await self.press(place)
            try await self.untilDrawn()
        }
    }

    /// Scrolls the app until so many points of the creative are out of sight.
    package func scroll(by points: Double) async throws(DevToolsFault) {
        let top =
            "document.getElementById(\"place\").getBoundingClientRect().top + scrollY + \(JSON.double(points).text())"
        _ = try await self.evaluate("scrollTo({ top: \(top), behavior: \"instant\" }), 0")
    }
}
