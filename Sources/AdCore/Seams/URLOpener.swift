/// Opens the click-through URL of an ad: in the system's browser or inside the app.
///
/// The runtime calls it once for each mode that a link may be opened in, in order, until one succeeds: for YABBI's ads
/// the system's browser first, and then a page inside the app if the device has no browser.
///
/// ```swift
/// struct Opener: URLOpener {
///     func open(_ url: ClickThroughURL, _ mode: LinkOpenMode) async -> Bool { mode == .systemBrowser }
/// }
/// ```
public protocol URLOpener: Sendable {
    /// Opens a URL in this mode; returns false if the device or the app can't.
    ///
    /// For `.inApp` the app shows a page with a close button over its own content.
    func open(_ url: ClickThroughURL, _ mode: LinkOpenMode) async -> Bool
}

/// An opener that can show the App Store's page of an app over the host.
package protocol StoreOpener: Sendable {
    /// Shows the page; returns false if it can't.
    func open(_ product: StoreProduct) async -> Bool
}

/// Where a link is opened.
public enum LinkOpenMode: String, Hashable, Sendable {
    /// The system's browser.
    case systemBrowser
    /// A page inside the app, with a close button.
    case inApp

    /// The modes to try for a link, in order.
    ///
    /// A page inside the app replaces a missing browser for web pages only; a link to a store or a telephone number has
    /// no second mode.
    package func ways(for link: ClickThroughURL) -> [LinkOpenMode] {
        switch self {
        case .systemBrowser where link.isWeb: [.systemBrowser, .inApp]
        case .systemBrowser, .inApp: [self]
        }
    }
}

/// The result of opening a click-through URL.
public enum LinkOpenResult: Hashable, Sendable {
    /// It was opened in this mode.
    case opened(LinkOpenMode)
    /// It could not be opened, or the opener did not respond in time.
    case notOpened

    /// Whether it was opened.
    public var isOpened: Bool { self.mode != nil }

    /// The mode in which it was opened; nil if it was not.
    public var mode: LinkOpenMode? {
        switch self {
        case .opened(let mode): mode
        case .notOpened: nil
        }
    }
}
