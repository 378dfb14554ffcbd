import AdCore

// The socket: opens it, sends INIT and IDENTIFY, and detects a lost connection.

extension SmarticoSession {
    mutating func connect(_ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        let url: SocketURL
        do throws(AdError) {
            url = try self.app.socketAddress()
        } catch {
            self.connection = .down
            step.append(.report(.disconnected(SocketEnd(.notOpened(), error.message), retryIn: nil)))
            return
        }
        guard !self.isOffline else {
            // The network signal triggers the next attempt.
            self.connection = .waiting
            return
        }
        self.connection = .connecting
        self.pingMonitor.startConnection()
        step.append(.cancelTimer(.reconnect))
        step.append(.connect(SocketRequest(url)))
    }

    /// Closes the socket, and opens a new one at once.
    mutating func reconnect(_ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        self.cancelTimers(&step)
        step.append(.disconnect)
        self.connect(&step)
    }

    /// Closes the socket, and reconnects after a delay.
    mutating func fail(
        _ end: SocketEnd,
        wasRefused: Bool = false,
        _ step: inout SmarticoTransition<some RandomNumberGenerator>
    ) {
        self.cancelTimers(&step)
        step.append(.disconnect)
        self.connection = .waiting
        let bits = step.random.next()
        let delay = self.backoff.nextDelay(at: step.now, wasRefused: wasRefused, bits: bits)
        guard !self.isOffline else {
            step.append(.report(.disconnected(end, retryIn: nil)))
            return
        }
        step.append(.setTimer(.reconnect, step.now + delay))
        step.append(.report(.disconnected(end, retryIn: delay)))
    }

    /// Closes a socket that seems open, because the server does not respond.
    private mutating func abandon(
        _ code: String,
        _ reason: String,
        _ step: inout SmarticoTransition<some RandomNumberGenerator>
    ) {
        step.recordIssue(code, reason)
        self.fail(SocketEnd(.lost, reason), &step)
    }

    /// Cancels the timers of a socket.
    private func cancelTimers(_ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        step.append(.cancelTimer(.response))
        step.append(.cancelTimer(.silence))
    }

    mutating func handle(_ event: SocketEvent, _ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        switch event {
        case .opened:
            guard self.connection == .connecting else {
                return step.recordIssue("socket.unexpected", "a connection was opened that is not expected")
            }
            self.backoff.recordOpen(at: step.now)
            self.lastHeard = step.now
            self.connection = .initializing
            let session = self.sessionID ?? step.uuid()
            self.sessionID = session
            step.send(.initialize(self.app, session: session))
            self.startTimers(&step)
        case .text(let text):
            self.recordHeard(&step)
            self.handle(message: text, &step)
        case .binary(let count):
            self.recordHeard(&step)
            step.recordIssue("message.binary", "the server sent a binary message of \(count) bytes; it was dropped")
        case .skippingMessage:
            self.recordHeard(&step)
        case .skippedMessage(let bytes):
            self.recordHeard(&step)
            let most = SocketRequest.Limits().message
            let text =
                "the server sent a message of \(bytes) bytes; it was dropped, because the limit is \(most) bytes"
            step.recordIssue("message.tooLong", text)
        case .closed(let end):
            guard self.connection != .down, self.connection != .waiting else { return }
            self.fail(end, &step)
        }
    }

    /// Starts the timers for a response.
    private func startTimers(_ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        step.append(.setTimer(.response, step.now + self.rules.timeout))
        step.append(.setTimer(.silence, step.now + self.pingMonitor.allowedSilence))
    }

    /// Stores when a message arrived, and restarts the silence timer.
    private mutating func recordHeard(_ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        self.lastHeard = step.now
        step.append(.setTimer(.silence, step.now + self.pingMonitor.allowedSilence))
    }

    mutating func handle(_ timer: EngagementTimer, _ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        switch timer {
        case .reconnect:
            guard self.connection == .waiting else { return }
            self.connect(&step)
        case .response:
            guard self.connection == .initializing || self.connection == .identifying else { return }
            let seconds = self.rules.timeout.inSeconds
            self.abandon("server.noAnswer", "the server did not respond within \(seconds) s", &step)
        case .silence:
            guard self.isOpen else { return }
            self.pingMonitor.recordTimeout()
            self.abandon("server.silent", "the server was silent for too long", &step)
        }
    }

    mutating func handle(_ signal: HostSignal, _ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        switch signal {
        case .covered, .obstructed, .volume: break
        case .network(let kind):
            let wasOffline = self.isOffline
            self.isOffline = kind == .offline
            guard self.connection == .waiting else { return }
            if self.isOffline { step.append(.cancelTimer(.reconnect)) }
            if wasOffline, !self.isOffline { self.connectNow(&step) }
        case .background(let isAway):
            guard isAway else {
                self.activity.enterForeground(at: step.now, inactivity: self.rules.inactivity)
                if self.connection == .waiting { return self.connectNow(&step) }
                // No timer fires while the app is suspended: the connection may be lost.
                if let lastHeard, step.now - lastHeard >= self.pingMonitor.allowedSilence, self.isOpen {
                    step.recordIssue("server.silent", "the server was silent while the app was in the background")
                    return self.reconnect(&step)
                }
                self.startLogicalSession(&step)
                return
            }
            self.activity.enterBackground(at: step.now)
        }
    }

    /// Whether the socket is open, as far as it is known.
    private var isOpen: Bool {
        switch self.connection {
        case .down, .waiting, .connecting: false
        case .initializing, .ready, .identifying, .live: true
        }
    }

    /// Connects without a delay, if there is a network.
    mutating func connectNow(_ step: inout SmarticoTransition<some RandomNumberGenerator>) {
        self.backoff.reset()
        self.connect(&step)
    }
}
