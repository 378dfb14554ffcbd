package import AdCore

/// The coding of a lifecycle's actions in traces; a replay compares them as JSON and never decodes them.
extension AdAction {
    package var traced: AdJSON {
        switch self {
        case .request: "request"
        case .cancelRequest: "cancelRequest"
        case .finish(let command, let error):
            .word("finish", .members(["command": .int(command.number), "error": error?.traced ?? .null]))
        case .emit(let event): .word("emit", .string(event.name))
        case .setTimer(let timer, let moment):
            .word("setTimer", .members(["timer": .string(timer.rawValue), "at": moment.traced]))
        case .cancelTimer(let timer): .word("cancelTimer", .string(timer.rawValue))
        case .present: "present"
        case .stage(let command): .word("stage", command.traced)
        case .record(let event): .word("record", .string(event.rawValue))
        case .settle(.won): .word("settle", "won")
        case .settle(.lost(let reason)): .word("settle", .int(reason.rawValue))
        case .requestNext(let reason): .word("requestNext", .int(reason.rawValue))
        case .track(let event): .word("tell", event.traced)
        case .open(let link): .word("open", .string(link.text))
        case .release: "release"
        }
    }
}

extension AdInputResult {
    package var traced: AdJSON {
        switch self {
        case .accepted: "accepted"
        case .ignored(let reason): .word("ignored", .string(reason))
        case .refused(let code): .word("refused", .string(code.description))
        }
    }
}

extension StageCommand {
    package var traced: AdJSON {
        switch self {
        case .reveal: "reveal"
        case .control(let control, let visible):
            .word(visible ? "showControl" : "hideControl", .string(control.rawValue))
        case .video(let command): .word("video", command.traced)
        case .post(let message): .word("post", .string(message))
        case .close(let reason): .word("close", .string(reason.rawValue))
        }
    }
}

extension VideoCommand {
    package var traced: AdJSON {
        switch self {
        case .play: "play"
        case .pause: "pause"
        case .next(let spot): .word("next", .int(spot))
        case .showEndCard: "showEndCard"
        case .part(let part, let visible): .word(visible ? "showPart" : "hidePart", part.traced)
        }
    }
}

extension TrackingEvent {
    package var traced: AdJSON {
        .members([
            "event": .string(self.event.rawValue), "spot": self.spot.map { .int($0) } ?? .null,
            "part": self.part?.traced ?? .null, "ordinal": self.ordinal == 0 ? .null : .int(self.ordinal),
            "position": self.position?.traced ?? .null, "code": self.code.map { .int($0) } ?? .null,
            "muted": self.isMuted ? true : .null,
        ])
    }
}
