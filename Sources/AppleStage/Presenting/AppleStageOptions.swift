public import AdCore

/// How ads are shown in an app's views.
public struct AppleStageOptions: Hashable, Sendable {
    /// Servers on the device's network that creatives may request, as in `http://192.168.1.5:8080`; all others there are
    /// blocked.
    public var allowedHosts: [HTTPURL] = []
    /// The language of the captions that videos show from the start, as in `en`; nil for none until the user presses the
    /// button for them.
    public var captionLanguage: String?
    /// The texts of the controls.
    public var texts = ControlTexts()

    /// Creates the default options.
    public init() {}
}
