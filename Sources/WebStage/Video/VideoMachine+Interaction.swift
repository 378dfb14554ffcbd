import AdCore

// What an interactive creative does to the ad: its length, and its place on the screen (SIMID 1.2).

extension VideoMachine {
    // MARK: The ad's length

    /// The video has ended: the ad does, too, unless the creative has extended it (SIMID 1.2 §6.10).
    mutating func videoEnded(_ report: [StageOutput], at now: Duration) -> [StageOutput] {
        let ended = self.notifyInteractive(media: "ended", at: now)
        let rest = self.extensionTime
        // What is wrong with the creative is reported before the next spot.
        guard rest > .zero else { return ended + self.endInteractive(.stopped(2), at: now) + report }
        self.interaction.isExtended = true
        return ended + [.report(.video(.extended, spot: self.player.spot))] + self.extensionAlarm(after: rest)
    }

    /// How much longer than its video the ad is.
    var extensionTime: Duration {
        switch self.interaction.length {
        case .video: .zero
        case .until(let end): (end - (self.player.length ?? end)) / self.player.options.rate
        case .open: SIMIDSession.maxExtension / self.player.options.rate
        }
    }

    mutating func extensionAlarm(after rest: Duration) -> [StageOutput] {
        self.interaction.alarm += 1
        return [.setAlarm(.interactive(.extended(self.player.spot, self.interaction.alarm)), after: rest)]
    }

    /// The ad is over, some time after its video.
    mutating func endExtension(_ code: Int, at now: Duration) -> [StageOutput] {
        guard self.interaction.isExtended else { return [] }
        self.interaction.isExtended = false
        return [.report(.video(.completed, spot: self.player.spot))] + self.endInteractive(.stopped(code), at: now)
    }

    /// Handles an alarm about the creative of the current spot.
    mutating func interactiveAlarm(_ alarm: InteractiveAlarm, at now: Duration) -> [StageOutput] {
        let actions: [SIMIDSession.Action]
        switch alarm {
        case .session(self.player.spot): actions = self.simid?.handle(.session) ?? []
        case .initialization(self.player.spot): actions = self.simid?.handle(.initialization) ?? []
        case .start(self.player.spot): actions = self.simid?.handle(.start) ?? []
        case .farewell(self.player.spot): actions = self.simid?.handle(.farewell) ?? []
        case .extended(self.player.spot, self.interaction.alarm):
            return self.endExtension(self.interaction.length == .open ? 3 : 2, at: now)
        case .paused(self.player.spot, self.interaction.alarm): return self.resumeForCreative(at: now)
        case .session, .initialization, .start, .farewell, .extended, .paused: return []
        }
        return self.execute(actions, at: now)
    }

    /// Pauses the video for the creative, for a limited time in sum.
    mutating func pauseForCreative(at now: Duration) -> [StageOutput] {
        let rest = SIMIDSession.maxExtension - self.interaction.paused
        guard rest > .zero, self.interaction.pausedSince == nil else { return [] }
        self.interaction.pausedSince = now
        self.interaction.alarm += 1
        return self.execute(self.player.setPausedByCreative(true, at: now), at: now)
            + [.setAlarm(.interactive(.paused(self.player.spot, self.interaction.alarm)), after: rest)]
    }

    mutating func resumeForCreative(at now: Duration) -> [StageOutput] {
        guard let since = self.interaction.pausedSince else { return [] }
        self.interaction.pausedSince = nil
        self.interaction.paused += now - since
        // A fallback image goes on covering the video until the user closes it.
        guard !self.isFallbackShown else { return [] }
        return self.execute(self.player.setPausedByCreative(false, at: now), at: now)
    }

    // MARK: Size

    /// The place of the whole video on the screen.
    var wholeBox: PartBox? {
        PartLayout(geometry: self.shownGeometry)
            .box(VideoPart(.html(HTMLCreative(markup: "", document: ""))), as: .interactive)
    }

    /// The creative's place on the screen; nil for a nonlinear one in its own place.
    var interactiveBox: PartBox? {
        self.interaction.box ?? (self.player.isOverlay && !self.interaction.isExpanded ? nil : self.wholeBox)
    }

    mutating func setVolumeForCreative(_ volume: Double, _ isMuted: Bool, at now: Duration) -> [StageOutput] {
        let before = (self.player.volume, self.player.isMuted)
        let outputs = self.execute(self.player.setVolume(volume, isMuted: isMuted), at: now)
        guard before.0 != self.player.volume, before.1 == self.player.isMuted else { return outputs }
        let state: AdJSON = ["volume": .double(volume), "muted": .bool(self.player.isMuted)]
        let event = self.volumeEvent
        return outputs + self.notifyInteractive(media: "volumechange", state, at: now)
            + (self.omid?.send(event, at: now) ?? [])
    }

    mutating func resizeForCreative(_ media: MRAIDRect, _ creative: MRAIDRect) -> [StageOutput] {
        guard let number = self.interactiveFrame, let whole = self.wholeBox else { return [] }
        let box = PartBox(
            left: whole.left + creative.x,
            top: whole.top + creative.y,
            size: creative.size,
            scale: 1
        )
        self.interaction.box = box
        let video: AdJSON = [
            "left": .double(media.x), "top": .double(media.y), "width": .double(media.width),
            "height": .double(media.height),
        ]
        return self.run("yabbiPartBox(\(number), \(box.json.text()))") + self.run("yabbiVideoBox(\(video.text()))")
    }

    /// Expands a nonlinear ad over the whole video, or collapses it again.
    mutating func setExpanded(_ isExpanded: Bool) -> [StageOutput] {
        guard let number = self.interactiveFrame, let frame = self.parts[number] else { return [] }
        self.interaction.isExpanded = isExpanded
        self.interaction.box = nil
        let layout = PartLayout(geometry: self.shownGeometry)
        guard let box = self.interactiveBox ?? layout.box(frame.part, as: .overlay) else { return [] }
        let interaction: VideoInteraction = isExpanded ? .expand : .collapse
        return self.run("yabbiPartBox(\(number), \(box.json.text()))") + [
            .report(.video(.interacted(interaction), spot: self.player.spot))
        ]
    }
}
