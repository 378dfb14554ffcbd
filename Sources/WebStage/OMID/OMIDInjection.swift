import AdCore

/// Injects `omid.js` into the frames of scripts that measure.
enum OMIDInjection {
    /// The commands for a frame before any script runs in it.
    ///
    /// `verification` is the vendor whose frame it is, with the scripts that are tried in order; nil for a frame of a
    /// creative, whose scripts have access to the ad itself.
    static func setup(
        _ target: EngineTarget,
        _ id: String,
        verification: VideoVerification? = nil,
        hasDocument: Bool = false
    ) -> [StageOutput] {
        let config: AdJSON = [
            "injectionId": .string(id),
            "scripts": verification.map { .array($0.scripts.map { .string($0.text) }) } ?? .null,
            "isFull": .bool(verification == nil),
        ]
        let script = Scripts.omid.replacing("CONFIG", with: config.text())
        return [
            .send(.addChannel(.omid, in: target)),
            .send(.addScript(EngineScript(script, isHost: false, runsNow: hasDocument), in: target)),
        ]
    }

    /// The document of a vendor's frame; `omid.js` loads the script into it.
    static let document =
        "<!doctype html><html><head><meta charset=\"utf-8\"><title>Verification</title></head><body></body></html>"
}
