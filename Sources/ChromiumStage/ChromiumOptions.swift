package import WebStage

/// How the browser is started and used.
public struct ChromiumOptions: Hashable, Sendable {
    /// Which servers can be reached.
    public enum Network: Hashable, Sendable {
        /// Every server but those on this machine and its local network.
        case open
        /// None: only what the stage itself answers.
        case closed
    }

    /// The path of the browser; nil for one at its usual place.
    public var path: String?
    /// Whether it shows a window, for people.
    public var hasWindows = false
    /// Whether the browser's own sandbox is on; without it code that breaks out of a page can do everything that this process can.
    public var isSandboxed = true
    /// Which servers can be reached.
    public var network = Network.open
    /// How many pixels of the screen a point has in each direction, from 1 to 4.
    ///
    /// Creatives see it as `devicePixelRatio`, and choose their pictures by it. With a window all is that much larger.
    public var scale = 1.0
    /// How much faster than by the clock videos play, up to 16: for tests, which have no time to watch them.
    public var speed = 1.0
    /// When ads may make themselves larger.
    package var growth = MRAIDGrowth.afterGesture

    /// The usual: no window, sandboxed, any browser.
    public init() {}
}
