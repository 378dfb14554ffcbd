package import AdCore

// The coding of taps and diagnostics in traces.

extension TapPoint {
    package var traced: AdJSON {
        .members(["x": .measure(self.x), "y": .measure(self.y), "target": .text(self.target)])
    }

    package init?(traced json: AdJSON) {
        guard let x = json["x"]?.measure, let y = json["y"]?.measure else { return nil }
        self.init(x: x, y: y, target: json["target"]?.string)
    }
}

extension TapWithoutLink {
    var name: String {
        switch self {
        case .creative: "creative"
        case .nothing: "nothing"
        }
    }

    var text: String {
        switch self {
        case .creative(let text), .nothing(let text): text
        }
    }

    package init?(traced json: AdJSON) {
        guard let text = json["reason"]?.string else { return nil }
        switch json["did"]?.string {
        case "creative": self = .creative(text)
        case "nothing": self = .nothing(text)
        default: return nil
        }
    }
}

extension CreativeDiagnostic {
    package var traced: AdJSON { .word(self.name, .object(self.members)) }

    package init?(traced json: AdJSON) {
        guard let (name, value) = json.word else { return nil }
        switch name {
        case "requestFailed":
            guard let request = FailedRequest(traced: value) else { return nil }
            self = .requestFailed(request)
        case "scriptError":
            guard let error = ScriptError(traced: value) else { return nil }
            self = .scriptError(error)
        case "blank":
            self = .blank(
                BlankCreative(
                    requests: (value["requests"]?.array ?? []).compactMap(FailedRequest.init(traced:)),
                    errors: (value["errors"]?.array ?? []).compactMap(ScriptError.init(traced:)),
                    waiting: (value["waiting"]?.array ?? []).compactMap(\.string)
                )
            )
        default: return nil
        }
    }
}

extension FailedRequest {
    fileprivate init?(traced json: AdJSON) {
        guard let url = json["url"]?.string, let reason = json["reason"]?.string else { return nil }
        self.init(url: url, reason: reason)
    }
}

extension ScriptError {
    fileprivate init?(traced json: AdJSON) {
        guard let message = json["message"]?.string else { return nil }
        self.init(
            message,
            url: json["url"]?.string,
            line: json["line"]?.whole(Int.self),
            column: json["column"]?.whole(Int.self)
        )
    }
}
