package import AdCore

// The coding of taps and diagnostics in `--json`, reports and traces.

extension Tap {
    var members: [AdJSON.Member] {
        var url: String?
        var reason: String?
        switch self.outcome {
        case .click(let link), .link(let link): url = link.text
        case .creative(let text), .nothing(let text): reason = text
        }
        return [
            .init("x", self.place.map { .double($0.x) } ?? .null),
            .init("y", self.place.map { .double($0.y) } ?? .null),
            .init("target", .text(self.place?.target)), .init("outcome", .string(self.outcome.name)),
            .init("url", .text(url)), .init("reason", .text(reason)),
        ]
    }
}

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
    var members: [AdJSON.Member] {
        switch self {
        case .requestFailed(let request): request.members
        case .scriptError(let error): error.members
        case .blank(let blank):
            [
                .init("requests", .array(blank.requests.map { .object($0.members) })),
                .init("errors", .array(blank.errors.map { .object($0.members) })),
                .init("waiting", .array(blank.waiting.map { .string($0) })),
            ]
        }
    }

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
    fileprivate var members: [AdJSON.Member] {
        [.init("url", .string(self.url)), .init("reason", .string(self.reason))]
    }

    fileprivate init?(traced json: AdJSON) {
        guard let url = json["url"]?.string, let reason = json["reason"]?.string else { return nil }
        self.init(url: url, reason: reason)
    }
}

extension ScriptError {
    fileprivate var members: [AdJSON.Member] {
        [
            .init("message", .string(self.message)), .init("url", .text(self.url)),
            .init("line", self.line.map { .int($0) } ?? .null), .init("column", self.column.map { .int($0) } ?? .null),
        ]
    }

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
