import AdCore

// Messages of the server.

extension SmarticoSession {
    mutating func handle(message text: String, _ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        let (message, issues): (SmarticoIncoming, [AdIssue])
        do throws(SmarticoIncoming.ParseError) {
            (message, issues) = try SmarticoIncoming.parse(text)
        } catch {
            return step.append(.issue(error.issue))
        }
        for issue in issues { step.append(.issue(issue)) }
        switch message {
        case .ping(let uuid):
            self.pingMonitor.recordPing(at: step.now)
            step.append(.setTimer(.silence, step.now + self.pingMonitor.allowedSilence))
            step.send(.pong(uuid: uuid))
        case .initialized(let result, let settings): self.initialized(result, settings, &step)
        case .identified(let result, let profile, let pages): self.identified(result, profile, pages, &step)
        case .pushTokenAccepted(let result):
            // A refused token may be sent again.
            if !result.isSuccess { self.sentPush = nil }
            step.append(.report(result.isSuccess ? .pushTokenAccepted : .refused(.push, result)))
        case .engagement(let engagement): self.handle(push: .popup(engagement), &step)
        case .game(let template, let uuid): self.handle(push: .game(template: template, uuid: uuid), &step)
        case .unknown(let cid):
            step.recordIssue("message.unknown", "a message of the unknown class \(cid) was dropped")
        }
    }

    private mutating func initialized(
        _ result: SmarticoResult,
        _ settings: SmarticoSettings,
        _ step: inout SmarticoTransition<some RandomNumberGenerator>
    ) {
        guard self.connection == .initializing else {
            return step.recordIssue("message.unexpected", "the server responded to INIT, which was not sent")
        }
        guard result.isSuccess else { return self.handleRefusal(of: .initialize, result, &step) }
        step.append(.cancelTimer(.response))
        self.settings = settings
        self.connection = .ready
        step.append(.report(.initialized(settings)))
        self.identify(&step)
    }

    /// Sends IDENTIFY, if there is a user and the server has accepted the app.
    mutating func identify(_ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        guard self.connection == .ready, let user else { return }
        self.connection = .identifying
        step.send(.identify(user, self.app, self.push))
        self.sentPush = self.push
        step.append(.setTimer(.response, step.now + self.rules.timeout))
    }

    private mutating func identified(
        _ result: SmarticoResult,
        _ profile: SmarticoProfile,
        _ pages: SmarticoPages,
        _ step: inout SmarticoTransition<some RandomNumberGenerator>
    ) {
        guard self.connection == .identifying else {
            return step.recordIssue("message.unexpected", "the server responded to IDENTIFY, which was not sent")
        }
        guard result.isSuccess else { return self.handleRefusal(of: .identify, result, &step) }
        step.append(.cancelTimer(.response))
        self.connection = .live(since: step.now)
        self.pages.addresses = pages
        step.append(.report(.identified(profile)))
        self.startLogicalSession(&step)
        if self.push != self.sentPush { self.sendPush(&step) }
        if let language {
            self.language = nil
            step.send(.language(language))
        }
        for text in self.outbox.drain() { step.append(.send(text)) }
        self.offerPending(&step)
    }

    /// Reports a refusal to the host, and reconnects later.
    private mutating func handleRefusal(
        of refused: SmarticoStep,
        _ result: SmarticoResult,
        _ step: inout SmarticoTransition<some RandomNumberGenerator>
    ) {
        step.append(.report(.refused(refused, result)))
        let detail = result.message.map { ": \($0)" } ?? ""
        let end = SocketEnd(.byUs, "the server refused to \(refused.rawValue) with errCode \(result.code)\(detail)")
        step.recordIssue("server.refused", end.message)
        self.fail(end, wasRefused: true, &step)
    }

    mutating func sendPush(_ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        guard let push else { return }
        self.sentPush = push
        step.send(.push(push))
    }

    /// Sends LOGIN, if a logical session starts and the user is identified.
    mutating func startLogicalSession(_ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        guard self.isLive, self.activity.consumeStart(isAutomatic: self.rules.startsLogicalSessions) else { return }
        step.send(.login(self.app))
    }
}
