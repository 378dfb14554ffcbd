import AdCore

// Measuring an HTML creative for the scripts in it (OMID API 1.3).

extension CreativeMachine {
    /// Handles a message of a script in one of the creative's frames.
    mutating func handleMeasuring(_ message: EngineMessage, in target: EngineTarget?, at now: Duration) -> [StageOutput]
    {
        guard let target, self.frames.targets.contains(target), case .page(let frame)? = message.sender,
            let json = message.json(), let call = OMIDMessage(json)
        else { return [] }
        let window = OMIDWindow(target: target, frame: frame)
        let outputs = self.omid.handle(call, from: window, verification: nil, at: now)
        guard !self.isMeasuring, self.omid.isMeasuring else { return outputs }
        self.isMeasuring = true
        return outputs + self.run(Scripts.measure)
    }

    /// Tells the scripts of the view that was recorded, and of what happens around the ad.
    mutating func handle(_ notice: StageNotice, at now: Duration) -> [StageOutput] {
        switch notice {
        case .host(.covered(let isCovered)):
            self.updateGeometry(at: now) { $0.isCovered = isCovered } + self.exposureChanged()
        case .host(.background(let isThere)):
            self.updateGeometry(at: now) { $0.isInBackground = isThere } + self.exposureChanged()
        case .host(.obstructed(let views)):
            self.updateGeometry(at: now) { $0.setAppViews(views) } + self.exposureChanged()
        case .location(let location): self.handle(.location(location))
        case .host(.network), .linkNotOpened: []
        case .host(.volume(let percent)): self.handle(.volume(percent))
        // The recorded view is what OMID calls the impression of a display ad.
        case .tracked(let event): event.event == .view ? self.omid.sendImpression(at: now) : []
        }
    }

    mutating func updateGeometry(at now: Duration, _ change: (inout OMIDGeometry) -> Void) -> [StageOutput] {
        change(&self.geometry)
        return self.omid.update(self.geometry, at: now)
    }

    package var farewell: Duration { self.isMeasuring ? OMIDSession.farewell : .zero }

    var loadedEvent: OMIDEvent { OMIDEvent("loaded", self.omid.subject.types) }

    mutating func handleLate(_ event: EngineEvent, at now: Duration) -> [StageOutput]? {
        guard self.isMeasuring, event.target.map({ self.frames.targets.contains($0) }) == true else { return nil }
        switch event.kind {
        case .requestHeld(let request) where request.kind != .document: return self.applyRules(to: request, at: now)
        case .network: return self.policy.handle(event, fallback: self.creative, at: now)
        default: return nil
        }
    }
}
