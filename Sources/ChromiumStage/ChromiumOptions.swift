package import WebStage

/// How the browser is started and used.
public struct ChromiumOptions: Hashable, Sendable {
    /// Which servers can be reached.
    public enum Network: Hashable, Sendable {
        /// All servers except those on this computer and its local network.
        case open
        /// No servers: only what the stage itself answers.
        case closed
    }

    /// The path of the browser; nil to search the usual locations.
    public var path: String?
    /// Whether each ad has a visible window.
    public var hasWindows = false
    /// Whether the browser's sandbox is on; without it, code that breaks out of a page has all rights of this process.
    public var isSandboxed = true
    /// Which servers can be reached.
    public var network = Network.open
    /// The number of screen pixels per point, from 1 to 4.
    ///
    /// Creatives see it as `devicePixelRatio`, and choose their images by it. A visible window is scaled by it.
    public var scale = 1.0
    /// The language of the captions that videos show from the start, as in `en`; nil for none until the user presses the
    /// button for them.
    ///
    /// Give it if the system's captions are on. The presenter needs a transport, which fetches the files.
    public var captionLanguage: String?
    /// The playback rate of videos, up to 16; for tests.
    public var speed = 1.0
    /// Whether pages can reach 127.0.0.1; for tests of pages that are served there.
    package var reachesThisComputer = false
    /// When MRAID ads may expand or resize.
    package var expansionPolicy = MRAIDExpansionPolicy.afterGesture

    /// The default options: no window, sandboxed, any browser.
    public init() {}
}
