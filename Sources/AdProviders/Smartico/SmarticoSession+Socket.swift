import AdCore

// The socket: opening it, introducing the app and the user, and noticing when nobody is there any more.

extension SmarticoSession {
    mutating func connect(_ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        let url: SocketURL
        do throws(AdError) {
            url = try self.app.address()
        } catch {
            self.link = .down
            step.act(.news(.disconnected(SocketEnd(.notOpened(), error.message), retryIn: nil)))
            return
        }
        guard !self.isOffline else {
            // As soon as there is a network.
            self.link = .waiting
            return
        }
        self.link = .connecting
        self.watch.reconnect()
        step.act(.cancelTimer(.reconnect))
        step.act(.connect(SocketRequest(url)))
    }

    /// Closes the socket and opens another one at once.
    mutating func restart(_ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        self.silence(&step)
        step.act(.disconnect)
        self.connect(&step)
    }

    /// Closes the socket, and connects again after a pause.
    mutating func fail(
        _ end: SocketEnd,
        wasRefused: Bool = false,
        _ step: inout SmarticoStepper<some RandomNumberGenerator>
    ) {
        self.silence(&step)
        step.act(.disconnect)
        self.link = .waiting
        let bits = step.random.next()
        let pause = self.backoff.pause(at: step.now, wasRefused: wasRefused, bits: bits)
        guard !self.isOffline else {
            step.act(.news(.disconnected(end, retryIn: nil)))
            return
        }
        step.act(.setTimer(.reconnect, step.now + pause))
        step.act(.news(.disconnected(end, retryIn: pause)))
    }

    /// Gives a socket up that is open as far as anybody knows.
    private mutating func giveUp(
        _ code: String,
        _ why: String,
        _ step: inout SmarticoStepper<some RandomNumberGenerator>
    ) {
        step.note(code, why)
        self.fail(SocketEnd(.lost, why), &step)
    }

    /// Takes back the timers of a socket.
    private func silence(_ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        step.act(.cancelTimer(.answer))
        step.act(.cancelTimer(.silence))
    }

    mutating func take(_ event: SocketEvent, _ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        switch event {
        case .opened:
            guard self.link == .connecting else {
                return step.note("socket.unexpected", "a connection was opened that nobody waits for")
            }
            self.backoff.open(at: step.now)
            self.heard = step.now
            self.link = .initializing
            let session = self.sessionID ?? step.uuid()
            self.sessionID = session
            step.say(.initialize(self.app, session: session))
            self.await(&step)
        case .text(let text):
            self.hear(&step)
            self.read(text, &step)
        case .binary(let count):
            self.hear(&step)
            step.note("message.binary", "the server sent \(count) bytes that are no text, and they were dropped")
        case .passingOver:
            self.hear(&step)
        case .passedOver(let bytes):
            self.hear(&step)
            let most = SocketRequest.Limits().message
            let text =
                "the server sent a message of \(bytes) bytes; it was dropped, because an app takes \(most) at most"
            step.note("message.tooLong", text)
        case .closed(let end):
            guard self.link != .down, self.link != .waiting else { return }
            self.fail(end, &step)
        }
    }

    /// Something is awaited of the server.
    private func await(_ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        step.act(.setTimer(.answer, step.now + self.rules.patience))
        step.act(.setTimer(.silence, step.now + self.watch.patience))
    }

    /// The server is there.
    private mutating func hear(_ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        self.heard = step.now
        step.act(.setTimer(.silence, step.now + self.watch.patience))
    }

    mutating func fire(_ timer: EngagementTimer, _ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        switch timer {
        case .reconnect:
            guard self.link == .waiting else { return }
            self.connect(&step)
        case .answer:
            guard self.link == .initializing || self.link == .identifying else { return }
            let seconds = self.rules.patience.inSeconds
            self.giveUp("server.noAnswer", "the server gave no answer within \(seconds) s", &step)
        case .silence:
            guard self.isOpen else { return }
            self.watch.endure()
            self.giveUp("server.silent", "nothing was heard of the server for too long", &step)
        }
    }

    mutating func take(_ signal: HostSignal, _ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        switch signal {
        case .covered: break
        case .network(let kind):
            let wasOffline = self.isOffline
            self.isOffline = kind == .offline
            guard self.link == .waiting else { return }
            if self.isOffline { step.act(.cancelTimer(.reconnect)) }
            if wasOffline, !self.isOffline { self.connectNow(&step) }
        case .background(let isAway):
            guard isAway else {
                self.activity.comeBack(at: step.now, inactivity: self.rules.inactivity)
                if self.link == .waiting { return self.connectNow(&step) }
                // An app that slept has heard of no timer: nobody may be there any more.
                if let heard, step.now - heard >= self.watch.patience, self.isOpen {
                    step.note("server.silent", "nothing was heard of the server while the app was away")
                    return self.restart(&step)
                }
                self.beginLogicalSession(&step)
                return
            }
            self.activity.leave(at: step.now)
        }
    }

    /// Whether there is a connection, as far as anybody knows.
    private var isOpen: Bool {
        switch self.link {
        case .down, .waiting, .connecting: false
        case .initializing, .ready, .identifying, .live: true
        }
    }

    /// Connects without a pause, where there is a network.
    mutating func connectNow(_ step: inout SmarticoStepper<some RandomNumberGenerator>) {
        self.backoff.forget()
        self.connect(&step)
    }
}
