import AdCore
import ChromiumStage

/// The requests that were made for an ad, with bars that show when.
struct RequestTable {
    private let requests: [ReportRequest]
    /// As many as are listed; the HAR has all of them.
    private static let most = 300

    init(_ requests: [ReportRequest]) { self.requests = requests }

    var html: HTML {
        guard let start = self.requests.map(\.start).min(),
            let end = self.requests.map({ $0.start + $0.length }).max()
        else { return .none }
        let scale = TimeScale(length: end - start, from: 0, to: 100)
        let rows = self.requests.prefix(RequestTable.most).map { request -> HTML in
            let from = scale.x(request.start - start)
            let width = max(0.6, scale.x(request.start + request.length - start) - from)
            let (kind, outcome, type, bytes) = request.outcome.words
            return """
                <tr><td>\(request.purpose)</td><td class="url" title="\(request.url)">\
                \(request.method == "GET" ? "" : request.method + " ")\(request.url)</td>\
                <td><span class="badge \(kind)">\(outcome)</span></td><td>\(type)</td><td class="num">\(bytes)</td>\
                <td class="bar" title="\(TimeScale.words(request.start - start)), for \(TimeScale.words(request.length))">\
                <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">\
                <rect class="\(request.isCreatives ? "creative" : "runtime")" x="\(px(min(from, 99.4)))" y="1" \
                width="\(px(width))" height="8"/></svg></td></tr>
                """
        }
        let more = self.requests.count - rows.count
        let rest: HTML = more > 0 ? "<p>\(more) more are in requests.har.</p>" : .none
        let title = "Requests, over \(TimeScale.words(end - start))"
        return """
            \(ReportTable.table(title, ["for", "address", "status", "type", "size", "when"], rows))\(rest)
            """
    }
}

extension StageRequest.Outcome {
    /// The class of its colour, what became of it, the type and the size, as people read them.
    fileprivate var words: (kind: String, outcome: String, type: String, bytes: String) {
        switch self {
        case .answered(let status, let type, let bytes):
            (status < 400 ? "good" : "bad", String(status), type ?? "", RequestTable.size(bytes))
        case .failed(let reason): ("bad", reason, "", "")
        case .blocked(let reason): ("warn", "blocked: \(reason)", "", "")
        }
    }
}

extension RequestTable {
    fileprivate static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1000: "\(bytes) B"
        case ..<1_000_000: "\(JSON.double((Double(bytes) / 100).rounded() / 10).text()) kB"
        default: "\(JSON.double((Double(bytes) / 100_000).rounded() / 10).text()) MB"
        }
    }
}

/// A table of a report.
enum ReportTable {
    static func table(_ title: String?, _ columns: [String], _ rows: [HTML]) -> HTML {
        let head = HTML.all(columns.map { "<th scope=\"col\">\($0)</th>" })
        let name: HTML = title.map { "<h3>\($0)</h3>" } ?? .none
        return """
            <section class="table">\(name)<div class="wide"><table><thead><tr>\(head)</tr></thead>
            <tbody>\(HTML.all(rows))</tbody></table></div></section>
            """
    }
}
