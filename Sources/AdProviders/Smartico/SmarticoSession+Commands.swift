import AdCore

// Commands of the host.

extension SmarticoSession {
    mutating func handle(_ command: SmarticoCommand, _ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        switch command {
        case .connect:
            if self.connection == .down { self.connect(&step) }
        case .logIn(let user): self.logIn(user, &step)
        case .logOut: self.logOut(&step)
        case .push(let push):
            self.push = push
            if self.isLive, push != self.sentPush { self.sendPush(&step) }
        case .language(let language):
            guard self.isLive else {
                self.language = language
                return
            }
            step.send(.language(language))
        case .openGamification(let deepLink): self.open(gamification: deepLink, &step)
        case .startLogicalSession:
            self.activity.requestStart()
            self.startLogicalSession(&step)
        case .end: self.end(&step)
        }
    }

    private mutating func logIn(_ user: SmarticoUser, _ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        let before = self.user
        self.user = user
        if let before {
            // The same user with another hash: it is used from the next IDENTIFY on. While waiting, that is sent at
            // once.
            guard before.id != user.id else {
                if before.hash != user.hash, self.connection == .waiting { self.connectNow(&step) }
                return
            }
            self.forgetUser(&step)
        }
        self.activity.logIn()
        switch self.connection {
        case .down: self.connect(&step)
        case .ready: self.identify(&step)
        // IDENTIFY is sent once per socket, and another user needs a new session id.
        case .identifying, .live: self.reconnect(&step)
        case .initializing: if before != nil { self.reconnect(&step) }
        case .waiting: self.connectNow(&step)
        case .connecting: break
        }
    }

    private mutating func logOut(_ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        guard self.user != nil else { return }
        self.forgetUser(&step)
        self.user = nil
        switch self.connection {
        case .initializing, .identifying, .live: self.reconnect(&step)
        case .waiting: self.connectNow(&step)
        case .down, .connecting, .ready: break
        }
    }

    /// Removes everything that belongs to the user.
    private mutating func forgetUser(_ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        let lost = self.outbox.drain().count
        if lost > 0 {
            step.recordIssue("forward.dropped", "\(lost) messages of pages were not sent to the server and are dropped")
        }
        for page in self.pages.removeAll() { step.append(.withdraw(page)) }
        self.sessionID = nil
        self.sentPush = nil
        self.activity.logOut()
    }

    private mutating func end(_ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        self.forgetUser(&step)
        self.user = nil
        self.connection = .down
        self.backoff.reset()
        for timer in EngagementTimer.allCases { step.append(.cancelTimer(timer)) }
        step.append(.disconnect)
    }
}
