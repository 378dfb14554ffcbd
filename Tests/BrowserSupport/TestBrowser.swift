package import AdCore
import ChromiumStage
import LibC
import WebKitStage
package import WebStage

/// The browser of the tests that hold for every engine: Chromium, or WebKit if `YABBI_ENGINE` is `webkit`.
package struct TestBrowser {
    /// The engine of a test run.
    package enum Engine: Sendable {
        case chromium, webKit
    }

    /// The engine of this run.
    package static let engine: Engine =
        getenv("YABBI_ENGINE").map { String(cString: $0) } == "webkit" ? .webKit : .chromium

    /// Whether the engine is installed.
    package static var isInstalled: Bool {
        switch self.engine {
        case .chromium: ChromiumBinary.isInstalled
        case .webKit: HelperFiles.areBuilt
        }
    }

    /// The number of screen pixels per point.
    package var scale = 1.0
    /// The playback rate of videos.
    package var speed = 1.0
    /// When MRAID ads may expand or resize.
    package var expansionPolicy = MRAIDExpansionPolicy.afterGesture
    /// The path of the browser; nil for the installed one.
    package var path: String?

    /// A browser without network.
    package init() {}

    /// A presenter with a browser of its own, without network.
    package func presenter(
        _ settings: StageSettings = StageSettings(screen: Size(width: 390, height: 844)),
        notify: @escaping @Sendable (StageNotification, AdID) -> Void = { _, _ in }
    ) throws -> any BrowserPresenter {
        switch Self.engine {
        case .chromium:
            var options = ChromiumOptions()
            options.network = .closed
            options.scale = self.scale
            options.speed = self.speed
            options.expansionPolicy = self.expansionPolicy
            options.path = self.path
            return try ChromiumPresenter(options, settings, notify: notify)
        case .webKit:
            var options = WebKitOptions()
            options.scale = Int(self.scale)
            options.speed = self.speed
            options.expansionPolicy = self.expansionPolicy
            return try WebKitPresenter(options, settings, transport: NoNetwork(), notify: notify)
        }
    }

    /// A presenter with allowed hosts.
    package func presenter(
        allowedHosts: [HTTPURL] = [],
        transport: any Transport,
        notify: @escaping @Sendable (StageNotification, AdID) -> Void = { _, _ in }
    ) throws -> any BrowserPresenter {
        let screen = Size(width: 390, height: 844)
        let settings = StageSettings(screen: screen, allowedHosts: allowedHosts, transport: transport)
        return try self.presenter(settings, notify: notify)
    }
}

/// A network in which no server can be reached.
private struct NoNetwork: Transport {
    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        throw TransportError(.notSent(.nameNotResolved), "there is no network in this test")
    }
}
