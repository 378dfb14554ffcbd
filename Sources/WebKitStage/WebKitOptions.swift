package import WebStage

/// How WebKit is started and used.
public struct WebKitOptions: Hashable, Sendable {
    /// The path of the helper, `yabbi-webkit`; nil to search beside this program.
    public var path: String?
    /// Whether each ad has a visible window.
    public var hasWindows = false
    /// Whether WebKit's sandbox is on; without it, code that breaks out of a page has all rights of this process.
    public var isSandboxed = true
    /// The number of screen pixels per point, from 1 to 4.
    ///
    /// Creatives see it as `devicePixelRatio`, and choose their images by it.
    public var scale = 1
    /// The time zone of creatives, as in `Europe/Berlin`; nil for that of this computer.
    public var timeZone: String?
    /// The language of the captions that videos show from the start, as in `en`; nil for none until the user presses the
    /// button for them.
    public var captionLanguage: String?
    /// The playback rate of videos, up to 16; for tests.
    public var speed = 1.0
    /// When MRAID ads may expand or resize.
    package var expansionPolicy = MRAIDExpansionPolicy.afterGesture

    /// The default options: no window, the helper beside this program.
    public init() {}
}
