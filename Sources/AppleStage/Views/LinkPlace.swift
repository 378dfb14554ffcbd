import AdCore

/// Where an app opens a click-through URL.
enum LinkPlace: Hashable, Sendable {
    /// A sheet with Safari, over the app.
    case sheet
    /// The system, which chooses the browser, the store or another app.
    case system
    /// Nowhere; the runtime tries the next mode, or the click stays without a page.
    case nowhere

    /// Chooses the place for a mode.
    ///
    /// A sheet needs a controller that can present it. Safari's own controller takes http and https only, and ends the app
    /// if it is given another scheme.
    init(_ url: ClickThroughURL, _ mode: LinkOpenMode, hasPresenter: Bool) {
        switch mode {
        case .systemBrowser: self = .system
        case .inApp where !url.isWeb: self = .system
        case .inApp: self = hasPresenter ? .sheet : .nowhere
        }
    }
}
