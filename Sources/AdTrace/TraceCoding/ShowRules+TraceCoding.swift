package import AdCore

/// The coding of an ad's rules in traces.
extension ShowRules {
    package var traced: AdJSON {
        .members([
            "kind": .string(self.kind.name), "video": self.video?.traced ?? .null,
            "closeTimeout": self.closeDelay?.traced ?? .null,
            "closeControl": self.closeControl == .button ? "button" : "host",
            "lifetime": self.lifetime?.traced ?? .null, "clickThrough": .text(self.clickThrough?.text),
            "viewPolicy": self.viewPolicy.traced, "sale": self.sale == Sale() ? .null : self.sale.traced,
            "reward": self.reward?.traced ?? .null,
        ])
    }

    package init?(traced json: AdJSON) {
        guard let name = json["kind"]?.string, let video = json.optional("video", VideoRules.init(traced:)),
            let kind = Kind(named: name, video),
            let closeDelay = json.optional("closeTimeout", Duration.init(traced:)),
            let control = json["closeControl"]?.string, control == "button" || control == "host",
            let lifetime = json.optional("lifetime", Duration.init(traced:)),
            let clickThrough = json.optional("clickThrough", ClickThroughURL.init(traced:)),
            let policy = json["viewPolicy"].flatMap(ViewabilityPolicy.init(traced:)),
            let sale = json.optional("sale", Sale.init(traced:)),
            let reward = json.optional("reward", AdReward.init(traced:))
        else { return nil }
        self.init(
            kind,
            closeDelay: closeDelay,
            closeControl: control == "button" ? .button : .host,
            lifetime: lifetime,
            clickThrough: clickThrough,
            viewPolicy: policy
        )
        if let sale { self.sale = sale }
        self.reward = reward
    }
}

extension AdReward {
    package var traced: AdJSON {
        .members([
            "amount": .text(self.amount?.description), "type": .text(self.type),
            "verificationURL": .text(self.verificationURL), "transaction": .text(self.transactionID),
        ])
    }

    package init?(traced json: AdJSON) {
        guard let amount = json.optional("amount", { $0.string.flatMap(AdDecimal.init) }) else { return nil }
        self.init(amount, of: json["type"]?.string)
        self.verificationURL = json["verificationURL"]?.string
        self.transactionID = json["transaction"]?.string
    }
}

extension Sale {
    package var traced: AdJSON {
        .members([
            "revenue": self.revenue?.traced ?? .null, "isAuctioned": self.isAuctioned ? true : .null,
            "hasSuccessor": self.hasSuccessor ? true : .null,
        ])
    }

    package init?(traced json: AdJSON) {
        guard let revenue = json.optional("revenue", AdRevenue.init(traced:)),
            let isAuctioned = json.optional("isAuctioned", \.bool),
            let hasSuccessor = json.optional("hasSuccessor", \.bool)
        else { return nil }
        self.init(revenue: revenue, isAuctioned: isAuctioned ?? false, hasSuccessor: hasSuccessor ?? false)
    }
}

extension AdRevenue {
    package var traced: AdJSON {
        .members([
            "amount": .string(self.amount.description), "currency": .string(self.currency.code),
            "precision": .string(self.precision.rawValue),
        ])
    }

    package init?(traced json: AdJSON) {
        guard let amount = json["amount"]?.string.flatMap(AdDecimal.init),
            let currency = json["currency"]?.string.flatMap(AdCurrency.init),
            let precision = json["precision"]?.string.flatMap(Precision.init)
        else { return nil }
        self.init(amount: amount, currency: currency, precision: precision)
    }
}

extension ShowRules.Kind {
    init?(named name: String, _ video: VideoRules?) {
        switch (name, video) {
        case ("banner", nil): self = .banner
        case ("interstitial", nil): self = .interstitial
        case ("card", nil): self = .card
        case ("engagement", nil): self = .engagement
        case ("video", let rules?): self = .video(rules)
        case ("rewarded", let rules?): self = .rewarded(rules)
        default: return nil
        }
    }
}

extension ViewabilityPolicy {
    package var traced: AdJSON {
        .members(["name": .string(self.name), "share": .measure(self.share), "duration": self.duration.traced])
    }

    package init?(traced json: AdJSON) {
        guard let name = json["name"]?.string, let share = json["share"]?.measure,
            let duration = json["duration"].flatMap(Duration.init(traced:))
        else { return nil }
        self.init(name: name, share: share, duration: duration)
    }
}

extension VideoRules {
    package var traced: AdJSON {
        .members(["spots": .array(self.spots.map(\.traced)), "standIns": .int(self.fallbackCount)])
    }

    package init?(traced json: AdJSON) {
        guard let all = json["spots"]?.array, let fallbackCount = json["standIns"]?.whole(Int.self) else { return nil }
        let spots = all.compactMap(SpotRules.init(traced:))
        guard spots.count == all.count, let first = spots.first, (0..<spots.count).contains(fallbackCount) else {
            return nil
        }
        self.init(first, Array(spots.dropFirst()), fallbackCount: fallbackCount)
    }
}

extension SpotRules {
    package var traced: AdJSON {
        let form: AdJSON =
            switch self.form {
            case .linear: "linear"
            case .overlay(let minimum): .word("overlay", minimum?.traced ?? .null)
            }
        return .members([
            "form": form, "duration": self.duration?.traced ?? .null, "skipOffset": self.skipOffset?.traced ?? .null,
            "hasEndCard": .bool(self.hasEndCard), "progress": .array(self.progress.map(\.traced)),
            "parts": .array(self.parts.map(\.traced)), "verifications": .int(self.verifications),
            "clickThrough": .text(self.clickThrough?.text), "interactive": self.interactive?.traced ?? .null,
        ])
    }

    package init?(traced json: AdJSON) {
        let form: Form
        switch json["form"]?.word {
        case ("linear", .null)?: form = .linear
        case ("overlay", let minimum)?:
            let duration = Duration(traced: minimum)
            guard duration != nil || minimum == .null else { return nil }
            form = .overlay(minimum: duration)
        default: return nil
        }
        guard let duration = json.optional("duration", Duration.init(traced:)),
            let skipOffset = json.optional("skipOffset", MediaOffset.init(traced:)),
            let hasEndCard = json["hasEndCard"]?.bool, let verifications = json["verifications"]?.whole(Int.self),
            let clickThrough = json.optional("clickThrough", ClickThroughURL.init(traced:)),
            let interactive = json.optional("interactive", Interactive.init(traced:)),
            let progress = json["progress"]?.array?.map(MediaOffset.init(traced:)), !progress.contains(nil),
            let parts = json["parts"]?.array?.map(PartRules.init(traced:)), !parts.contains(nil)
        else { return nil }
        self.init(
            form,
            duration: duration,
            skipOffset: skipOffset,
            hasEndCard: hasEndCard,
            progress: progress.compactMap(\.self),
            parts: parts.compactMap(\.self),
            verifications: verifications,
            clickThrough: clickThrough,
            interactive: interactive
        )
    }
}

extension SpotRules.Interactive {
    package var traced: AdJSON {
        switch self {
        case .besideVideo: "besideVideo"
        case .alone(let code): .word("alone", .int(code))
        }
    }

    package init?(traced json: AdJSON) {
        switch json.word {
        case ("besideVideo", .null)?: self = .besideVideo
        case ("alone", let code)?:
            guard let code = code.whole(Int.self) else { return nil }
            self = .alone(vastCode: code)
        default: return nil
        }
    }
}

extension MediaOffset {
    package var traced: AdJSON {
        switch self {
        case .time(let time): .word("time", time.traced)
        case .percent(let share): .word("percent", .measure(share))
        }
    }

    package init?(traced json: AdJSON) {
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

extension PartRules {
    package var traced: AdJSON {
        let time = self.time.map { time in
            AdJSON.members(["start": time.start.traced, "length": time.length?.traced ?? .null])
        }
        return .members(["id": self.id.traced, "time": time ?? .null, "clickThrough": .text(self.clickThrough?.text)])
    }

    package init?(traced json: AdJSON) {
        guard let id = json["id"].flatMap(VideoPartID.init(traced:)),
            let time = json.optional("time", Time.init(traced:)),
            let clickThrough = json.optional("clickThrough", ClickThroughURL.init(traced:))
        else { return nil }
        self.init(id, time: time, clickThrough: clickThrough)
    }
}

extension PartRules.Time {
    package init?(traced json: AdJSON) {
        guard let start = json["start"].flatMap(Duration.init(traced:)),
            let length = json.optional("length", Duration.init(traced:))
        else { return nil }
        self.init(start: start, length: length)
    }
}

extension AdTiming {
    package var traced: AdJSON {
        .members([
            "loading": self.loading.traced, "presenting": self.presenting.traced, "watchdog": self.watchdog.traced,
            "rewardedGrace": self.rewardedGrace.traced, "recording": self.recording.traced,
            "settling": self.settling.traced,
        ])
    }

    package init?(traced json: AdJSON) {
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
