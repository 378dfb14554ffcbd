import AdCore
import EngineSupport
import WebStage

/// Chromium as an engine of `WebStage`.
extension Browser {
    /// The window of an unused page would be visible.
    var opensPagesAhead: Bool { !self.hasWindows }

    /// Makes a page in a browser context of its own.
    func makePage(on screen: Size, within limit: Duration) async throws(EngineError) -> ChromiumPage {
        let context = DevToolsCommand("Target.createBrowserContext", ["disposeOnDetach": true])
        let made = try await self.call(context, within: limit)
        guard let context = made["browserContextId"]?.string else { throw .refused("it returned no browser context") }
        do throws(EngineError) {
            return try await self.makePage(in: context, on: screen, within: limit)
        } catch {
            self.post(ChromiumPage.disposeCommand(context))
            throw error
        }
    }

    private func makePage(
        in context: String,
        on screen: Size,
        within limit: Duration
    ) async throws(EngineError) -> ChromiumPage {
        let wanted: AdJSON = [
            "url": "about:blank", "browserContextId": .string(context), "width": .double(screen.width),
            "height": .double(screen.height),
        ]
        let made = try await self.call(DevToolsCommand("Target.createTarget", wanted), within: limit)
        guard let frame = made["targetId"]?.string else { throw .refused("it returned no page") }
        let attached = try await self.call(
            DevToolsCommand("Target.attachToTarget", ["targetId": .string(frame), "flatten": true]),
            within: limit
        )
        guard let session = attached["sessionId"]?.string else { throw .refused("it returned no page") }
        let downloads: AdJSON = ["behavior": "deny", "browserContextId": .string(context), "eventsEnabled": true]
        self.post(DevToolsCommand("Browser.setDownloadBehavior", downloads))
        let window = self.hasWindows ? try await BrowserWindow.find(ofPage: frame, in: self) : nil
        if let window { self.post(window.resizing(to: screen)) }
        return ChromiumPage(
            in: self,
            context: context,
            target: DevToolsSession(name: session),
            frame: frame,
            window: window
        )
    }

    static func explanation(of error: String) -> String? {
        guard error.contains("Missing X server") else { return nil }
        return "the browser could not open a window: the X server that DISPLAY names can't be reached or denies "
            + "access; run this in a desktop session, under xvfb-run, or without a window"
    }
}
