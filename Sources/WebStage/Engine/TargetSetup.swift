/// What each target is sent before anything of a creative runs in it.
enum TargetSetup {
    /// A frame in which a user may do something: our script that proves gestures runs before the frame's first script, and
    /// in a document that exists already.
    static func guarded(_ target: EngineTarget, hasDocument: Bool = false) -> [StageOutput] {
        [
            .send(.observe(target)), .send(.addChannel(.gesture, in: target)),
            .send(.addScript(EngineScript(Scripts.gesture, isHost: true, runsNow: hasDocument), in: target)),
        ]
    }

    /// A frame of a creative: windows that it opens lead nowhere, and report where they would have led.
    static func creative(_ target: EngineTarget, hasDocument: Bool = false) -> [StageOutput] {
        self.guarded(target, hasDocument: hasDocument) + [
            .send(.addChannel(.creative, in: target)),
            .send(.addScript(EngineScript(Scripts.creative, isHost: false, runsNow: hasDocument), in: target)),
        ]
    }
}
