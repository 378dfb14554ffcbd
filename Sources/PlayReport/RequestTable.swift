import AdCore
import PlayConsole
import PlayText
import WebStage

/// The requests of an ad with their times as bars.
struct RequestTable {
    private let requests: [ReportRequest]
    /// How many requests are listed; the HAR file has all of them.
    private static let maxRequests = 300

    private let anchor: String

    init(_ requests: [ReportRequest], anchor: String) {
        self.requests = requests
        self.anchor = anchor
    }

    func table(_ layout: ReportTable.Layout) -> HTML {
        guard let start = self.requests.map(\.start).min(),
            let end = self.requests.map({ $0.start + $0.length }).max()
        else { return .none }
        let scale = TimeScale(length: end - start, from: 0, to: 100)
        let shown = self.requests.prefix(RequestTable.maxRequests)
        let rows = zip(shown, RequestTable.hops(shown)).flatMap { request, hop -> [HTML] in
            let from = scale.x(request.start - start)
            let width = max(0.6, scale.x(request.start + request.length - start) - from)
            let (rating, outcome, type, bytes) = request.outcome.cells
            let before = RequestTable.indent(hop) + (request.method == "GET" ? "" : request.method + " ")
            let row: HTML = """
                <tr>\(ReportTable.name(request.label))<td>\(request.isCreatives ? "creative" : "yabbi")</td>\
                \(ReportTable.address(request.url, before))\
                <td>\(ReportTable.badge(rating, outcome))</td><td>\(type)</td><td class="num">\(bytes)</td>\
                <td class="num">\(TimeScale.text(request.start - start))</td>\
                <td class="num">\(TimeScale.text(request.length))</td>\
                <td class="bar"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">\
                <rect class="\(request.isCreatives ? "creative" : "runtime")" x="\(px(min(from, 99.4)))" y="1" \
                width="\(px(width))" height="8"/></svg></td></tr>
                """
            return [row] + request.redirects.map { RequestTable.row($0, hop + 1) }
        }
        let more = self.requests.count - shown.count
        let rest: HTML = more > 0 ? "<p>\(more) more are in requests.har.</p>" : .none
        return ReportTable.section(
            layout,
            "Requests",
            about: self.summary(over: end - start),
            anchor: self.anchor,
            ["purpose", "initiator", "URL", "status", "type", "size", "start", "duration", "timeline"],
            rows,
            rest
        )
    }

    /// How many wrappers lead to each request, from the tag or ad request before it; 0 for all but wrappers.
    private static func hops(_ requests: some Sequence<ReportRequest>) -> [Int] {
        var hop = 0
        return requests.map { request in
            switch request.purpose {
            case .tag, .load: hop = 0
            case .wrapper: hop += 1
            case .media, .creative, .beacon: return 0
            }
            return hop
        }
    }

    /// What stands before the URL of a request that another one led to.
    private static func indent(_ hop: Int) -> String {
        hop == 0 ? "" : String(repeating: "\u{2003}", count: min(hop, 8) - 1) + "↳ "
    }

    /// A redirect that was followed, under its request.
    private static func row(_ redirect: ReportRequest.Redirect, _ hop: Int) -> HTML {
        """
        <tr>\(ReportTable.name("Redirect"))<td></td>\(ReportTable.address(redirect.url, self.indent(hop)))\
        <td>\(ReportTable.badge(.plain, String(redirect.status)))</td><td></td><td></td><td></td><td></td><td></td></tr>
        """
    }

    /// The number of requests by initiator.
    private func summary(over time: Duration) -> String {
        let own = self.requests.count { $0.isCreatives }
        return "\(own) by the creative, \(self.requests.count - own) by yabbi, over \(TimeScale.text(time))"
    }
}

extension StageRequest.Outcome {
    /// The cells of the columns status, type and size.
    fileprivate var cells: (rating: Rating, outcome: String, type: String, bytes: String) {
        switch self {
        case .answered(let status, let type, let bytes):
            (status < 400 ? .good : .bad, String(status), type ?? "", RequestTable.size(bytes))
        case .failed(let failure):
            switch failure {
            case .cancelled: (.plain, failure.text, "", "")
            case .blockedByStage, .refused: (.warn, failure.text, "", "")
            case .other: (.bad, failure.text, "", "")
            }
        }
    }
}

extension RequestTable {
    static func size(_ bytes: Int) -> String { Quantity.bytes(bytes) }
}
