import AdCore
import SystemLock

/// A page of the browser that is a creative's own.
struct BrowserPlace: Hashable, Sendable {
    /// What is thrown away with it.
    let context: String
    let session: DevToolsSession
    let frame: String

    /// Makes one, in a context that is thrown away with it.
    static func make(in browser: Browser, screen: Size) async throws(DevToolsFault) -> BrowserPlace {
        let made = try await browser.call(DevToolsCommand("Target.createBrowserContext", ["disposeOnDetach": true]))
        guard let context = made["browserContextId"]?.string else { throw .refused("it made no context") }
        do throws(DevToolsFault) {
            let wanted: JSON = [
                "url": "about:blank", "browserContextId": .string(context), "width": .double(screen.width),
                "height": .double(screen.height),
            ]
            let target = try await browser.call(DevToolsCommand("Target.createTarget", wanted))["targetId"] ?? .null
            let joined = try await browser.call(
                DevToolsCommand("Target.attachToTarget", ["targetId": target, "flatten": true])
            )
            guard let frame = target.string, let session = joined["sessionId"]?.string else {
                throw .refused("it made no page")
            }
            let downloads: JSON = ["behavior": "deny", "browserContextId": .string(context), "eventsEnabled": true]
            browser.post(DevToolsCommand("Browser.setDownloadBehavior", downloads))
            return BrowserPlace(context: context, session: DevToolsSession(name: session), frame: frame)
        } catch {
            browser.post(DevToolsCommand("Target.disposeBrowserContext", ["browserContextId": .string(context)]))
            throw error
        }
    }
}

/// Makes pages, one of them ahead: the process of a page takes a third of the time in which a creative is shown.
final class BrowserPlaces: Sendable {
    private struct Spare {
        let browser: Browser
        let making: Task<BrowserPlace?, Never>
    }

    private let screen: Size
    private let spare = Locked<Spare?>(nil)

    init(_ screen: Size) { self.screen = screen }

    /// A page, the one that was made ahead where there is one.
    func take(in browser: Browser) async throws(DevToolsFault) -> BrowserPlace {
        let spare = self.spare.withLock { spare in
            defer { spare = nil }
            return spare
        }
        // What was made in a browser that is gone is gone with it.
        if let spare, spare.browser === browser, let place = await spare.making.value { return place }
        return try await BrowserPlace.make(in: browser, screen: self.screen)
    }

    /// Makes a page ahead, where there is none.
    func prepare(in browser: Browser) {
        let screen = self.screen
        self.spare.withLock { spare in
            guard spare?.browser !== browser else { return }
            spare = Spare(
                browser: browser,
                making: Task { try? await BrowserPlace.make(in: browser, screen: screen) }
            )
        }
    }

    /// The browser is to go.
    func forget() { self.spare.withLock { $0 = nil } }
}
