/// Opens the link of a click for the user: in the system's browser, or inside the app.
public protocol URLOpener: Sendable {
    /// Opens an address; returns false where nothing on the device can.
    func open(_ url: LandingURL, _ mode: OpenMode) async -> Bool
}

/// Where a link is opened.
public enum OpenMode: String, Hashable, Sendable {
    /// The user's own browser.
    case systemBrowser
    /// A page inside the app, with a close button.
    case inApp
}
