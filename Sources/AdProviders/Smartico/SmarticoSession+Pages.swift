import AdCore

// Pages: popups and games that the server pushes, the widget, and the messages of these pages.

extension SmarticoSession {
    /// Handles a push of the server; each becomes a page once.
    mutating func handle(
        push request: SmarticoPageRegistry.Request,
        _ step: inout SmarticoTransition<some RandomNumberGenerator>
    ) {
        guard let user else {
            return step.recordIssue("push.nobody", "a push was dropped because no user is logged in")
        }
        guard self.pages.isNew(request, for: user.id) else {
            return step.recordIssue("push.repeated", "a duplicate push was dropped")
        }
        self.offer(request, &step)
    }

    mutating func open(gamification deepLink: String?, _ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        guard self.user != nil else {
            return step.append(.report(.gamificationUnavailable("no user is logged in; log in first")))
        }
        if self.isLive, let settings, !settings.hasGamification {
            return step.append(.report(.gamificationUnavailable("the label has no gamification (product 100)")))
        }
        self.offer(.widget(deepLink: deepLink), &step)
    }

    /// Offers a page for a request, or lets the request wait for a valid URL.
    private mutating func offer(
        _ request: SmarticoPageRegistry.Request,
        _ step: inout SmarticoTransition<some RandomNumberGenerator>
    ) {
        if case .live(let since) = self.connection, step.now - since < self.rules.pageValidity {
            return self.openPage(for: request, &step)
        }
        guard self.pages.enqueue(request) else { return self.drop(request, .flood, &step) }
        // The URLs have expired: a new IDENTIFY returns new ones.
        if self.isLive { self.reconnect(&step) }
    }

    /// Offers pages for the requests that waited for a URL.
    mutating func offerPending(_ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        for request in self.pages.drainRequests() { self.openPage(for: request, &step) }
    }

    private mutating func openPage(
        for request: SmarticoPageRegistry.Request,
        _ step: inout SmarticoTransition<some RandomNumberGenerator>
    ) {
        guard let user else { return }
        let (kind, address, details) = self.page(request)
        guard let kind, let address else { return self.drop(request, .noAddress, &step) }
        // The URL authenticates the user.
        guard address.isSecure || !self.app.socket.http.isSecure else { return self.drop(request, .notSecure, &step) }
        if kind == .widget {
            if let settings, !settings.hasGamification {
                return step.append(.report(.gamificationUnavailable("the label has no gamification (product 100)")))
            }
            // There is one widget: a new link replaces the old page.
            if let old = self.pages.widget {
                self.pages[old] = nil
                step.append(.withdraw(old))
            }
        } else {
            guard self.pages.hasRoom else { return self.drop(request, .flood, &step) }
        }
        let id = self.pages.add(kind, for: request, of: user.id)
        let creative = PageCreative(
            address,
            userAgent: "SMTO-WRAPPER",
            bridges: ["SmarticoBridge", "ReactNativeWebView"]
        )
        let offer = Offer(
            provider: self.provider,
            creative: .page(creative),
            rules: ShowRules(.engagement, lifetime: self.rules.lifetime),
            size: .adaptive,
            details: details
        )
        step.append(.offer(id, offer))
    }

    /// The reason why a request is dropped.
    private enum DropReason: String {
        case flood = "push.flood"
        case noAddress = "page.noAddress"
        case notSecure = "page.notSecure"

        var message: String {
            switch self {
            case .flood: "too many pages wait to be shown"
            case .noAddress: "the server sent no valid URL for the page"
            case .notSecure: "the page's URL is not secure, but the connection is"
            }
        }
    }

    /// Reports that a request is dropped; the server may push it again, and a host's request is answered.
    private func drop(
        _ request: SmarticoPageRegistry.Request,
        _ reason: DropReason,
        _ step: inout SmarticoTransition<some RandomNumberGenerator>
    ) {
        step.recordIssue(reason.rawValue, "\(reason.message); nothing is shown")
        if case .widget = request { step.append(.report(.gamificationUnavailable(reason.message))) }
    }

    /// The page for a request: its kind, URL and details.
    private func page(
        _ request: SmarticoPageRegistry.Request
    ) -> (kind: SmarticoPageRegistry.Kind?, address: HTTPURL?, details: [AdJSON.Member]) {
        let (popup, widget) = (self.pages.addresses?.popup, self.pages.addresses?.gamification)
        switch request {
        case .popup(let engagement):
            let details = [AdJSON.Member("kind", "popup"), AdJSON.Member("engagement_uid", .text(engagement.uid))]
            return (engagement.message.map { .popup(message: $0) }, popup, details)
        case .game(let template, _):
            let link = SmarticoDeepLink.game(template)
            let details = [AdJSON.Member("kind", "game"), AdJSON.Member("saw_template_id", .string(template))]
            return (.game, widget.flatMap { SmarticoPages.address($0, deepLink: link) }, details)
        case .widget(let link):
            let details = [AdJSON.Member("kind", "gamification"), AdJSON.Member("dp", .text(link))]
            return (.widget, widget.flatMap { SmarticoPages.address($0, deepLink: link) }, details)
        }
    }

    mutating func handle(
        _ event: PageEvent,
        of page: PageID,
        _ step: inout SmarticoTransition<some RandomNumberGenerator>
    ) {
        guard self.pages[page] != nil else { return }
        switch event {
        case .message(let text): self.handle(text, from: page, &step)
        case .shown: self.pages[page]?.isShown = true
        case .gone: self.pages[page] = nil
        }
    }

    /// Pages are untrusted: what can't be parsed is dropped.
    private mutating func handle(
        _ text: String,
        from page: PageID,
        _ step: inout SmarticoTransition<some RandomNumberGenerator>
    ) {
        let (message, issues): (SmarticoBridge, [AdIssue])
        do throws(SmarticoBridge.MessageError) {
            (message, issues) = try SmarticoBridge.parse(text)
        } catch {
            return step.recordIssue("bridge.\(error.code)", "\(error.message); it was dropped")
        }
        for issue in issues { step.recordIssue("bridge.\(issue.code)", "in a page's message: \(issue.message)") }
        switch message {
        case .pageReady: self.handlePageReady(page, &step)
        case .closeMe: step.append(.close(page))
        case .executeDeepLink(let link):
            guard self.pages[page]?.isShown == true else {
                return step.recordIssue(
                    "bridge.unseen",
                    "a page that is not visible tried to open a deep link; it was blocked"
                )
            }
            self.open(deepLink: link, &step)
        case .readyToBeShown:
            guard self.pages[page]?.isReady == false else { return }
            self.pages[page]?.isReady = true
            step.append(.ready(page))
        case .sendToSocket(let text): self.forward(text, &step)
        case .publicProperties(let json): step.append(.report(.publicProperties(json)))
        case .gameOpening(let game): step.append(.report(.gameOpening(game)))
        }
    }

    private mutating func handlePageReady(
        _ page: PageID,
        _ step: inout SmarticoTransition<some RandomNumberGenerator>
    ) {
        guard self.pages[page]?.isLoaded == false else {
            return step.recordIssue(
                "bridge.repeated",
                "a page reported twice that it is loaded; the second report is ignored"
            )
        }
        self.pages[page]?.isLoaded = true
        if case .popup(let message)? = self.pages[page]?.kind { step.append(.post(page, message)) }
    }

    private mutating func open(deepLink link: String, _ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        switch SmarticoDeepLink(link, gamificationPrefixes: self.rules.gamificationPrefixes) {
        case .ignored: break
        case .gamification(let link): self.open(gamification: link, &step)
        case .host(let link): step.append(.report(.deepLink(link)))
        }
    }

    /// Forwards a page's message to the server: now, or once the user is identified.
    private mutating func forward(_ text: JSONText, _ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        var text = text
        if !text.has("ts") { text.append("ts", .int(step.time.wall.milliseconds)) }
        if !text.has("uuid") { text.append("uuid", .string(step.uuid())) }
        guard !self.isLive else { return step.append(.send(text.text)) }
        guard self.outbox.append(text.text) else {
            return step.recordIssue(
                "forward.dropped",
                "too many messages wait for the server; a page's message was dropped"
            )
        }
    }
}
