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
    ///
    /// A measured one also gets `calls.js` and `motion.js`.
    static func creative(_ target: EngineTarget, hasDocument: Bool = false, isMeasured: Bool) -> [StageOutput] {
        let script = EngineScript(Scripts.creative, isHost: false, runsNow: hasDocument)
        let own = [StageOutput.send(.addChannel(.creative, in: target)), .send(.addScript(script, in: target))]
        return self.guarded(target, hasDocument: hasDocument) + own
            + (isMeasured ? self.measuring(target, hasDocument: hasDocument) : [])
    }

    private static func measuring(_ target: EngineTarget, hasDocument: Bool) -> [StageOutput] {
        [
            .send(.startMeasuring(target)), .send(.addChannel(.calls, in: target)),
            .send(.addScript(EngineScript(Scripts.calls, isHost: false, runsNow: hasDocument), in: target)),
            .send(.addScript(EngineScript(Scripts.motion, isHost: true, runsNow: hasDocument), in: target)),
        ]
    }
}
