package import AdCore

/// The coding of a stage's events in traces.
extension StageEvent {
    package var traced: AdJSON {
        switch self {
        case .ready: "ready"
        case .revealed: "revealed"
        case .visible(let ratio): .word("visible", .measure(ratio))
        case .click(let link, let byUser, let place):
            .word(
                "click",
                .members(["url": .text(link?.text), "byUser": .bool(byUser), "at": place?.traced ?? .null])
            )
        case .tap(let tap, let place):
            .word(
                "tap",
                .members(["did": .string(tap.name), "reason": .string(tap.text), "at": place?.traced ?? .null])
            )
        case .diagnostic(let diagnostic): .word("diagnostic", diagnostic.traced)
        case .blocked(let attempt): .word("blocked", attempt.traced)
        case .closeRequested(let by): .word("closeRequested", by == .user ? "user" : "creative")
        case .skipRequested: "skipRequested"
        case .video(let event, let spot): .word("video", .members(["spot": .int(spot), "did": event.traced]))
        case .partClicked(let part, let link, let byUser, let spot):
            .word(
                "partClicked",
                .members([
                    "part": part.traced, "url": .text(link?.text), "byUser": .bool(byUser), "spot": .int(spot),
                ])
            )
        case .message(let text): .word("message", .string(text))
        case .crashed(let text, .crash): .word("crashed", .string(text))
        case .crashed(let text, let cause):
            .word("ended", .members(["code": .string(cause.rawValue), "message": .string(text)]))
        case .gone: "gone"
        }
    }

    package init?(traced json: AdJSON) {
        guard let (name, value) = json.word else { return nil }
        switch name {
        case "ready": self = .ready
        case "revealed": self = .revealed
        case "visible":
            guard let ratio = value.measure else { return nil }
            self = .visible(ratio: ratio)
        case "click":
            guard let link = value.optional("url", ClickThroughURL.init(traced:)), let byUser = value["byUser"]?.bool
            else {
                return nil
            }
            guard let place = value.optional("at", TapPoint.init(traced:)) else { return nil }
            self = .click(link, byUser: byUser, at: place)
        case "tap":
            guard let tap = TapWithoutLink(traced: value), let place = value.optional("at", TapPoint.init(traced:))
            else { return nil }
            self = .tap(tap, at: place)
        case "diagnostic":
            guard let diagnostic = CreativeDiagnostic(traced: value) else { return nil }
            self = .diagnostic(diagnostic)
        case "blocked":
            guard let attempt = BlockedAttempt(traced: value) else { return nil }
            self = .blocked(attempt)
        case "closeRequested":
            guard let by = value.string, by == "user" || by == "creative" else { return nil }
            self = .closeRequested(by: by == "user" ? .user : .creative)
        case "skipRequested": self = .skipRequested
        case "gone": self = .gone
        default:
            guard let event = StageEvent.videoEvent(name, value) ?? StageEvent.pageEvent(name, value) else {
                return nil
            }
            self = event
        }
    }

    /// A message or the end of a page.
    private static func pageEvent(_ name: String, _ value: AdJSON) -> StageEvent? {
        switch name {
        case "message", "crashed":
            guard let text = value.string else { return nil }
            return name == "message" ? .message(text) : .crashed(text)
        case "ended":
            guard let text = value["message"]?.string, let code = value["code"]?.string,
                let cause = CrashCause(rawValue: code), cause != .crash
            else { return nil }
            return .crashed(text, cause: cause)
        default: return nil
        }
    }

    /// An event of a video or of one of its parts.
    private static func videoEvent(_ name: String, _ value: AdJSON) -> StageEvent? {
        switch name {
        case "video":
            guard let spot = value["spot"]?.whole(Int.self), let event = value["did"].flatMap(VideoEvent.init(traced:))
            else { return nil }
            return .video(event, spot: spot)
        case "partClicked":
            guard let part = value["part"].flatMap(VideoPartID.init(traced:)),
                let link = value.optional("url", ClickThroughURL.init(traced:)), let byUser = value["byUser"]?.bool,
                let spot = value["spot"]?.whole(Int.self)
            else { return nil }
            return .partClicked(part, link, byUser: byUser, spot: spot)
        default: return nil
        }
    }
}

extension ClickThroughURL {
    package init?(traced json: AdJSON) {
        guard let text = json.string else { return nil }
        self.init(text)
    }
}

extension BlockedAttempt {
    package var traced: AdJSON { .members(["kind": .string(self.kind.rawValue), "detail": .string(self.detail)]) }

    package init?(traced json: AdJSON) {
        guard let kind = json["kind"]?.string.flatMap(Kind.init), let detail = json["detail"]?.string else {
            return nil
        }
        self.init(kind, detail)
    }
}

extension VideoPartID {
    package var traced: AdJSON { .string(self.description) }

    package init?(traced json: AdJSON) {
        guard let text = json.string, let dash = text.lastIndex(of: "-"),
            let number = Int(text[text.index(after: dash)...]), number >= 0
        else { return nil }
        switch text[..<dash] {
        case "icon": self = .icon(number)
        case "companion": self = .companion(number)
        case "verification": self = .verification(number)
        default: return nil
        }
    }
}

extension VideoEvent {
    package var traced: AdJSON {
        switch self {
        case .loaded: "loaded"
        case .started(let duration): .word("started", duration?.traced ?? .null)
        case .progressed(let time): .word("progressed", time.traced)
        case .sought(let time): .word("sought", time.traced)
        case .muted(let isMuted): .word("muted", .bool(isMuted))
        case .paused: "paused"
        case .resumed: "resumed"
        case .enlarged(let isLarge): .word("enlarged", .bool(isLarge))
        case .interacted(let interaction): .word("interacted", .string(interaction.rawValue))
        case .completed: "completed"
        case .stopped: "stopped"
        case .skipped: "skipped"
        case .extended: "extended"
        case .interactiveLoading: "interactiveLoading"
        case .failed(let code, let text): .word("failed", .members(["vast": .int(code), "message": .string(text)]))
        case .partShown(let part): .word("partShown", part.traced)
        case .partFailed(let part, let code, let text):
            .word(
                "partFailed",
                .members(["part": part?.traced ?? .null, "vast": .int(code), "message": .string(text)])
            )
        case .verification(let number, let state):
            .word("verification", .members(["number": .int(number), "state": state.traced]))
        }
    }

    /// The events without a value.
    private static let plain: [String: VideoEvent] = [
        "loaded": .loaded, "paused": .paused, "resumed": .resumed, "completed": .completed, "stopped": .stopped,
        "skipped": .skipped,
        "extended": .extended,
        "interactiveLoading": .interactiveLoading,
    ]

    package init?(traced json: AdJSON) {
        guard let (name, value) = json.word else { return nil }
        if let event = VideoEvent.plain[name] {
            self = event
            return
        }
        switch name {
        case "started":
            let duration = Duration(traced: value)
            guard duration != nil || value == .null else { return nil }
            self = .started(duration: duration)
        case "progressed", "sought":
            guard let time = Duration(traced: value) else { return nil }
            self = name == "sought" ? .sought(time) : .progressed(time)
        case "muted", "enlarged":
            guard let flag = value.bool else { return nil }
            self = name == "muted" ? .muted(flag) : .enlarged(flag)
        case "interacted":
            guard let interaction = value.string.flatMap(VideoInteraction.init) else { return nil }
            self = .interacted(interaction)
        case "failed":
            guard let code = value["vast"]?.whole(Int.self), let text = value["message"]?.string else { return nil }
            self = .failed(vastCode: code, text)
        case "partShown":
            guard let part = VideoPartID(traced: value) else { return nil }
            self = .partShown(part)
        case "partFailed":
            guard let part = value.optional("part", VideoPartID.init(traced:)),
                let code = value["vast"]?.whole(Int.self), let text = value["message"]?.string
            else { return nil }
            self = .partFailed(part, vastCode: code, text)
        case "verification":
            guard let number = value["number"]?.whole(Int.self),
                let state = value["state"].flatMap(VerificationState.init(traced:))
            else { return nil }
            self = .verification(number, state)
        default: return nil
        }
    }
}

extension VerificationState {
    package var traced: AdJSON {
        switch self {
        case .loading: "loading"
        case .executed: "executed"
        case .notExecuted(let reason, let text):
            .word("notExecuted", .members(["reason": .int(reason.rawValue), "message": .string(text)]))
        }
    }

    package init?(traced json: AdJSON) {
        guard let (name, value) = json.word else { return nil }
        switch name {
        case "loading": self = .loading
        case "executed": self = .executed
        case "notExecuted":
            guard let reason = value["reason"]?.whole(Int.self).flatMap(Reason.init(rawValue:)),
                let text = value["message"]?.string
            else { return nil }
            self = .notExecuted(reason, text)
        default: return nil
        }
    }
}
