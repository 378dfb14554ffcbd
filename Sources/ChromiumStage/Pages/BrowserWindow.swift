import AdCore
import EngineSupport
import WebStage

/// The visible window of one page.
struct BrowserWindow: Hashable, Sendable {
    private let number: AdJSON

    /// Finds the window of a page.
    static func find(ofPage target: String, in browser: Browser) async throws(EngineError) -> BrowserWindow {
        let command = DevToolsCommand("Browser.getWindowForTarget", ["targetId": .string(target)])
        guard let number = try await browser.call(command)["windowId"] else { throw .refused("it returned no window") }
        return BrowserWindow(number: number)
    }

    /// The command that gives the window's content the size of the screen, as far as the desktop permits.
    func resizing(to screen: Size) -> DevToolsCommand {
        let size: AdJSON = [
            "windowId": self.number, "width": .double(screen.width.rounded(.up)),
            "height": .double(screen.height.rounded(.up)),
        ]
        return DevToolsCommand("Browser.setContentsSize", size)
    }
}
