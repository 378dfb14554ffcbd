import AdCore

// Messages of the host page, alarms, and events of an overlay's frame.

extension Player {
    // MARK: Messages

    /// Handles a message of `player.js`.
    mutating func handle(_ message: PlayerMessage, at now: Duration) -> [Step] {
        guard let download, message.number == download.number, self.load == .opening || self.load == .ready else {
            return []
        }
        switch message.event {
        case .canPlay(let hasPicture):
            guard self.load == .opening else { return [] }
            guard hasPicture else {
                return self.tryNextFile(
                    after: MediaError(code: 405, message: "\(self.address(download)) has no video track")
                )
            }
            return self.becomeReady(message.length ?? self.current.rules.duration, at: now)
        case .failed(let code, let text):
            let reason = text.isEmpty ? "the browser's error \(code)" : text
            return self.fail(405, "\(self.address(download)) can't be played: \(reason)")
        case .refused(let name):
            guard name == "NotAllowedError", !self.isMuted else {
                return self.fail(405, "\(self.address(download)) can't be played: \(name)")
            }
            self.isMuted = true
            return [.report(.muted(true)), .page(.play(isMuted: true))] + self.updateLabels()
        case .waiting, .stalled: return []
        case .playing, .moved, .paused, .ended:
            guard self.load == .ready else { return [] }
            return self.update(message, at: now)
        }
    }

    private mutating func update(_ message: PlayerMessage, at now: Duration) -> [Step] {
        switch message.event {
        case .playing:
            guard !self.isPlaying else { return [] }
            self.isPlaying = true
            self.lastProgress = now
            let first = !self.hasStarted
            self.hasStarted = true
            let report = Step.report(first ? .started(duration: self.length) : .resumed)
            return [report] + self.updateLabels() + (first ? self.prefetchNext() : [])
        case .moved: return self.hasStarted ? self.advance(to: message.position, at: now) : []
        case .paused:
            guard self.isPlaying else { return [] }
            let steps = self.advance(to: message.position, at: now)
            self.isPlaying = false
            return steps + [.report(.paused)]
        case .ended:
            var steps: [Step] = self.hasStarted ? [] : [.report(.started(duration: self.length))]
            steps += self.advance(to: self.length ?? message.position, at: now)
            self.load = .none
            (self.hasStarted, self.isPlaying, self.isPlayCommanded) = (true, false, false)
            return steps + [.report(.completed)] + self.updateLabels()
        case .canPlay, .failed, .refused, .waiting, .stalled: return []
        }
    }

    /// Advances to a position; a position before the current one is ignored, because the user can't seek.
    private mutating func advance(to position: Duration?, at now: Duration) -> [Step] {
        guard let position, position > self.position else { return [] }
        self.position = self.length.map { min($0, position) } ?? position
        self.lastProgress = now
        return [.report(.progressed(self.position))] + self.updateLabels()
    }

    private mutating func becomeReady(_ length: Duration?, at now: Duration) -> [Step] {
        self.load = .ready
        self.length = length.flatMap { $0 > .zero ? $0 : nil }
        var steps: [Step] = [.report(.loaded)]
        if !self.isReady {
            self.isReady = true
            steps.append(.ready)
        }
        return steps + self.updateLabels() + self.resumePlayback(at: now)
    }

    /// Handles a media file that can't be played, or stops playing.
    private mutating func fail(_ code: Int, _ text: String) -> [Step] {
        let error = self.networkError ?? MediaError(code: code, message: text)
        guard self.load == .ready else { return self.tryNextFile(after: error) }
        return self.unload(for: self.spot + 1) + [.report(.failed(vastCode: error.code, error.message))]
    }

    // MARK: Time

    /// Starts or resumes the current spot if it is ready and not paused.
    mutating func resumePlayback(at now: Duration) -> [Step] {
        guard self.isPlayCommanded, !self.isPausedByUser, !self.isPausedByCreative, self.load == .ready else {
            return []
        }
        self.lastProgress = now
        var steps: [Step] = []
        if self.isOverlay {
            guard !self.isPlaying else { return [] }
            self.isPlaying = true
            if self.isProgram { return [.program(isPlaying: true)] }
            steps = [.showOverlay, .report(self.hasStarted ? .resumed : .started(duration: self.length))]
            self.hasStarted = true
        } else {
            steps = [.page(.play(isMuted: self.isMuted))]
        }
        return steps + [self.scheduleCheck(after: self.isOverlay ? Player.step : Player.stallLimit)]
    }

    mutating func halt(at now: Duration) -> [Step] {
        guard self.isOverlay else { return self.load == .ready ? [.page(.pause)] : [] }
        if self.isProgram {
            guard self.isPlaying else { return [] }
            self.isPlaying = false
            return [.program(isPlaying: false)]
        }
        let steps = self.tick(at: now)
        guard self.isPlaying else { return steps }
        self.isPlaying = false
        return steps + [.report(.paused)]
    }

    /// Handles an alarm.
    mutating func handle(_ alarm: PlayerAlarm, at now: Duration) -> [Step] {
        switch alarm {
        case .fetch(let number):
            guard let download, download.number == number, self.load == .fetching else { return [] }
            return self.tryNextFile(after: MediaFetch.timeoutError(self.address(download)))
        case .opening(let number):
            guard let download, download.number == number, self.load == .opening else { return [] }
            let text = "\(self.address(download)) was not ready to play within \(Player.opening)"
            let late = !self.isStored ? MediaFetch.timeoutError(self.address(download)) : nil
            return self.tryNextFile(after: self.networkError ?? late ?? MediaError(code: 405, message: text))
        case .check(let number): return number == self.checkNumber ? self.checkProgress(at: now) : []
        case .part, .partOver: return []
        }
    }

    private mutating func scheduleCheck(after delay: Duration) -> Step {
        self.checkNumber += 1
        return .setAlarm(.check(self.checkNumber), after: delay)
    }

    /// Checks whether the video makes progress.
    private mutating func checkProgress(at now: Duration) -> [Step] {
        guard self.isPlayCommanded, !self.isPausedByUser, !self.isPausedByCreative, self.load == .ready else {
            return []
        }
        if self.isOverlay {
            let steps = self.tick(at: now)
            return self.isPlaying ? steps + [self.scheduleCheck(after: Player.step)] : steps
        }
        let rest = self.lastProgress + Player.stallLimit - now
        guard rest <= .zero, let download else { return [self.scheduleCheck(after: max(rest, Player.step))] }
        // A stored file does not depend on the network: 405. Otherwise 402, a timeout (VAST 4.3 §2.3.6.3).
        let code = !self.isStored ? 402 : 405
        return self.fail(code, "\(self.address(download)) stalled for \(Player.stallLimit)")
    }

    // MARK: Overlays

    /// Handles that the overlay is loaded, still hidden.
    mutating func overlayIsComplete(at now: Duration) -> [Step] {
        guard self.isOverlay, self.load == .opening else { return [] }
        let length =
            switch self.current.rules.form {
            case .overlay(let least): least
            // An interactive creative without a media file.
            case .linear: self.current.rules.duration
            }
        return self.becomeReady(length, at: now)
    }

    /// Handles an overlay that can't be shown, or has failed.
    mutating func overlayFailed(_ code: Int, _ text: String) -> [Step] {
        guard self.isOverlay, self.load != .none else { return [] }
        return self.unload() + [.report(.failed(vastCode: code, text))]
    }

    /// Advances the time of an overlay.
    private mutating func tick(at now: Duration) -> [Step] {
        guard self.isOverlay, self.isPlaying, now > self.lastProgress else { return [] }
        let passed = (now - self.lastProgress) * self.options.rate
        let steps = self.advance(to: self.position + passed, at: now)
        guard let length, self.position >= length else { return steps }
        (self.isPlaying, self.isPlayCommanded) = (false, false)
        // When the minimum duration of an overlay is over, the ad's rules decide when it closes.
        guard case .linear = self.current.rules.form else { return steps }
        self.load = .none
        return steps + [.report(.completed)]
    }
}
