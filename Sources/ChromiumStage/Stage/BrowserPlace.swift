import AdCore

/// A page of the browser that is a creative's own.
struct BrowserPlace: Hashable, Sendable {
    /// A name that no other has or had: what one of them leaves behind is nobody else's.
    let name: String
    /// What is thrown away with it.
    let context: String
    let session: DevToolsSession
    let frame: String
    /// The window that it is in, where people see one.
    let window: BrowserWindow?
    /// Our page in it, where that was opened ahead.
    private var opened: WrapperPage?

    /// Makes one, in a context that is thrown away with it.
    static func make(
        _ name: String,
        in browser: Browser,
        screen: Size,
        hasWindow: Bool = false,
        within patience: Duration = DevToolsPipe.patience
    ) async throws(DevToolsFault) -> BrowserPlace {
        let context = DevToolsCommand("Target.createBrowserContext", ["disposeOnDetach": true])
        let made = try await browser.call(context, within: patience)
        guard let context = made["browserContextId"]?.string else { throw .refused("it made no context") }
        do throws(DevToolsFault) {
            let wanted: JSON = [
                "url": "about:blank", "browserContextId": .string(context), "width": .double(screen.width),
                "height": .double(screen.height),
            ]
            let made = try await browser.call(DevToolsCommand("Target.createTarget", wanted), within: patience)
            guard let frame = made["targetId"]?.string else { throw .refused("it made no page") }
            let joined = try await browser.call(
                DevToolsCommand("Target.attachToTarget", ["targetId": .string(frame), "flatten": true]),
                within: patience
            )
            guard let session = joined["sessionId"]?.string else { throw .refused("it made no page") }
            let downloads: JSON = ["behavior": "deny", "browserContextId": .string(context), "eventsEnabled": true]
            browser.post(DevToolsCommand("Browser.setDownloadBehavior", downloads))
            let window = hasWindow ? try await BrowserWindow.find(ofPage: frame, in: browser) : nil
            if let window { browser.post(window.resizing(to: screen)) }
            return BrowserPlace(
                name: name,
                context: context,
                session: DevToolsSession(name: session),
                frame: frame,
                window: window,
                opened: nil
            )
        } catch {
            browser.post(BrowserPlace.disposal(context))
            throw error
        }
    }

    /// Our page in it: the one that was opened ahead, or one that is to be opened.
    func wrapper(_ kind: WrapperKind) -> WrapperPage {
        if let opened, opened.kind == kind { return opened }
        return WrapperPage(kind, self.name, in: self.session, frame: self.frame)
    }

    /// Opens our page ahead of what it will stand around; each step may take so long.
    mutating func open(
        _ kind: WrapperKind,
        on screen: Size,
        in browser: Browser,
        within patience: Duration
    ) async throws(DevToolsFault) {
        var wrapper = self.wrapper(kind)
        let (inputs, door) = AsyncStream.makeStream(of: StageInput.self, bufferingPolicy: .bufferingOldest(1_000))
        defer { door.finish() }
        func carryOut(_ outputs: [StageOutput]) {
            for output in outputs {
                switch output {
                case .say(let command): browser.post(command)
                case .ask(let command, let question, let longest):
                    browser.call(command, within: min(patience, longest)) { door.yield(.answer(question, $0)) }
                // Whoever has the place next listens instead.
                case .listen(let session): browser.listen(to: session) { door.yield(.event($0)) }
                default: break
                }
            }
        }
        carryOut(wrapper.open(on: screen))
        for await input in inputs {
            switch input {
            case .event(let event):
                guard event.method == "Fetch.requestPaused", let request = PausedRequest(event) else { continue }
                carryOut([wrapper.serve(request) ?? .say(request.refusal("Aborted"))])
            case .answer(let question, let answer):
                switch wrapper.take(answer, to: question) {
                case .doing(let outputs): carryOut(outputs)
                case .ready:
                    self.opened = wrapper
                    return
                case .failed(let reason): throw .refused(reason)
                case nil: break
                }
            default: break
            }
        }
        throw .gone
    }

    /// Whether it still answers; one that was made a while ago may have died since.
    func isAlive(in browser: Browser) async -> Bool {
        let question = DevToolsCommand("Runtime.evaluate", ["expression": "0"], in: self.session)
        return (try? await browser.call(question, within: .seconds(1))) != nil
    }

    /// Throws it away.
    func dispose(in browser: Browser) {
        browser.listen(to: self.session, nil)
        browser.post(BrowserPlace.disposal(self.context))
    }

    /// Throws a context away, with all that is in it.
    static func disposal(_ context: String) -> DevToolsCommand {
        DevToolsCommand("Target.disposeBrowserContext", ["browserContextId": .string(context)])
    }
}
