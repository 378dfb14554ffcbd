/// Opens the link of a click for the user: in the system's browser, or inside the app.
///
/// The runtime asks once for each way that a link may be opened, in order, until one succeeds: YABBI's ads ask for the
/// system's browser first, and for a page inside the app where the device has no browser.
///
/// ```swift
/// struct Opener: URLOpener {
///     func open(_ url: ClickThroughURL, _ mode: LinkOpenMode) async -> Bool { mode == .systemBrowser }
/// }
/// ```
public protocol URLOpener: Sendable {
    /// Opens an address in this way; returns false where the device, or the app, can't.
    ///
    /// For `.inApp` the app draws a page over its own content, with a close button that takes the page away.
    func open(_ url: ClickThroughURL, _ mode: LinkOpenMode) async -> Bool
}

/// Where a link is opened.
public enum LinkOpenMode: String, Hashable, Sendable {
    /// The user's own browser.
    case systemBrowser
    /// A page inside the app, with a close button.
    case inApp

    /// The ways in which a link is opened, in the order in which they are tried.
    ///
    /// A page inside the app stands in for a missing browser, and shows web pages only: a link to a store or to a
    /// telephone number has no second way.
    package func ways(for link: ClickThroughURL) -> [LinkOpenMode] {
        switch self {
        case .systemBrowser where link.isWeb: [.systemBrowser, .inApp]
        case .systemBrowser, .inApp: [self]
        }
    }
}

/// What became of a link that was given to the host's opener.
public enum LinkOpenResult: Hashable, Sendable {
    /// It was opened there.
    case opened(LinkOpenMode)
    /// Nothing could open it, or the opener did not answer in time.
    case notOpened

    /// Whether it was opened.
    public var isOpened: Bool { self.mode != nil }

    /// Where it was opened; nil where it was not.
    public var mode: LinkOpenMode? {
        switch self {
        case .opened(let mode): mode
        case .notOpened: nil
        }
    }
}
