import AdCore
import WebStage

/// The scripts between a provider's page and the app.
enum PageBridge {
    /// The name of the web view's message handler, in the page's world.
    static let channel = "yabbiBridge"

    /// The script that runs before the page's own: the page gets the objects with `postMessage` that its provider names.
    ///
    /// The function that they call is held by them alone: the script removes its name. The handler itself stays visible to
    /// the page, and to its frames; whose messages are heard is decided by `PageViewMachine`.
    static func script(for page: PageCreative) -> String {
        let send = """
            globalThis.__yabbi_bridge = ((handler) => (text) => handler.postMessage(text))(
              webkit.messageHandlers.\(self.channel));

            """
        return send + PageScript.bridge(page.bridges)
    }

    /// The body of a function that posts its argument `text` to the page, so that a message is never parsed as code.
    static let post = "window.postMessage(text, '*')"
}
