import AdCore
import ChromiumStage

/// The requests that were made for an ad, with bars that show when.
struct RequestTable {
    private let requests: [ReportRequest]
    /// As many as are listed; the HAR has all of them.
    private static let most = 300

    /// Where the table is on the page.
    private let anchor: String

    init(_ requests: [ReportRequest], anchor: String) {
        self.requests = requests
        self.anchor = anchor
    }

    func table(_ part: ReportTable.Part) -> HTML {
        guard let start = self.requests.map(\.start).min(),
            let end = self.requests.map({ $0.start + $0.length }).max()
        else { return .none }
        let scale = TimeScale(length: end - start, from: 0, to: 100)
        let rows = self.requests.prefix(RequestTable.most).map { request -> HTML in
            let from = scale.x(request.start - start)
            let width = max(0.6, scale.x(request.start + request.length - start) - from)
            let (mood, outcome, type, bytes) = request.outcome.words
            return """
                <tr>\(ReportTable.name(request.purpose))<td>\(request.isCreatives ? "creative" : "yabbi")</td>\
                \(ReportTable.address(request.url, request.method == "GET" ? "" : request.method + " "))\
                <td>\(ReportTable.badge(mood, outcome))</td><td>\(type)</td><td class="num">\(bytes)</td>\
                <td class="num">\(TimeScale.words(request.start - start))</td>\
                <td class="num">\(TimeScale.words(request.length))</td>\
                <td class="bar"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">\
                <rect class="\(request.isCreatives ? "creative" : "runtime")" x="\(px(min(from, 99.4)))" y="1" \
                width="\(px(width))" height="8"/></svg></td></tr>
                """
        }
        let more = self.requests.count - rows.count
        let rest: HTML = more > 0 ? "<p>\(more) more are in requests.har.</p>" : .none
        return ReportTable.section(
            part,
            "Requests",
            about: self.summary(over: end - start),
            anchor: self.anchor,
            ["for", "by", "address", "status", "type", "size", "at", "took", "when"],
            rows,
            rest
        )
    }

    /// Who asked for how much.
    private func summary(over time: Duration) -> String {
        let own = self.requests.count { $0.isCreatives }
        return "\(own) by the creative, \(self.requests.count - own) by yabbi, over \(TimeScale.words(time))"
    }
}

extension StageRequest.Outcome {
    /// How good it is, what became of it, the type and the size, as people read them.
    fileprivate var words: (mood: Mood, outcome: String, type: String, bytes: String) {
        switch self {
        case .answered(let status, let type, let bytes):
            (status < 400 ? .good : .bad, String(status), type ?? "", RequestTable.size(bytes))
        // What the browser calls aborted was given up: by the page, or because it was to lead away.
        case .failed("net::ERR_ABORTED"): (.plain, "given up before an answer", "", "")
        case .failed(let reason): (.bad, reason, "", "")
        case .blocked(let reason): (.warn, "blocked: \(reason)", "", "")
        }
    }
}

extension RequestTable {
    static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1000: "\(bytes) B"
        case ..<1_000_000: "\(AdJSON.double((Double(bytes) / 100).rounded() / 10).text()) kB"
        default: "\(AdJSON.double((Double(bytes) / 100_000).rounded() / 10).text()) MB"
        }
    }
}
