import AdCore

// What the page, the clock and an overlay's frame tell a player, and what follows from it.

extension Player {
    // MARK: News

    /// Our page tells something of the film.
    mutating func hear(_ news: PlayerNews, at now: Duration) -> [Step] {
        guard let order, news.number == order.number, self.load == .opening || self.load == .ready else { return [] }
        switch news.event {
        case .canPlay(let hasPicture):
            guard self.load == .opening else { return [] }
            guard hasPicture else {
                return self.giveUp(MediaFault(code: 405, message: "\(self.address(order)) holds no picture"))
            }
            return self.becomeReady(news.length ?? self.current.terms.duration, at: now)
        case .failed(let code, let text):
            let words = text.isEmpty ? "the browser's error \(code)" : text
            return self.fail(405, "\(self.address(order)) can't be played: \(words)")
        case .refused(let name):
            guard name == "NotAllowedError", !self.isMuted else {
                return self.fail(405, "\(self.address(order)) can't be played: \(name)")
            }
            self.isMuted = true
            return [.report(.muted(true)), .page(.play(isMuted: true))] + self.relabel()
        case .playing, .moved, .paused, .ended:
            guard self.load == .ready else { return [] }
            return self.take(news, at: now)
        }
    }

    private mutating func take(_ news: PlayerNews, at now: Duration) -> [Step] {
        switch news.event {
        case .playing:
            guard !self.isMoving else { return [] }
            self.isMoving = true
            self.movedAt = now
            let first = !self.hasStarted
            self.hasStarted = true
            let news = Step.report(first ? .started(duration: self.length) : .resumed)
            return [news] + self.relabel() + (first ? self.fetchAhead() : [])
        case .moved: return self.hasStarted ? self.advance(to: news.position, at: now) : []
        case .paused:
            guard self.isMoving else { return [] }
            let steps = self.advance(to: news.position, at: now)
            self.isMoving = false
            return steps + [.report(.paused)]
        case .ended:
            var steps: [Step] = self.hasStarted ? [] : [.report(.started(duration: self.length))]
            steps += self.advance(to: self.length ?? news.position, at: now)
            self.load = .none
            (self.hasStarted, self.isMoving, self.isWanted) = (true, false, false)
            return steps + [.report(.completed)] + self.relabel()
        case .canPlay, .failed, .refused: return []
        }
    }

    /// It has come so far; never back, because nobody can move it.
    private mutating func advance(to position: Duration?, at now: Duration) -> [Step] {
        guard let position, position > self.position else { return [] }
        self.position = self.length.map { min($0, position) } ?? position
        self.movedAt = now
        return [.report(.progressed(self.position))] + self.relabel()
    }

    private mutating func becomeReady(_ length: Duration?, at now: Duration) -> [Step] {
        self.load = .ready
        self.length = length.flatMap { $0 > .zero ? $0 : nil }
        var steps: [Step] = [.report(.loaded)]
        if !self.isReady {
            self.isReady = true
            steps.append(.ready)
        }
        return steps + self.relabel() + self.move(at: now)
    }

    /// The film can't be played, or not any further.
    private mutating func fail(_ code: Int, _ text: String) -> [Step] {
        let fault = self.trouble ?? MediaFault(code: code, message: text)
        guard self.load == .ready else { return self.giveUp(fault) }
        return self.leave(for: self.spot + 1) + [.report(.failed(vastCode: fault.code, fault.message))]
    }

    // MARK: Time

    /// Plays, where that is wanted and nothing stands in the way.
    mutating func move(at now: Duration) -> [Step] {
        guard self.isWanted, !self.isPausedByUser, self.load == .ready else { return [] }
        self.movedAt = now
        var steps: [Step] = []
        if self.isOverlay {
            guard !self.isMoving else { return [] }
            self.isMoving = true
            steps = [.showOverlay, .report(self.hasStarted ? .resumed : .started(duration: self.length))]
            self.hasStarted = true
        } else {
            steps = [.page(.play(isMuted: self.isMuted))]
        }
        return steps + [self.lookAgain(after: self.isOverlay ? Player.step : Player.stalling)]
    }

    mutating func stand(at now: Duration) -> [Step] {
        guard self.isOverlay else { return self.load == .ready ? [.page(.pause)] : [] }
        let steps = self.tick(at: now)
        guard self.isMoving else { return steps }
        self.isMoving = false
        return steps + [.report(.paused)]
    }

    /// The time is over that something was given.
    mutating func wake(_ alarm: PlayerAlarm, at now: Duration) -> [Step] {
        switch alarm {
        case .film(let number):
            guard let order, order.number == number, self.load == .fetching else { return [] }
            return self.giveUp(MediaFetch.late(self.address(order)))
        case .opening(let number):
            guard let order, order.number == number, self.load == .opening else { return [] }
            let text = "\(self.address(order)) was not ready to play within \(Player.opening)"
            let late = !self.isShelved ? MediaFetch.late(self.address(order)) : nil
            return self.giveUp(self.trouble ?? late ?? MediaFault(code: 405, message: text))
        case .look(let number): return number == self.looks ? self.look(at: now) : []
        case .part: return []
        }
    }

    private mutating func lookAgain(after delay: Duration) -> Step {
        self.looks += 1
        return .setAlarm(.look(self.looks), after: delay)
    }

    /// Looks whether what is to play does.
    private mutating func look(at now: Duration) -> [Step] {
        guard self.isWanted, !self.isPausedByUser, self.load == .ready else { return [] }
        if self.isOverlay {
            let steps = self.tick(at: now)
            return self.isMoving ? steps + [self.lookAgain(after: Player.step)] : steps
        }
        let rest = self.movedAt + Player.stalling - now
        guard rest <= .zero, let order else { return [self.lookAgain(after: max(rest, Player.step))] }
        // What is held by us does not wait for a network.
        let code = !self.isShelved ? 402 : 405
        return self.fail(code, "\(self.address(order)) stood still for \(Player.stalling)")
    }

    // MARK: Overlays

    /// The overlay is there, out of sight.
    mutating func overlayIsThere(at now: Duration) -> [Step] {
        guard self.isOverlay, self.load == .opening, case .overlay(let least) = self.current.terms.form else {
            return []
        }
        return self.becomeReady(least, at: now)
    }

    /// The overlay can't be shown, or not any longer.
    mutating func overlayFailed(_ code: Int, _ text: String) -> [Step] {
        guard self.isOverlay, self.load != .none else { return [] }
        return self.leave() + [.report(.failed(vastCode: code, text))]
    }

    /// Time has passed for an overlay.
    private mutating func tick(at now: Duration) -> [Step] {
        guard self.isOverlay, self.isMoving, now > self.movedAt else { return [] }
        let passed = (now - self.movedAt) * self.terms.rate
        let steps = self.advance(to: self.position + passed, at: now)
        guard let length, self.position >= length else { return steps }
        // When it has been there for long enough is for the ad to say.
        (self.isMoving, self.isWanted) = (false, false)
        return steps
    }
}
