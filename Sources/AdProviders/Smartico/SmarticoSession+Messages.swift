import AdCore

// What the server says.

extension SmarticoSession {
    mutating func read(_ text: String, _ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        let (message, issues): (SmarticoIncoming, [AdIssue])
        do throws(SmarticoIncoming.Fault) {
            (message, issues) = try SmarticoIncoming.read(text)
        } catch {
            return step.act(.issue(error.issue))
        }
        for issue in issues { step.act(.issue(issue)) }
        switch message {
        case .ping(let uuid):
            self.watch.ping(at: step.now)
            step.act(.setTimer(.silence, step.now + self.watch.patience))
            step.say(.pong(uuid: uuid))
        case .initialized(let verdict, let settings): self.initialized(verdict, settings, &step)
        case .identified(let verdict, let profile, let pages): self.identified(verdict, profile, pages, &step)
        case .pushTaken(let verdict):
            // What was refused may be tried again.
            if !verdict.isGood { self.toldPush = nil }
            step.act(.news(verdict.isGood ? .pushTaken : .refused(.push, verdict)))
        case .engagement(let engagement): self.take(push: .popup(engagement), &step)
        case .game(let template, let uuid): self.take(push: .game(template: template, uuid: uuid), &step)
        case .unknown(let cid):
            step.note("message.unknown", "a message of the class \(cid) means nothing to an app, and was dropped")
        }
    }

    private mutating func initialized(
        _ verdict: SmarticoVerdict,
        _ settings: SmarticoSettings,
        _ step: inout SmarticoStepper<some RandomNumberGenerator>
    ) {
        guard self.link == .initializing else {
            return step.note("message.unexpected", "the server answered to an introduction that was not made")
        }
        guard verdict.isGood else { return self.refuse(.initialize, verdict, &step) }
        step.act(.cancelTimer(.answer))
        self.settings = settings
        self.link = .ready
        step.act(.news(.initialized(settings)))
        self.identify(&step)
    }

    /// Introduces the user, where there is one and the server knows the app.
    mutating func identify(_ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        guard self.link == .ready, let user else { return }
        self.link = .identifying
        step.say(.identify(user, self.app, self.push))
        self.toldPush = self.push
        step.act(.setTimer(.answer, step.now + self.rules.patience))
    }

    private mutating func identified(
        _ verdict: SmarticoVerdict,
        _ profile: SmarticoProfile,
        _ pages: SmarticoPages,
        _ step: inout SmarticoStepper<some RandomNumberGenerator>
    ) {
        guard self.link == .identifying else {
            return step.note("message.unexpected", "the server answered to a user who was not introduced")
        }
        guard verdict.isGood else { return self.refuse(.identify, verdict, &step) }
        step.act(.cancelTimer(.answer))
        self.link = .live(since: step.now)
        self.pages.addresses = pages
        step.act(.news(.identified(profile)))
        self.beginLogicalSession(&step)
        if self.push != self.toldPush { self.tellPush(&step) }
        if let language {
            self.language = nil
            step.say(.language(language))
        }
        for text in self.forwards.takeAll() { step.act(.send(text)) }
        self.offerWhatWaits(&step)
    }

    /// The server said no: the host is told, and it is tried again later.
    private mutating func refuse(
        _ what: SmarticoStep,
        _ verdict: SmarticoVerdict,
        _ step: inout SmarticoStepper<some RandomNumberGenerator>
    ) {
        step.act(.news(.refused(what, verdict)))
        let words = verdict.message.map { ": \($0)" } ?? ""
        let end = SocketEnd(.byUs, "the server refused to \(what.rawValue) with errCode \(verdict.code)\(words)")
        step.note("server.refused", end.message)
        self.fail(end, wasRefused: true, &step)
    }

    mutating func tellPush(_ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        guard let push else { return }
        self.toldPush = push
        step.say(.push(push))
    }

    /// Says that a logical session begins, where one does and the server knows the user.
    mutating func beginLogicalSession(_ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        guard self.isLive, self.activity.takeBeginning(isOwn: self.rules.beginsLogicalSessions) else { return }
        step.say(.login(self.app))
    }
}
