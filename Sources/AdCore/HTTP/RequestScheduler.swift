/// Decides which request starts next: in order of arrival within a host, round-robin between hosts.
///
/// A transport has the queue itself and does not leave it to its network library, for two reasons: a waiting request
/// still fails at its deadline and is certainly not sent, and a slow host delays no other as long as the total limit is
/// not reached.
package struct RequestScheduler {
    private struct HostQueue {
        var waiting: ArraySlice<UInt64> = []
        var running = 0
        var isReady = false
    }

    private let perHost: Int
    private let total: Int
    private var hosts: [String: HostQueue] = [:]
    /// Hosts with waiting requests and a free connection.
    private var readyHosts: ArraySlice<String> = []
    private var running = 0

    /// Creates a scheduler with its limits for each host and for all of them.
    package init(perHost: Int, total: Int) {
        self.perHost = max(1, perHost)
        self.total = max(1, total)
    }

    /// Whether no request waits or runs.
    package var isEmpty: Bool { self.hosts.isEmpty }

    /// Appends a request to its host's queue.
    package mutating func enqueue(_ id: UInt64, for host: String) {
        self.hosts[host, default: HostQueue()].waiting.append(id)
        self.markReady(host)
    }

    /// Removes the next request that can start; nil if there is none or the total limit is reached.
    package mutating func next() -> UInt64? {
        guard self.running < self.total else { return nil }
        while let host = self.readyHosts.popFirst() {
            guard var queue = self.hosts[host] else { continue }
            queue.isReady = false
            // The queue is empty if all its requests were removed.
            let id = queue.waiting.popFirst()
            if id != nil {
                queue.running += 1
                self.running += 1
            }
            self.store(queue, at: host)
            if let id { return id }
        }
        return nil
    }

    /// Frees the connection of a request that has ended.
    package mutating func finish(_ host: String) {
        guard var queue = self.hosts[host], queue.running > 0 else {
            preconditionFailure("A request of this host ended that never started.")
        }
        queue.running -= 1
        self.running -= 1
        self.store(queue, at: host)
    }

    /// Removes a waiting request.
    package mutating func remove(_ id: UInt64, from host: String) {
        guard var queue = self.hosts[host], let index = queue.waiting.firstIndex(of: id) else { return }
        queue.waiting.remove(at: index)
        self.store(queue, at: host)
    }

    private mutating func store(_ queue: HostQueue, at host: String) {
        // Keep the entry while the host is in `readyHosts`, so that it is never there twice.
        if queue.waiting.isEmpty, queue.running == 0, !queue.isReady {
            self.hosts[host] = nil
        } else {
            self.hosts[host] = queue
            self.markReady(host)
        }
    }

    private mutating func markReady(_ host: String) {
        guard let queue = self.hosts[host], !queue.isReady, !queue.waiting.isEmpty, queue.running < self.perHost else {
            return
        }
        self.hosts[host]?.isReady = true
        self.readyHosts.append(host)
    }
}
