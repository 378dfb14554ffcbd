import AdCore
import AdMarkup
import PlayConsole
import WebStage

/// The requests of a run as HAR 1.2, which browsers and proxies can open.
struct HARLog {
    let ads: [ReportedAd]
    /// The wall-clock time at the start of the run.
    let origin: WallTime

    var json: AdJSON {
        let pages = self.ads.enumerated().map { index, ad -> AdJSON in
            [
                "startedDateTime": .string(self.date(ad.requests.first?.start ?? .zero)),
                "id": .string("ad-\(index + 1)"),
                "title": .string(ad.heading), "pageTimings": [:],
            ]
        }
        let entries = self.ads.enumerated().flatMap { index, ad in
            ad.requests.flatMap { self.entries($0, of: "ad-\(index + 1)") }
        }
        let creator: AdJSON = ["name": "yabbi-play", "version": .string(CommandVersion.number)]
        return [
            "log": ["version": "1.2", "creator": creator, "pages": .array(pages), "entries": .array(entries)]
        ]
    }

    private func date(_ time: Duration) -> String { CalendarText.iso8601(self.origin + time) }

    /// A request, and one entry before it for each redirect, as browsers write them.
    private func entries(_ request: ReportRequest, of page: String) -> [AdJSON] {
        let urls = request.redirects.map(\.url) + [request.url]
        let redirects = request.redirects.enumerated().map { index, redirect in
            // The time of each redirect is not known: the entry of the last request has the time of all.
            self.entry(
                request,
                redirect.url,
                .answered(status: redirect.status, type: nil, bytes: 0),
                time: .zero,
                redirectsTo: urls[index + 1],
                of: page
            )
        }
        return redirects + [self.entry(request, request.url, request.outcome, time: request.length, of: page)]
    }

    private func entry(
        _ request: ReportRequest,
        _ url: String,
        _ outcome: StageRequest.Outcome,
        time length: Duration,
        redirectsTo next: String = "",
        of page: String
    ) -> AdJSON {
        let time = AdJSON.double(length.inSeconds * 1000)
        var members: [AdJSON.Member] = [
            .init("pageref", .string(page)), .init("startedDateTime", .string(self.date(request.start))),
            .init("time", time),
            .init(
                "request",
                [
                    "method": .string(request.method), "url": .string(url), "httpVersion": "HTTP/1.1",
                    "cookies": [], "headers": [], "queryString": .array(HARLog.query(url)), "headersSize": -1,
                    "bodySize": -1,
                ]
            ),
            .init("response", HARLog.response(outcome, redirectsTo: next)), .init("cache", [:]),
            // Only the total time is known; HAR requires the three phases.
            .init("timings", ["send": 0, "wait": time, "receive": 0]),
            .init("_resourceType", .string(request.label.asciiLowercased)),
            .init("_initiator", .string(request.isCreatives ? "creative" : "runtime")),
        ]
        switch outcome {
        // The names are those that Chromium writes for a cancelled request and one that DevTools has blocked.
        case .failed(.cancelled): members.append(.init("_error", "net::ERR_ABORTED"))
        case .failed(.blockedByStage): members.append(.init("_blocked", "inspector"))
        case .failed(.refused(let rule)): members.append(.init("_blocked", .string(rule.name)))
        case .failed(.other(let reason)): members.append(.init("_error", .string(reason)))
        case .answered: break
        }
        return .object(members)
    }

    private static func response(_ outcome: StageRequest.Outcome, redirectsTo next: String) -> AdJSON {
        // Browsers write status 0 for a request without a response.
        var (status, type, bytes) = (0, "x-unknown", -1)
        if case .answered(let code, let kind, let size) = outcome {
            (status, type, bytes) = (code, kind ?? "x-unknown", size)
        }
        return [
            "status": .int(Int64(status)), "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
            "content": ["size": .int(Int64(max(0, bytes))), "mimeType": .string(type)], "redirectURL": .string(next),
            "headersSize": -1, "bodySize": .int(Int64(bytes)),
        ]
    }

    private static func query(_ url: String) -> [AdJSON] {
        guard let mark = url.firstIndex(of: "?") else { return [] }
        return url[url.index(after: mark)...].prefix { $0 != "#" }.split(separator: "&").map { pair -> AdJSON in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return ["name": .string(String(parts[0])), "value": .string(parts.count > 1 ? String(parts[1]) : "")]
        }
    }
}
