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
        let rows = shown.flatMap { request -> [HTML] in
            let from = scale.x(request.start - start)
            let width = max(0.6, scale.x(request.start + request.length - start) - from)
            let (rating, outcome, type, bytes) = request.outcome.cells
            let hops = RequestTable.hops(to: request)
            let before = RequestTable.indent(hops.last) + (request.method == "GET" ? "" : request.method + " ")
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
            // The request is to where its redirects have led.
            return zip(request.redirects, hops).map { RequestTable.row($0, $1) } + [row]
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

    /// How far the rows of a request are indented: each of its redirects, and what they have led to.
    ///
    /// A wrapper is below the tag.
    private static func hops(to request: ReportRequest) -> Range<Int> {
        let first = request.purpose == .wrapper ? 1 : 0
        return first..<(first + request.redirects.count + 1)
    }

    /// What stands before the URL of a request that another one led to.
    private static func indent(_ hop: Int?) -> String {
        guard let hop, hop > 0 else { return "" }
        return String(repeating: "\u{2003}", count: min(hop, 8) - 1) + "↳ "
    }

    /// A redirect that was followed.
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
