import AdCore

/// How one frame of a measured creative moves, as `motion.js` tells.
///
/// All times are of the clock that frames share.
package struct FrameMotion: Hashable, Sendable {
    /// The frame's own number.
    let frame: String
    /// The start of its document; nil if unknown.
    let start: Duration?
    /// The declared end of its animations; nil for none.
    let animationEnd: Duration?
    /// Whether an animation has no end.
    let isEndless: Bool
    let nodes: Int
    /// When it was told.
    let now: Duration
    /// The user's first press in it.
    let pressed: Duration?

    /// Reads a message; nil if it is something else.
    init?(_ facts: AdJSON) {
        func time(_ name: String) -> Duration? {
            facts[name]?.number.flatMap { (0...1e14).contains($0) ? .seconds($0 / 1000) : nil }
        }
        guard let frame = facts["frame"]?.string, let now = time("now") else { return nil }
        self.frame = frame.excerpt(20)
        self.now = now
        self.start = time("start")
        self.animationEnd = time("end")
        self.isEndless = facts["endless"] == true
        self.nodes = facts["nodes"]?.number.flatMap { Int(exactly: $0) }.map { min(max($0, 0), 1 << 30) } ?? 0
        self.pressed = time("pressed")
    }
}
