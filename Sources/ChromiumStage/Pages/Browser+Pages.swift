import AdCore
import EngineSupport
import WebStage

/// Chromium as an engine of `WebStage`.
extension Browser {
    /// The window of an unused page would be visible.
    var opensPagesAhead: Bool { !self.hasWindows }

    /// Makes a page in a browser context of its own; with an address it is held before its first document.
    func makePage(at address: String?, on screen: Size, within limit: Duration) async throws(EngineError)
        -> ChromiumPage
    {
        let context = DevToolsCommand("Target.createBrowserContext", ["disposeOnDetach": true])
        let made = try await self.call(context, within: limit)
        guard let context = made["browserContextId"]?.string else { throw .refused("it returned no browser context") }
        do throws(EngineError) {
            return try await self.makePage(at: address, in: context, on: screen, within: limit)
        } catch {
            self.post(ChromiumPage.disposeCommand(context))
            throw error
        }
    }

    private func makePage(
        at address: String?,
        in context: String,
        on screen: Size,
        within limit: Duration
    ) async throws(EngineError) -> ChromiumPage {
        let wanted: AdJSON = [
            "url": .string(address ?? "about:blank"), "browserContextId": .string(context),
            "width": .double(screen.width), "height": .double(screen.height),
        ]
        let made = try await self.call(DevToolsCommand("Target.createTarget", wanted), within: limit)
        // The page is attached before the reply.
        guard let frame = made["targetId"]?.string, let session = self.takeSession(ofPage: frame) else {
            throw .refused("it returned no page")
        }
        if address == nil { self.post(DevToolsCommand("Runtime.runIfWaitingForDebugger", in: session)) }
        let downloads: AdJSON = ["behavior": "deny", "browserContextId": .string(context), "eventsEnabled": true]
        self.post(DevToolsCommand("Browser.setDownloadBehavior", downloads))
        let window = self.hasWindows ? try await BrowserWindow.find(ofPage: frame, in: self) : nil
        if let window { self.post(window.resizing(to: screen)) }
        return ChromiumPage(
            in: self,
            context: context,
            target: session,
            frame: frame,
            isHeld: address != nil,
            window: window
        )
    }

    static func explanation(of error: String) -> String? {
        guard error.contains("Missing X server") else { return nil }
        return "the browser could not open a window: the X server that DISPLAY names can't be reached or denies "
            + "access; run this in a desktop session, under xvfb-run, or without a window"
    }
}
