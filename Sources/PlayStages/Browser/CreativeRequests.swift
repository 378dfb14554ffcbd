package import AdCore
import SystemSupport
package import WebStage

/// Counts the requests of creatives in a browser that a server may have received: they may be the creative's own
/// tracking pixels.
package final class CreativeRequests: Sendable {
    private let counts = Locked<[String: Int]>([:])
    /// The limit of different URLs.
    private static let maxURLs = 10_000

    package init() {}

    package func record(_ notification: StageNotification) {
        guard case .request(let request) = notification else { return }
        switch request.outcome {
        // The server may have received one without a response: the page cancelled it as it navigated, the connection
        // broke, the ad was closed first, or the browser refused the response.
        case .answered, .failed(.cancelled), .failed(.other), .failed(.refused(.other)): break
        case .failed(.blockedByStage), .failed(.refused): return
        }
        let url = String(request.url.prefix { $0 != "?" && $0 != "#" })
        self.counts.withLock { counts in
            if counts.count < CreativeRequests.maxURLs || counts[url] != nil { counts[url, default: 0] += 1 }
        }
    }

    /// The number of requests by path, for one server.
    package func paths(at server: HTTPURL?) -> [String: Int] {
        guard let origin = server?.origin else { return [:] }
        return self.counts.withLock { counts in
            let own = counts.filter { $0.key.hasPrefix(origin + "/") }
            return Dictionary(own.map { (String($0.key.dropFirst(origin.count)), $0.value) }) { $0 + $1 }
        }
    }
}
