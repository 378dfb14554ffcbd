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
        return HostPage(kind, self.name, in: self.page.target, frame: self.page.frame)
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
