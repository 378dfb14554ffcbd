import AdCore

/// The rules of an ad's life, as traces write them.
extension ShowTerms {
    var traced: JSON {
        .members([
            "kind": .string(self.kind.name), "video": self.video?.traced ?? .null,
            "closeTimeout": self.closeTimeout?.traced ?? .null,
            "closeControl": self.closeControl == .button ? "button" : "host",
            "lifetime": self.lifetime?.traced ?? .null, "clickThrough": .text(self.clickThrough?.text),
            "viewPolicy": self.viewPolicy.traced,
        ])
    }

    init?(traced json: JSON) {
        guard let name = json["kind"]?.string, let video = json.optional("video", VideoTerms.init(traced:)),
            let kind = Kind(named: name, video),
            let closeTimeout = json.optional("closeTimeout", Duration.init(traced:)),
            let control = json["closeControl"]?.string, control == "button" || control == "host",
            let lifetime = json.optional("lifetime", Duration.init(traced:)),
            let clickThrough = json.optional("clickThrough", LandingURL.init(traced:)),
            let policy = json["viewPolicy"].flatMap(ViewPolicy.init(traced:))
        else { return nil }
        self.init(
            kind,
            closeTimeout: closeTimeout,
            closeControl: control == "button" ? .button : .host,
            lifetime: lifetime,
            clickThrough: clickThrough,
            viewPolicy: policy
        )
    }
}

extension ShowTerms.Kind {
    init?(named name: String, _ video: VideoTerms?) {
        switch (name, video) {
        case ("banner", nil): self = .banner
        case ("interstitial", nil): self = .interstitial
        case ("card", nil): self = .card
        case ("engagement", nil): self = .engagement
        case ("video", let terms?): self = .video(terms)
        case ("rewarded", let terms?): self = .rewarded(terms)
        default: return nil
        }
    }
}

extension ViewPolicy {
    var traced: JSON {
        .members(["name": .string(self.name), "share": .measure(self.share), "duration": self.duration.traced])
    }

    init?(traced json: JSON) {
        guard let name = json["name"]?.string, let share = json["share"]?.measure,
            let duration = json["duration"].flatMap(Duration.init(traced:))
        else { return nil }
        self.init(name: name, share: share, duration: duration)
    }
}

extension VideoTerms {
    var traced: JSON {
        .members(["spots": .array(self.spots.map(\.traced)), "standIns": .int(self.standIns)])
    }

    init?(traced json: JSON) {
        guard let all = json["spots"]?.array, let standIns = json["standIns"]?.whole(Int.self) else { return nil }
        let spots = all.compactMap(SpotTerms.init(traced:))
        guard spots.count == all.count, let first = spots.first, (0..<spots.count).contains(standIns) else {
            return nil
        }
        self.init(first, Array(spots.dropFirst()), standIns: standIns)
    }
}

extension SpotTerms {
    var traced: JSON {
        let form: JSON =
            switch self.form {
            case .linear: "linear"
            case .overlay(let least): .word("overlay", least?.traced ?? .null)
            }
        return .members([
            "form": form, "duration": self.duration?.traced ?? .null, "skipOffset": self.skipOffset?.traced ?? .null,
            "hasEndCard": .bool(self.hasEndCard), "progress": .array(self.progress.map(\.traced)),
            "parts": .array(self.parts.map(\.traced)), "verifications": .int(self.verifications),
            "clickThrough": .text(self.clickThrough?.text),
        ])
    }

    init?(traced json: JSON) {
        let form: Form
        switch json["form"]?.word {
        case ("linear", .null)?: form = .linear
        case ("overlay", let least)?:
            let duration = Duration(traced: least)
            guard duration != nil || least == .null else { return nil }
            form = .overlay(least: duration)
        default: return nil
        }
        guard let duration = json.optional("duration", Duration.init(traced:)),
            let skipOffset = json.optional("skipOffset", MediaOffset.init(traced:)),
            let hasEndCard = json["hasEndCard"]?.bool, let verifications = json["verifications"]?.whole(Int.self),
            let clickThrough = json.optional("clickThrough", LandingURL.init(traced:)),
            let progress = json["progress"]?.array?.map(MediaOffset.init(traced:)), !progress.contains(nil),
            let parts = json["parts"]?.array?.map(PartTerms.init(traced:)), !parts.contains(nil)
        else { return nil }
        self.init(
            form,
            duration: duration,
            skipOffset: skipOffset,
            hasEndCard: hasEndCard,
            progress: progress.compactMap(\.self),
            parts: parts.compactMap(\.self),
            verifications: verifications,
            clickThrough: clickThrough
        )
    }
}

extension MediaOffset {
    var traced: JSON {
        switch self {
        case .time(let time): .word("time", time.traced)
        case .percent(let share): .word("percent", .measure(share))
        }
    }

    init?(traced json: JSON) {
        switch json.word {
        case ("time", let value)?:
            guard let time = Duration(traced: value) else { return nil }
            self = .time(time)
        case ("percent", let value)?:
            guard let share = value.measure else { return nil }
            self = .percent(share)
        default: return nil
        }
    }
}

extension PartTerms {
    var traced: JSON {
        let time = self.time.map { time in
            JSON.members(["start": time.start.traced, "length": time.length?.traced ?? .null])
        }
        return .members(["id": self.id.traced, "time": time ?? .null, "clickThrough": .text(self.clickThrough?.text)])
    }

    init?(traced json: JSON) {
        guard let id = json["id"].flatMap(VideoPartID.init(traced:)),
            let time = json.optional("time", Time.init(traced:)),
            let clickThrough = json.optional("clickThrough", LandingURL.init(traced:))
        else { return nil }
        self.init(id, time: time, clickThrough: clickThrough)
    }
}

extension PartTerms.Time {
    init?(traced json: JSON) {
        guard let start = json["start"].flatMap(Duration.init(traced:)),
            let length = json.optional("length", Duration.init(traced:))
        else { return nil }
        self.init(start: start, length: length)
    }
}

extension AdTiming {
    var traced: JSON {
        .members([
            "loading": self.loading.traced, "presenting": self.presenting.traced, "watchdog": self.watchdog.traced,
            "rewardedGrace": self.rewardedGrace.traced, "recording": self.recording.traced,
            "settling": self.settling.traced,
        ])
    }

    init?(traced json: JSON) {
        func duration(_ name: String) -> Duration? { json[name].flatMap(Duration.init(traced:)) }
        guard let loading = duration("loading"), let presenting = duration("presenting"),
            let watchdog = duration("watchdog"), let rewardedGrace = duration("rewardedGrace"),
            let recording = duration("recording"), let settling = duration("settling")
        else { return nil }
        self.init()
        self.loading = loading
        self.presenting = presenting
        self.watchdog = watchdog
        self.rewardedGrace = rewardedGrace
        self.recording = recording
        self.settling = settling
    }
}
