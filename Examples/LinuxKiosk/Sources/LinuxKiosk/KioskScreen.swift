import AdCore
import ChromiumStage
import WebKitStage
import YabbiAds

/// The browser that shows the ads.
enum KioskScreen: Sendable {
    case chromium(ChromiumPresenter)
    case webkit(WebKitPresenter)

    /// Creates a presenter; the browser starts with the first ad.
    ///
    /// - Parameters:
    ///   - options: The kiosk's options.
    ///   - transport: Sends the requests of WebKit's pages, and fetches videos.
    /// - Throws: `ChromiumError` or `WebKitError` if the browser is not installed.
    init(_ options: KioskOptions, transport: any Transport) throws {
        switch options.engine {
        case .chromium:
            var chromium = ChromiumOptions()
            chromium.hasWindows = options.isWindowed
            self = .chromium(
                try ChromiumPresenter(
                    chromium,
                    screen: options.screen,
                    allowedHosts: options.allowedHosts,
                    transport: transport
                )
            )
        case .webkit:
            var webkit = WebKitOptions()
            webkit.hasWindows = options.isWindowed
            self = .webkit(
                try WebKitPresenter(
                    webkit,
                    screen: options.screen,
                    allowedHosts: options.allowedHosts,
                    transport: transport
                )
            )
        }
    }

    /// What ads are shown on.
    var presenter: any Presenter {
        switch self {
        case .chromium(let presenter): presenter
        case .webkit(let presenter): presenter
        }
    }

    /// Ends the browser; returns when its processes and files are gone.
    func close() async {
        switch self {
        case .chromium(let presenter): await presenter.close()
        case .webkit(let presenter): await presenter.close()
        }
    }
}
