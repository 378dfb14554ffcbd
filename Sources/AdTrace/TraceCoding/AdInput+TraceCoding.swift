package import AdCore

/// The coding of an ad's inputs in traces.
extension AdInput {
    package var traced: AdJSON {
        switch self {
        case .load(let command): .word("load", .int(command.number))
        case .show(let command): .word("show", .int(command.number))
        case .showCapped(let command, let error):
            .word("showCapped", .members(["command": .int(command.number), "error": error.traced]))
        case .cancel(let command): .word("cancel", .int(command.number))
        case .close: "close"
        case .destroy: "destroy"
        case .offerArrived(let rules): .word("offer", rules.value.traced)
        case .loadFailed(let error): .word("loadFailed", error.traced)
        case .presentFailed(let error): .word("presentFailed", error.traced)
        case .stage(let event): .word("stage", event.traced)
        case .signal(let signal): .word("signal", signal.traced)
        case .timer(let timer): .word("timer", .string(timer.rawValue))
        case .recorded(let event): .word("recorded", .string(event.rawValue))
        case .tracked: "told"
        case .linkOpened(let link, let outcome): .word("linkOpened", .object(outcome.members(of: link)))
        }
    }

    package init?(traced json: AdJSON) {
        guard let (name, value) = json.word else { return nil }
        switch name {
        case "load", "show", "cancel":
            guard let number = value.whole(UInt64.self) else { return nil }
            let command = CommandID(number)
            self = name == "load" ? .load(command) : name == "show" ? .show(command) : .cancel(command)
        case "showCapped":
            guard let capped = AdInput.capped(value) else { return nil }
            self = capped
        case "close": self = .close
        case "destroy": self = .destroy
        case "offer":
            guard let rules = ShowRules(traced: value) else { return nil }
            self = .offerArrived(rules)
        case "loadFailed":
            guard let error = AdError(traced: value) else { return nil }
            self = .loadFailed(error)
        case "presentFailed":
            guard let error = StageError(traced: value) else { return nil }
            self = .presentFailed(error)
        case "stage":
            guard let event = StageEvent(traced: value) else { return nil }
            self = .stage(event)
        case "signal":
            guard let signal = HostSignal(traced: value) else { return nil }
            self = .signal(signal)
        case "timer":
            guard let timer = value.string.flatMap(AdTimer.init) else { return nil }
            self = .timer(timer)
        case "recorded":
            guard let event = value.string else { return nil }
            self = .recorded(BeaconEvent(event))
        case "told": self = .tracked
        case "linkOpened":
            guard let opened = AdInput.opened(value) else { return nil }
            self = opened
        default: return nil
        }
    }
}

extension AdInput {
    fileprivate static func capped(_ json: AdJSON) -> AdInput? {
        guard let number = json["command"]?.whole(UInt64.self),
            let error = json["error"].flatMap(AdError.init(traced:))
        else { return nil }
        return .showCapped(CommandID(number), error)
    }

    fileprivate static func opened(_ json: AdJSON) -> AdInput? {
        guard let link = json["url"]?.string.flatMap(ClickThroughURL.init), let outcome = LinkOpenResult(traced: json)
        else { return nil }
        return .linkOpened(link, outcome)
    }
}

extension LinkOpenResult {
    /// Decodes how a link was opened; without a mode, as in traces of older versions, in the system's browser.
    fileprivate init?(traced json: AdJSON) {
        guard let isOpened = json["opened"]?.bool else { return nil }
        guard isOpened else {
            self = .notOpened
            return
        }
        guard let mode = json.optional("mode", { $0.string.flatMap(LinkOpenMode.init(rawValue:)) }) else { return nil }
        self = .opened(mode ?? .systemBrowser)
    }
}

extension HostSignal {
    package var traced: AdJSON {
        switch self {
        case .covered(let isCovered): .word("covered", .bool(isCovered))
        case .background(let isAway): .word("background", .bool(isAway))
        case .network(let kind): .word("network", .string(kind.rawValue))
        case .volume(let percent): .word("volume", .double(percent))
        case .obstructed(let views):
            .word(
                "obstructed",
                .array(
                    views.map { view in
                        let numbers = [view.x, view.y, view.size.width, view.size.height].map { AdJSON.double($0) }
                        return .array(numbers + [.string(view.name)])
                    }
                )
            )
        }
    }

    package init?(traced json: AdJSON) {
        guard let (name, value) = json.word else { return nil }
        switch (name, value) {
        case ("covered", .bool(let isCovered)): self = .covered(isCovered)
        case ("background", .bool(let isAway)): self = .background(isAway)
        case ("network", .string(let text)):
            guard let kind = NetworkKind(rawValue: text) else { return nil }
            self = .network(kind)
        case ("volume", _):
            guard let percent = value.number else { return nil }
            self = .volume(percent)
        case ("obstructed", .array(let list)):
            let views = list.compactMap { json -> AdObstruction? in
                guard let values = json.array, values.count == 5, let name = values[4].string else { return nil }
                let numbers = values.compactMap(\.number)
                guard numbers.count == 4 else { return nil }
                let size = Size(width: numbers[2], height: numbers[3])
                return AdObstruction(x: numbers[0], y: numbers[1], size: size, name: name)
            }
            guard views.count == list.count else { return nil }
            self = .obstructed(views)
        default: return nil
        }
    }
}

extension StageError {
    package var traced: AdJSON {
        .members(["message": .string(self.message), "vast": self.vastCode.map { .int($0) } ?? .null])
    }

    package init?(traced json: AdJSON) {
        guard let message = json["message"]?.string,
            let vastCode = json.optional("vast", { $0.whole(Int.self) })
        else { return nil }
        self.init(message, vastCode: vastCode)
    }
}

/// The coding of an error without its underlying error, which can be of any type; no decision depends on it.
extension AdError {
    package var traced: AdJSON {
        .members([
            "code": .string(self.code.description), "message": .string(self.message),
            "provider": .text(self.place.provider?.rawValue), "url": .text(self.place.url),
            "line": self.place.line.map { .int($0) } ?? .null,
            "wrapperDepth": self.place.wrapperDepth.map { .int($0) } ?? .null,
            "vast": self.vastCode.map { .int($0) } ?? .null,
        ])
    }

    package init?(traced json: AdJSON) {
        func whole(_ json: AdJSON) -> Int? { json.whole() }
        guard let code = json["code"]?.string.flatMap(Code.init(named:)), let message = json["message"]?.string,
            let provider = json.optional("provider", \.string), let url = json.optional("url", \.string),
            let line = json.optional("line", whole), let depth = json.optional("wrapperDepth", whole),
            let vastCode = json.optional("vast", whole)
        else { return nil }
        let place = Place(provider: provider.map { ProviderName($0) }, url: url, line: line, wrapperDepth: depth)
        self.init(code, message, at: place, vastCode: vastCode)
    }
}
