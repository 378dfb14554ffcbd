import AdCore
import WebStage

/// The events that the injected scripts report.
enum PageReports {
    /// The event of a call of the console.
    static func console(_ text: String) -> EngineEvent.Kind? {
        guard let json = try? AdJSON(parsing: text) else { return nil }
        switch json["k"]?.string {
        case "console":
            let level = ConsoleMessage.Level(rawValue: json["level"]?.string ?? "log") ?? .log
            return .console(level, self.error(json, prefix: level == .error ? "console.error: " : ""))
        case "error": return .scriptError(self.error(json))
        default: return nil
        }
    }

    static func error(_ json: AdJSON, prefix: String = "") -> ScriptError {
        func number(_ name: String) -> Int? { json[name]?.number.flatMap(Int.init(exactly:)) }
        let text = (json["text"]?.string ?? "").prefix(2_000).prefix { $0 != "\n" }
        // WebKit counts from 1, and the stage expects places that count from 0.
        return ScriptError(
            reported: prefix + text,
            url: StageScheme.stageURL(json["url"]?.string ?? ""),
            line: number("line").map { $0 - 1 },
            column: number("column").map { $0 - 1 }
        )
    }

    /// The events of a resource that did not load.
    static func failed(_ json: AdJSON, as number: String, _ rules: ContentRules) -> [EngineEvent.Kind] {
        guard let url = json["url"]?.string, !url.isEmpty else { return [] }
        // What the stage has answered itself it knows already.
        guard !StageScheme.isOwn(url), !url.hasPrefix("data:"), !url.hasPrefix("blob:") else { return [] }
        if let rule = rules.refusal(of: url) { return [.requestRefused(EngineRefusal(url: url, rule: rule))] }
        return [
            .network(.sent(number, url: url, method: nil, kind: .other, redirect: nil)),
            .network(.failed(number, .other("the resource did not load"), kind: .other)),
        ]
    }

    /// The events of a resource that was loaded (W3C Resource Timing); its size is 0 unless its server tells it.
    static func resource(_ json: AdJSON, as number: String, in frame: String) -> [EngineEvent.Kind] {
        guard let url = json["url"]?.string, !url.isEmpty, !StageScheme.isOwn(url), !url.hasPrefix("data:") else {
            return []
        }
        let kind = self.kinds[json["kind"]?.string ?? ""] ?? .other
        let bytes = json["bytes"]?.number.flatMap { (0...1e9).contains($0) ? Int($0) : nil } ?? 0
        return [
            .network(.sent(number, url: url, method: nil, kind: kind, redirect: nil)),
            .network(.received(number, bytes: bytes)), .network(.finished(number, bytes: bytes)),
        ]
    }

    /// The kinds of requests by `initiatorType`.
    private static let kinds: [String: EngineRequest.Kind] = [
        "img": .image, "image": .image, "script": .script, "link": .stylesheet, "css": .image, "fetch": .fetch,
        "xmlhttprequest": .xhr, "beacon": .ping, "iframe": .document, "video": .media, "audio": .media,
        "track": .textTrack,
    ]
}
