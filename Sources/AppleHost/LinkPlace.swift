import AdCore

/// A place in which an app opens a click-through URL.
enum LinkPlace: Hashable, Sendable {
    /// The App Store's page of an app, over this app.
    case store(StoreProduct)
    /// Safari, over this app.
    case safari
    /// The system, which chooses the browser, the App Store or another app.
    case system

    /// The places for a link, in the order in which they are tried.
    ///
    /// Safari over the app takes http and https only, and ends the app if it is given another scheme.
    static func places(for link: ClickThroughURL, _ mode: LinkOpenMode) -> [LinkPlace] {
        guard mode == .inApp else { return [.system] }
        let store = StoreProduct(link).map { [LinkPlace.store($0)] } ?? []
        return store + [link.isWeb ? .safari : .system]
    }
}
