import AdCore
import WebStage

/// A page with a unique name.
struct PooledPage: Sendable {
    /// A unique name: pages of other names can't read its storage.
    let name: String
    let page: ChromiumPage
    /// The host page in it, if it was opened in advance.
    private var opened: HostPage?

    /// Creates a page in a browser context of its own.
    static func create(
        _ name: String,
        in browser: Browser,
        screen: Size,
        hasWindow: Bool = false,
        within limit: Duration = EngineTime.limit
    ) async throws(EngineError) -> PooledPage {
        let context = DevToolsCommand("Target.createBrowserContext", ["disposeOnDetach": true])
        let made = try await browser.call(context, within: limit)
        guard let context = made["browserContextId"]?.string else { throw .refused("it returned no browser context") }
        do throws(EngineError) {
            let wanted: AdJSON = [
                "url": "about:blank", "browserContextId": .string(context), "width": .double(screen.width),
                "height": .double(screen.height),
            ]
            let made = try await browser.call(DevToolsCommand("Target.createTarget", wanted), within: limit)
            guard let frame = made["targetId"]?.string else { throw .refused("it returned no page") }
            let attached = try await browser.call(
                DevToolsCommand("Target.attachToTarget", ["targetId": .string(frame), "flatten": true]),
                within: limit
            )
            guard let session = attached["sessionId"]?.string else { throw .refused("it returned no page") }
            let downloads: AdJSON = ["behavior": "deny", "browserContextId": .string(context), "eventsEnabled": true]
            browser.post(DevToolsCommand("Browser.setDownloadBehavior", downloads))
            let window = hasWindow ? try await BrowserWindow.find(ofPage: frame, in: browser) : nil
            if let window { browser.post(window.resizing(to: screen)) }
            let page = ChromiumPage(
                in: browser,
                context: context,
                session: DevToolsSession(name: session),
                frame: frame,
                window: window
            )
            return PooledPage(name: name, page: page, opened: nil)
        } catch {
            browser.post(ChromiumPage.disposeCommand(context))
            throw error
        }
    }

    /// The host page that was opened in advance, or else a new one.
    func hostPage(_ kind: HostPageKind) -> HostPage {
        if let opened, opened.kind == kind { return opened }
        return HostPage(kind, self.name, in: self.page.session, frame: self.page.frame)
    }

    /// Opens the host page in advance; `limit` applies to each step.
    mutating func open(_ kind: HostPageKind, on screen: Size, within limit: Duration) async throws(EngineError) {
        var hostPage = self.hostPage(kind)
        let page = self.page
        let (inputs, mailbox) = AsyncStream.makeStream(of: StageInput.self, bufferingPolicy: .bufferingOldest(1_000))
        defer { mailbox.finish() }
        func execute(_ outputs: [StageOutput]) {
            for output in outputs {
                switch output {
                case .send(let command): page.send(command)
                case .query(let command, let query, let queryLimit):
                    page.query(command, within: min(limit, queryLimit)) { mailbox.yield(.reply(query, $0)) }
                default: break
                }
            }
        }
        // The stage replaces the handler later.
        page.setHandler { mailbox.yield(.event($0)) }
        execute(hostPage.open(on: screen))
        for await input in inputs {
            switch input {
            case .event(let event):
                guard case .requestHeld(let request) = event.kind else { continue }
                execute([hostPage.serve(request) ?? .send(request.failing(.aborted))])
            case .reply(let query, let reply):
                switch hostPage.handle(reply, to: query) {
                case .next(let outputs): execute(outputs)
                case .ready:
                    self.opened = hostPage
                    return
                case .failed(let reason): throw .refused(reason)
                case nil: break
                }
            default: break
            }
        }
        throw .gone
    }
}
