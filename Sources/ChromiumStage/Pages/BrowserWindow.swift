import AdCore
import WebStage

/// A window for people, around one page.
struct BrowserWindow: Hashable, Sendable {
    private let number: AdJSON

    /// Which window a page is in.
    static func find(ofPage target: String, in browser: Browser) async throws(EngineFault) -> BrowserWindow {
        let question = DevToolsCommand("Browser.getWindowForTarget", ["targetId": .string(target)])
        guard let number = try await browser.call(question)["windowId"] else { throw .refused("it opened no window") }
        return BrowserWindow(number: number)
    }

    /// Has it show a whole screen of this size, as far as the desktop has room and it can be that narrow.
    func resizing(to screen: Size) -> DevToolsCommand {
        let size: AdJSON = [
            "windowId": self.number, "width": .double(screen.width.rounded(.up)),
            "height": .double(screen.height.rounded(.up)),
        ]
        return DevToolsCommand("Browser.setContentsSize", size)
    }
}
