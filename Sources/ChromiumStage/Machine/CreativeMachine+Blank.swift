import AdCore

// Whether anything of the creative is visible: pictures of its place, counted by our page.

extension CreativeMachine {
    /// The ad is on screen.
    mutating func beginLooks(at now: Duration) -> [StageOutput] {
        self.blank.reveal(at: now).map { [.setAlarm(.look, after: $0)] } ?? []
    }

    /// A look is due.
    mutating func look(at now: Duration) -> [StageOutput] {
        guard self.blank.begin() else { return [] }
        guard self.bridge.host.layout == .slot else { return self.endLooks() }
        guard self.lastRatio.map({ $0 > 0 }) ?? true else { return self.take(.none, at: now) }
        return [.ask(self.wrapper.call("yabbiSlot()"), .look(.place), within: CreativeMachine.lookTime)]
    }

    /// The next step of a look: where the creative's place is, a picture of it, what can be seen in the picture.
    mutating func look(_ step: LookStep, _ answer: Result<JSON, DevToolsFault>, at now: Duration) -> [StageOutput] {
        guard case .success(let answer) = answer else { return self.take(.none, at: now) }
        switch step {
        case .place:
            guard let rect = MRAIDRect(answer["result"]?["value"] ?? .null), rect.width >= 1, rect.height >= 1 else {
                return self.take(.none, at: now)
            }
            // The whole screen, without a clip: for a clip the browser moves the page for a moment, and a press in that moment
            // lands somewhere else.
            let params: JSON = ["format": "png", "optimizeForSpeed": true]
            let picture = DevToolsCommand("Page.captureScreenshot", params, in: self.page)
            return [.ask(picture, .look(.picture), within: CreativeMachine.lookTime)]
        case .picture:
            guard let data = answer["data"]?.string else { return self.take(.none, at: now) }
            let count = self.wrapper.call("yabbiLook(\(JSON.string(data).text()))")
            return [.ask(count, .look(.count), within: CreativeMachine.lookTime)]
        case .count:
            let count = answer["result"]?["value"]?.number.flatMap { Int(exactly: $0) }
            return self.take(count.map { .pixels($0) } ?? .none, at: now)
        }
    }

    private mutating func take(_ look: BlankDetector.Look, at now: Duration) -> [StageOutput] {
        let pause = self.blank.take(look, isLoading: self.watch.isLoading, at: now)
        return (pause.map { [.setAlarm(.look, after: $0)] } ?? []) + self.reportIfBlank()
    }

    /// The ad is about to leave the screen.
    mutating func closeLooks() -> [StageOutput] {
        guard self.blank.isUndecided else { return [] }
        self.blank.close()
        return self.reportIfBlank()
    }

    /// What can be seen is no longer the creative in its place.
    mutating func endLooks() -> [StageOutput] {
        guard self.blank.isUndecided else { return [] }
        self.blank.end()
        return [.settled]
    }

    private func reportIfBlank() -> [StageOutput] {
        guard !self.blank.isUndecided else { return [] }
        guard self.blank.verdict == .blank else { return [.settled] }
        return [.report(.diagnostic(.blank(self.watch.blankCreative))), .settled]
    }

    /// How long each step of a look may take.
    private static let lookTime = Duration.seconds(2)
}

/// One step of a look at the creative's place.
enum LookStep: Hashable, Sendable {
    case place, picture, count
}
