package import AdCore
package import PlayConsole
package import PlayText
package import WebStage

/// A request of the runtime or of a creative, with its outcome.
///
/// Its times are real ones, whatever the speed of the ads' clock.
package struct ReportRequest: Hashable, Sendable {
    package let purpose: RequestPurpose
    /// What a creative requested, such as `Image`; nil for a request of the runtime.
    package let kind: String?
    package let method: String
    /// The redacted URL.
    package let url: String
    /// The start since that of the run.
    package let start: Duration
    package let length: Duration
    /// The redirects that were followed, with redacted URLs.
    package let redirects: [Redirect]
    package let outcome: StageRequest.Outcome

    /// A redirect that was followed.
    package struct Redirect: Hashable, Sendable {
        package let url: String
        package let status: Int
    }

    package init(
        purpose: RequestPurpose,
        kind: String? = nil,
        method: String,
        url: String,
        start: Duration,
        length: Duration,
        redirects: [Redirect] = [],
        outcome: StageRequest.Outcome
    ) {
        self.purpose = purpose
        self.kind = kind
        self.method = method
        self.url = url
        self.start = start
        self.length = length
        self.redirects = redirects
        self.outcome = outcome
    }

    /// A request of a creative, whose stage started after `stageStart`.
    package init(_ request: StageRequest, since stageStart: Duration) {
        self.init(
            purpose: .creative,
            kind: request.kind,
            method: request.method,
            url: request.url,
            start: stageStart + request.start,
            length: request.length,
            outcome: request.outcome
        )
    }

    /// Whether the creative sent it.
    var isCreatives: Bool { self.purpose == .creative }

    /// Its purpose or resource type in a table.
    var label: String {
        switch self.purpose {
        case .tag: "Tag"
        case .load: "Ad request"
        case .wrapper: "Wrapper"
        case .media: "Media"
        case .beacon: "Beacon"
        case .creative: self.kind ?? "Creative"
        }
    }
}

// As an event.

extension ReportRequest {
    /// The request as the event `fetch`.
    ///
    /// Without times, as in virtual time, the output is the same in every run.
    package func row(withTimes: Bool = true) -> EventRow {
        var (status, type, bytes, reason): (AdJSON, AdJSON, AdJSON, AdJSON) = (.null, .null, .null, .null)
        switch self.outcome {
        case .answered(let code, let kind, let size): (status, type, bytes) = (.int(code), .text(kind), .int(size))
        case .failed(let failure): reason = .string(failure.text)
        }
        return EventRow(
            EventTable.Row.fetch.name,
            "",
            [
                "what": .string(self.purpose.rawValue), "kind": .text(self.kind), "method": .string(self.method),
                "url": .string(self.url), "status": status, "type": type, "bytes": bytes,
                "at": withTimes ? .int(self.start.wholeMilliseconds) : .null,
                "ms": withTimes ? .int(self.length.wholeMilliseconds) : .null,
                "redirects": .array(
                    self.redirects.map { ["url": .string($0.url), "status": .int($0.status)] as AdJSON }
                ), "reason": reason,
            ]
        )
    }

    /// The request as a line of text.
    package var text: StyledText {
        let via = self.redirects.isEmpty ? "" : ", \(Quantity.text(self.redirects.count, "redirect"))"
        let address = Style.printable(self.url, upTo: 300)
        let name = "\(self.purpose.rawValue)\(self.kind.map { " \($0.asciiLowercased)" } ?? "")"
        switch self.outcome {
        case .answered(let status, _, let bytes):
            let size = bytes < 0 ? "" : ", \(RequestTable.size(bytes))"
            let text = "  \(name)  \(status), \(self.length.wholeMilliseconds) ms\(size)\(via)  \(address)"
            return status < 400 ? .plain("fetched" + text) : .yellow("fetched", text)
        case .failed(let failure):
            return .yellow("not fetched", "  \(name)  \(failure.text)\(via)  \(address)")
        }
    }

    package var rating: Rating {
        switch self.outcome {
        case .answered(let status, _, _): status < 400 ? .plain : .warn
        case .failed(.cancelled): .plain
        case .failed: .warn
        }
    }
}

extension StageRequest.Failure {
    /// Why there is no response, in a few words.
    package var text: String {
        switch self {
        case .cancelled: "cancelled"
        case .blockedByStage: "blocked: inspector"
        case .refused(let rule): "blocked: \(rule.name)"
        case .other(let reason): reason
        }
    }
}
