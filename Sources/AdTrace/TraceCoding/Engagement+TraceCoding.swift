package import AdCore

/// The coding of a live session's inputs in traces.
extension EngagementInput {
    package func traced<Machine: TraceableMachine>(by machine: Machine.Type) -> AdJSON
    where Machine.Command == Command {
        switch self {
        case .command(let command): .word("command", Machine.traced(command))
        case .socket(let event): .word("socket", event.traced)
        case .timer(let timer): .word("timer", .string(timer.rawValue))
        case .page(let page, let event):
            .word("page", .members(["number": .int(page.number), "did": event.traced]))
        case .signal(let signal): .word("signal", signal.traced)
        }
    }

    package init?<Machine: TraceableMachine>(traced json: AdJSON, by machine: Machine.Type)
    where Machine.Command == Command {
        guard let (name, value) = json.word else { return nil }
        switch name {
        case "command":
            guard let command = Machine.command(traced: value) else { return nil }
            self = .command(command)
        case "socket":
            guard let event = SocketEvent(traced: value) else { return nil }
            self = .socket(event)
        case "timer":
            guard let timer = value.string.flatMap(EngagementTimer.init) else { return nil }
            self = .timer(timer)
        case "page":
            guard let number = value["number"]?.whole(Int.self),
                let event = value["did"].flatMap(PageEvent.init(traced:))
            else { return nil }
            self = .page(PageID(number), event)
        case "signal":
            guard let signal = HostSignal(traced: value) else { return nil }
            self = .signal(signal)
        default: return nil
        }
    }

    /// The input with redacted names and texts.
    package func redacted<Machine: TraceableMachine>(by machine: Machine.Type, _ pseudonyms: inout Pseudonyms) -> Self
    where Machine.Command == Command {
        switch self {
        case .command(let command): .command(Machine.redacted(command, by: &pseudonyms))
        case .socket(.text(let text)): .socket(.text(Machine.redacted(text)))
        case .socket(.closed(let end)): .socket(.closed(end.redacted))
        case .page(let page, .message(let text)): .page(page, .message(Machine.redacted(text)))
        case .socket, .timer, .page, .signal: self
        }
    }
}

/// The coding of a live session's actions in traces, for comparison only.
extension EngagementAction {
    /// The action's kind, with the code of an issue.
    var kind: String {
        switch self {
        case .connect: "connect"
        case .send: "send"
        case .disconnect: "disconnect"
        case .setTimer: "setTimer"
        case .cancelTimer: "cancelTimer"
        case .offer: "offer"
        case .post: "post"
        case .ready: "ready"
        case .close: "close"
        case .withdraw: "withdraw"
        case .report: "news"
        case .issue(let issue): "issue \(issue.code)"
        }
    }

    package func traced<Machine: TraceableMachine>(by machine: Machine.Type) -> AdJSON where Machine.Event == Event {
        switch self {
        case .connect(let request): .word("connect", .string(request.url.text))
        case .send(let text): .word("send", .string(text))
        case .disconnect: "disconnect"
        case .setTimer(let timer, let moment):
            .word("setTimer", .members(["timer": .string(timer.rawValue), "at": moment.traced]))
        case .cancelTimer(let timer): .word("cancelTimer", .string(timer.rawValue))
        case .offer(let page, let offer):
            .word(
                "offer",
                .members([
                    "page": .int(page.number), "url": .text(offer.creative.page?.address.text),
                    "details": .object(offer.details), "terms": offer.rules.traced,
                ])
            )
        case .post(let page, let text):
            .word("post", .members(["page": .int(page.number), "text": .string(text)]))
        case .ready(let page): .word("ready", .int(page.number))
        case .close(let page): .word("close", .int(page.number))
        case .withdraw(let page): .word("withdraw", .int(page.number))
        case .report(let event): .word("news", Machine.traced(event))
        case .issue(let issue): .word("issue", .object(AdEvent.issue(issue).row.members))
        }
    }
}

extension Creative {
    fileprivate var page: PageCreative? {
        guard case .page(let page) = self else { return nil }
        return page
    }
}

extension PageEvent {
    package var traced: AdJSON {
        switch self {
        case .message(let text): .word("message", .string(text))
        case .shown: "shown"
        case .gone: "gone"
        }
    }

    package init?(traced json: AdJSON) {
        guard let (name, value) = json.word else { return nil }
        switch (name, value.string) {
        case ("message", let text?): self = .message(text)
        case ("shown", _): self = .shown
        case ("gone", _): self = .gone
        default: return nil
        }
    }
}

extension SocketEvent {
    package var traced: AdJSON {
        switch self {
        case .opened: "opened"
        case .text(let text): .word("text", .string(text))
        case .binary(let count): .word("binary", .int(count))
        case .skippingMessage(let bytes): .word("passingOver", .int(bytes))
        case .skippedMessage(let bytes): .word("passedOver", .int(bytes))
        case .closed(let end): .word("closed", end.traced)
        }
    }

    package init?(traced json: AdJSON) {
        guard let (name, value) = json.word else { return nil }
        switch name {
        case "opened": self = .opened
        case "text":
            guard let text = value.string else { return nil }
            self = .text(text)
        case "binary":
            guard let count = value.whole(Int.self), count >= 0 else { return nil }
            self = .binary(count: count)
        case "passingOver", "passedOver":
            guard let bytes = value.whole(Int.self), bytes >= 0 else { return nil }
            self = name == "passingOver" ? .skippingMessage(bytes: bytes) : .skippedMessage(bytes: bytes)
        case "closed":
            guard let end = SocketEnd(traced: value) else { return nil }
            self = .closed(end)
        default: return nil
        }
    }
}

extension SocketEnd {
    /// The end without the peer's reason text.
    fileprivate var redacted: SocketEnd {
        guard case .byPeer(let code) = self.cause else { return self }
        let number = code.map { " with \($0)" } ?? ""
        return SocketEnd(self.cause, "the peer closed the connection\(number)")
    }

    package var traced: AdJSON {
        let cause: AdJSON =
            switch self.cause {
            case .notOpened(let status): .word("notOpened", status.map { AdJSON.int($0) } ?? .null)
            case .byPeer(let code): .word("byPeer", code.map { AdJSON.int($0) } ?? .null)
            case .lost: "lost"
            case .violation(let code): .word("fault", .int(code))
            case .overflow: "overflow"
            case .byUs: "byUs"
            }
        return .members(["cause": cause, "message": .string(self.message)])
    }

    package init?(traced json: AdJSON) {
        guard let (name, value) = json["cause"]?.word, let message = json["message"]?.string else { return nil }
        let number: Int? = value.whole()
        guard value == .null || number != nil else { return nil }
        let code = number.flatMap { UInt16(exactly: $0) }
        let cause: Cause
        switch name {
        case "notOpened": cause = .notOpened(status: number)
        case "byPeer":
            guard (number == nil) == (code == nil) else { return nil }
            cause = .byPeer(code: code)
        case "lost": cause = .lost
        case "fault":
            guard let code else { return nil }
            cause = .violation(code: code)
        case "overflow": cause = .overflow
        case "byUs": cause = .byUs
        default: return nil
        }
        self.init(cause, message)
    }
}
