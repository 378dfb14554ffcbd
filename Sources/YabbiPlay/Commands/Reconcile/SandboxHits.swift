import AdCore
import PlayReconcile
import PlayText
import SandboxSSP

extension HitList {
    /// The beacons that a sandbox in this process received.
    init(_ sandbox: Sandbox, sentByCreatives: [String: Int] = [:]) {
        let hits = sandbox.hits()
        // The number of dropped hits is read after the hits: it may be too high, but never too low.
        self.init(hits.map(ReceivedHit.init), dropped: sandbox.droppedHits, sentByCreatives: sentByCreatives)
    }
}

extension ReceivedHit {
    fileprivate init(_ hit: Sandbox.Hit) {
        self.init(
            n: hit.n,
            at: hit.at,
            key: hit.key,
            path: hit.path,
            host: hit.headers["host"],
            fault: hit.fault,
            isCounted: hit.isCounted
        )
    }
}

extension PageReconciliation {
    /// Compares messages with the lines of a bill that were received over WebSockets.
    init(_ messages: [PageServerMessage], against lines: [Sandbox.Bill.Line]) {
        let socketLines = lines.filter { $0.path == Sandbox.socketPath && $0.isBilled }
        self.init(messages, counted: socketLines.map { ($0.key ?? "", $0.counted) })
    }
}
