import AdCore
import AdMarkup

// The captions of a spot, and the full screen.

extension VideoMachine {
    // MARK: Captions

    /// Offers the captions of the current spot, and shows those in the language that the user or the app has chosen.
    mutating func startCaptions() -> [StageOutput] {
        // A stage that fetches nothing has no captions.
        guard self.player.isStored else { return [] }
        let before = self.captions.end()
        self.captions = CaptionPlayer(self.player.current.captions)
        let steps = self.captions.start(in: self.captionLanguage) { self.player.newNumber() }
        return self.execute(before + steps)
    }

    mutating func endCaptions() -> [StageOutput] { self.execute(self.captions.end()) }

    /// The user pressed the button: the next language, or none after the last.
    mutating func toggleCaptions() -> [StageOutput] {
        let steps = self.captions.chooseNext { self.player.newNumber() }
        // The spots that follow start with the same language.
        self.captionLanguage = self.captions.language
        return self.execute(steps)
    }

    mutating func captionsFetched(_ number: Int, _ result: Result<CaptionTrack, MediaError>) -> [StageOutput] {
        let steps = self.captions.fetched(number, result) { self.player.newNumber() }
        return self.execute(steps)
    }

    private func execute(_ steps: [CaptionPlayer.Step]) -> [StageOutput] {
        steps.flatMap { step -> [StageOutput] in
            switch step {
            case .fetch(let download): return [.fetchCaptions(download)]
            case .drop(let number): return [.drop(number)]
            case .show(let track): return self.run("yabbiCaptions(\(track?.script.text() ?? "[]"))")
            case .observe(let activity): return [.observe(.captions(activity))]
            case .updateButton:
                guard let button = self.captions.button else { return self.run("yabbiCaptionButton(null, false)") }
                return self.run("yabbiCaptionButton(\(AdJSON.string(button.text).text()), \(button.isOn))")
            }
        }
    }

    // MARK: Visibility

    /// Reports the visible share of the video, without what views of the app cover.
    func reportVisible() -> [StageOutput] {
        guard let lastRatio, self.lifecycle.phase == .revealed else { return [] }
        let box = PartLayout(geometry: self.shownGeometry).video
        let place = MRAIDRect(x: box.left, y: box.top, width: box.size.width, height: box.size.height)
        return [.report(.visible(ratio: lastRatio * self.geometry.clearShare(of: place, on: self.plan.screen)))]
    }

    // MARK: Full screen

    /// The geometry of what is shown: the ad's own, or the whole screen.
    var shownGeometry: StageGeometry {
        guard self.isFullScreen else { return self.plan.geometry }
        let screen = self.plan.screen
        return StageGeometry(screen: screen, size: CreativeLayout(.adaptive, in: .fullScreen(screen)))
    }

    /// Whether the video fills the screen.
    var fillsScreen: Bool { self.isFullScreen || self.isAsLargeAsScreen }

    /// Whether the ad's own place is the whole screen, which it can neither leave nor enter.
    var isAsLargeAsScreen: Bool {
        let (size, screen) = (self.plan.size.rendered, self.plan.screen)
        return size.width >= screen.width - 0.5 && size.height >= screen.height - 0.5
    }

    /// Sets the size of the video, and its button for the full screen.
    func arrange() -> [StageOutput] {
        let size = self.shownGeometry.size.rendered
        let state = self.isAsLargeAsScreen ? "null" : "\(self.isFullScreen)"
        return self.run("yabbiLayout(\(AdJSON.double(size.width).text()), \(AdJSON.double(size.height).text()))")
            + self.run("yabbiFullScreenButton(\(state))")
    }

    /// Enters or leaves the full screen, as the user or the interactive creative asks.
    mutating func setFullScreen(_ isFull: Bool, at now: Duration) -> [StageOutput] {
        guard !self.isAsLargeAsScreen, isFull != self.isFullScreen else { return [] }
        self.isFullScreen = isFull
        return self.rearrange(at: now) + [.report(.video(.enlarged(isFull), spot: self.player.spot))]
    }

    /// Lays everything out again; what an interactive creative has moved is in its place again.
    mutating func rearrange(at now: Duration) -> [StageOutput] {
        let hasMoved = self.interaction.box != nil
        self.interaction.box = nil
        return (hasMoved ? self.run("yabbiVideoBox(null)") : []) + self.arrange() + self.arrangeParts()
            + self.interactiveResized(at: now) + self.reportVisible()
    }
}
