import AdCore

// What the host wants.

extension SmarticoSession {
    mutating func take(_ command: SmarticoCommand, _ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        switch command {
        case .connect:
            if self.link == .down { self.connect(&step) }
        case .logIn(let user): self.logIn(user, &step)
        case .logOut: self.logOut(&step)
        case .push(let push):
            self.push = push
            if self.isLive, push != self.toldPush { self.tellPush(&step) }
        case .language(let language):
            guard self.isLive else {
                self.language = language
                return
            }
            step.say(.language(language))
        case .openGamification(let deepLink): self.open(gamification: deepLink, &step)
        case .beginLogicalSession:
            self.activity.want()
            self.beginLogicalSession(&step)
        case .end: self.end(&step)
        }
    }

    private mutating func logIn(_ user: SmarticoUser, _ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        let before = self.user
        self.user = user
        if let before {
            // The same one with another proof: it is used from the next introduction on, which may be due at last.
            guard before.id != user.id else {
                if before.hash != user.hash, self.link == .waiting { self.connectNow(&step) }
                return
            }
            self.forgetUser(&step)
        }
        self.activity.logIn()
        switch self.link {
        case .down: self.connect(&step)
        case .ready: self.identify(&step)
        // A user is introduced once on each socket, and the session's own id is another.
        case .identifying, .live: self.restart(&step)
        case .initializing: if before != nil { self.restart(&step) }
        case .waiting: self.connectNow(&step)
        case .connecting: break
        }
    }

    private mutating func logOut(_ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        guard self.user != nil else { return }
        self.forgetUser(&step)
        self.user = nil
        switch self.link {
        case .initializing, .identifying, .live: self.restart(&step)
        case .waiting: self.connectNow(&step)
        case .down, .connecting, .ready: break
        }
    }

    /// What belonged to a user goes with the user.
    private mutating func forgetUser(_ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        let lost = self.forwards.takeAll().count
        if lost > 0 {
            step.note("forward.dropped", "\(lost) messages of pages had not reached the server, and are gone")
        }
        for page in self.pages.forget() { step.act(.withdraw(page)) }
        self.sessionID = nil
        self.toldPush = nil
        self.activity.logOut()
    }

    private mutating func end(_ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        self.forgetUser(&step)
        self.user = nil
        self.link = .down
        self.backoff.forget()
        for timer in EngagementTimer.allCases { step.act(.cancelTimer(timer)) }
        step.act(.disconnect)
    }
}
