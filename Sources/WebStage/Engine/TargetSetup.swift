/// The commands for a new target before it is resumed.
enum TargetSetup {
    /// Observes a frame, and injects `gesture.js` before the frame's first script or into its current document.
    static func guarded(_ target: EngineTarget, hasDocument: Bool = false) -> [StageOutput] {
        [
            .send(.observe(target)), .send(.addChannel(.gesture, in: target)),
            .send(.addScript(EngineScript(Scripts.gesture, isHost: true, runsNow: hasDocument), in: target)),
        ]
    }

    /// The same for a frame of a creative, with `creative.js`, which reports windows instead of opening them.
    static func creative(_ target: EngineTarget, hasDocument: Bool = false) -> [StageOutput] {
        self.guarded(target, hasDocument: hasDocument) + [
            .send(.addChannel(.creative, in: target)),
            .send(.addScript(EngineScript(Scripts.creative, isHost: false, runsNow: hasDocument), in: target)),
        ]
    }
}
