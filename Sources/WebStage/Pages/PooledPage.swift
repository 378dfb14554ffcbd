import AdCore

/// A page with a unique name.
package struct PooledPage<Page: EnginePage>: Sendable {
    /// A unique name: pages of other names can't read its storage.
    package let name: String
    package let page: Page
    /// How many creatives were shown in the page before.
    let uses: Int
    /// The host page in it, if it was opened in advance.
    private var opened: HostPage?

    init(_ name: String, _ page: Page, uses: Int = 0) {
        self.uses = uses
        self.name = name
        self.page = page
    }

    /// The host page that was opened in advance, or else a new one.
    package func hostPage(_ kind: HostPageKind) -> HostPage {
        if let opened, opened.kind == kind { return opened }
        // A page is held only before its first creative.
        let isHeld = self.page.isHeld && self.uses == 0
        return HostPage(kind, self.name, in: self.page.target, frame: self.page.frame, isHeld: isHeld)
    }

    /// Whether the page still answers, and the host page in it if that was opened in advance.
    func isAlive() async -> Bool {
        guard let opened else { return await self.page.isAlive() }
        return (try? await self.page.query(opened.ping, within: .seconds(1))) != nil
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
        // A held page loads without a reply: its process starts, and it commits its document.
        page.schedule(after: limit * 2) { mailbox.yield(.alarm(.loadTimeout)) }
        execute(hostPage.open(on: screen))
        for await input in inputs {
            switch try hostPage.progress(after: input) {
            case .next(let outputs): execute(outputs)
            case .ready:
                self.opened = hostPage
                return
            case .failed(let reason): throw .refused(reason)
            }
        }
        throw .gone
    }
}

extension HostPage {
    /// What follows an input while the page is opened without a creative, whose requests all fail.
    fileprivate mutating func progress(after input: StageInput) throws(EngineError) -> Progress {
        switch input {
        case .event(let event):
            switch event.kind {
            case .requestHeld(let request):
                return .next([self.serve(request) ?? .send(request.failing(.aborted))])
            case .committed(let document): return self.handle(document, in: event.target) ?? .next([])
            default: return .next([])
            }
        case .reply(let query, let reply): return self.handle(reply, to: query) ?? .next([])
        case .alarm(.loadTimeout) where self.isHeld: throw .late("the host page")
        default: return .next([])
        }
    }
}
