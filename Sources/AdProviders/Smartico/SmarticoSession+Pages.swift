import AdCore

// What is shown: popups and games that the server pushes, the widget, and what their pages say.

extension SmarticoSession {
    /// Takes what the server pushes: each of it becomes a page once.
    mutating func take(push wish: SmarticoPageRegistry.Wish, _ step: inout SmarticoStepper<some RandomNumberGenerator>)
    {
        guard let user else {
            return step.note("push.nobody", "something was pushed while nobody is logged in, and was dropped")
        }
        guard self.pages.isNew(wish, for: user.id) else {
            return step.note("push.repeated", "the same was pushed before, and was dropped")
        }
        self.offer(wish, &step)
    }

    mutating func open(gamification deepLink: String?, _ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        guard self.user != nil else {
            return step.act(.news(.gamificationUnavailable("nobody is logged in; log in first")))
        }
        if self.isLive, let settings, !settings.hasGamification {
            return step.act(.news(.gamificationUnavailable("the label has no gamification (product 100)")))
        }
        self.offer(.widget(deepLink: deepLink), &step)
    }

    /// Offers what is wished, or lets it wait for an address that holds.
    private mutating func offer(
        _ wish: SmarticoPageRegistry.Wish,
        _ step: inout SmarticoStepper<some RandomNumberGenerator>
    ) {
        if case .live(let since) = self.link, step.now - since < self.rules.pageValidity {
            return self.make(wish, &step)
        }
        guard self.pages.wait(for: wish) else { return self.drop(wish, .flood, &step) }
        // An address that is too old is asked for again.
        if self.isLive { self.restart(&step) }
    }

    /// Offers what waited for an address.
    mutating func offerWhatWaits(_ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        for wish in self.pages.takeWishes() { self.make(wish, &step) }
    }

    private mutating func make(
        _ wish: SmarticoPageRegistry.Wish,
        _ step: inout SmarticoStepper<some RandomNumberGenerator>
    ) {
        guard let user else { return }
        let (kind, address, details) = self.page(wish)
        guard let kind, let address else { return self.drop(wish, .noAddress, &step) }
        // Its address proves who the user is.
        guard address.isSecure || !self.app.socket.http.isSecure else { return self.drop(wish, .notSecure, &step) }
        if kind == .widget {
            if let settings, !settings.hasGamification {
                return step.act(.news(.gamificationUnavailable("the label has no gamification (product 100)")))
            }
            // There is one widget: a new link takes the old one's place.
            if let old = self.pages.widget {
                self.pages[old] = nil
                step.act(.withdraw(old))
            }
        } else {
            guard self.pages.hasRoom else { return self.drop(wish, .flood, &step) }
        }
        let id = self.pages.add(kind, for: wish, of: user.id)
        let creative = PageCreative(
            address,
            userAgent: "SMTO-WRAPPER",
            bridges: ["SmarticoBridge", "ReactNativeWebView"]
        )
        let offer = Offer(
            provider: self.provider,
            creative: .page(creative),
            terms: ShowRules(.engagement, lifetime: self.rules.lifetime),
            size: .adaptive,
            details: details
        )
        step.act(.offer(id, offer))
    }

    /// Why nothing becomes of a wish.
    private enum Obstacle: String {
        case flood = "push.flood"
        case noAddress = "page.noAddress"
        case notSecure = "page.notSecure"

        var words: String {
            switch self {
            case .flood: "too much waits to be shown"
            case .noAddress: "the server has named no page that can be opened"
            case .notSecure: "the page's address is not secure, and the connection is"
            }
        }
    }

    /// Tells that nothing becomes of a wish; what was pushed may come again, and a host that asked hears of it.
    private func drop(
        _ wish: SmarticoPageRegistry.Wish,
        _ obstacle: Obstacle,
        _ step: inout SmarticoStepper<some RandomNumberGenerator>
    ) {
        step.note(obstacle.rawValue, "\(obstacle.words), and nothing is shown")
        if case .widget = wish { step.act(.news(.gamificationUnavailable(obstacle.words))) }
    }

    /// What page a wish becomes, and where it is.
    private func page(
        _ wish: SmarticoPageRegistry.Wish
    ) -> (kind: SmarticoPageRegistry.Kind?, address: HTTPURL?, details: [AdJSON.Member]) {
        let (popup, widget) = (self.pages.addresses?.popup, self.pages.addresses?.gamification)
        switch wish {
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

    mutating func take(
        _ event: PageEvent,
        of page: PageID,
        _ step: inout SmarticoStepper<some RandomNumberGenerator>
    ) {
        guard self.pages[page] != nil else { return }
        switch event {
        case .message(let text): self.hear(text, of: page, &step)
        case .shown: self.pages[page]?.isShown = true
        case .gone: self.pages[page] = nil
        }
    }

    /// Whoever wrote a page is not to be trusted: what is not understood is dropped.
    private mutating func hear(
        _ text: String,
        of page: PageID,
        _ step: inout SmarticoStepper<some RandomNumberGenerator>
    ) {
        let (message, issues): (SmarticoBridge, [AdIssue])
        do throws(SmarticoBridge.Fault) {
            (message, issues) = try SmarticoBridge.read(text)
        } catch {
            return step.note("bridge.\(error.code)", "\(error.message), and it was dropped")
        }
        for issue in issues { step.note("bridge.\(issue.code)", "in a page's message: \(issue.message)") }
        switch message {
        case .pageReady: self.pageIsLoaded(page, &step)
        case .closeMe: step.act(.close(page))
        case .executeDeepLink(let link):
            guard self.pages[page]?.isShown == true else {
                return step.note("bridge.unseen", "a page that nobody sees wants to open a deep link, and may not")
            }
            self.follow(link, &step)
        case .readyToBeShown:
            guard self.pages[page]?.isReady == false else { return }
            self.pages[page]?.isReady = true
            step.act(.ready(page))
        case .sendToSocket(let text): self.forward(text, &step)
        case .publicProperties(let json): step.act(.news(.publicProperties(json)))
        case .gameOpening(let game): step.act(.news(.gameOpening(game)))
        }
    }

    private mutating func pageIsLoaded(
        _ page: PageID,
        _ step: inout SmarticoStepper<some RandomNumberGenerator>
    ) {
        guard self.pages[page]?.isLoaded == false else {
            return step.note("bridge.repeated", "a page said twice that it is loaded, and is told nothing anew")
        }
        self.pages[page]?.isLoaded = true
        if case .popup(let message)? = self.pages[page]?.kind { step.act(.post(page, message)) }
    }

    private mutating func follow(_ link: String, _ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        switch SmarticoDeepLink(link, alsoGamification: self.rules.gamificationPrefixes) {
        case .nothing: break
        case .gamification(let link): self.open(gamification: link, &step)
        case .host(let link): step.act(.news(.deepLink(link)))
        }
    }

    /// Passes a page's message on: now, or as soon as the server knows the user.
    private mutating func forward(_ text: JSONText, _ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        var text = text
        if !text.has("ts") { text.append("ts", .int(step.time.wall.milliseconds)) }
        if !text.has("uuid") { text.append("uuid", .string(step.uuid())) }
        guard !self.isLive else { return step.act(.send(text.text)) }
        guard self.forwards.add(text.text) else {
            return step.note("forward.dropped", "too much waits for the server, and a page's message was dropped")
        }
    }
}
