package import AdCore
package import ChromiumStage
import SystemSupport

/// Counts what creatives in a browser ask servers for by themselves: some of it tells of an ad, and no ledger has it.
package final class CreativeRequests: Sendable {
    private let counts = Locked<[String: Int]>([:])
    /// As many different addresses are remembered.
    private static let most = 10_000

    package init() {}

    package func record(_ note: StageNote) {
        guard case .request(let request) = note, case .answered = request.outcome else { return }
        let address = String(request.url.prefix { $0 != "?" && $0 != "#" })
        self.counts.withLock { counts in
            if counts.count < CreativeRequests.most || counts[address] != nil { counts[address, default: 0] += 1 }
        }
    }

    /// How often each path of a server was asked for.
    package func paths(at server: HTTPURL?) -> [String: Int] {
        guard let origin = server?.origin else { return [:] }
        return self.counts.withLock { counts in
            let own = counts.filter { $0.key.hasPrefix(origin + "/") }
            return Dictionary(own.map { (String($0.key.dropFirst(origin.count)), $0.value) }) { $0 + $1 }
        }
    }
}
