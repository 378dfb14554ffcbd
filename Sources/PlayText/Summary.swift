import AdCore

/// The fill rate and the latency of repeated loads.
package struct Summary: Sendable {
    let requested: Int
    let filled: Int
    /// The durations of the loads, shortest first.
    let latencies: [Duration]

    package init(requested: Int, filled: Int, latencies: [Duration]) {
        self.requested = requested
        self.filled = filled
        self.latencies = latencies.sorted()
    }

    /// The quantile of the latencies in milliseconds by the nearest-rank method; nil if there are none.
    func quantile(_ share: Double) -> Double? {
        guard !self.latencies.isEmpty else { return nil }
        let rank = Int((Double(self.latencies.count) * share).rounded(.up))
        return self.latencies[min(max(rank, 1), self.latencies.count) - 1].inSeconds * 1000
    }

    private var rate: Double { Double(self.filled) / Double(max(1, self.requested)) }

    package var json: String {
        AdJSON.object([
            .init("event", "summary"), .init("asked", .int(self.requested)), .init("filled", .int(self.filled)),
            .init("fillRate", .double(self.rate)), .init("p50", self.quantile(0.5).map { .double($0) } ?? .null),
            .init("p95", self.quantile(0.95).map { .double($0) } ?? .null),
        ]).text()
    }

    package var line: String {
        func text(_ value: Double?) -> String { value.map { "\(Double(Int($0 * 100)) / 100) ms" } ?? "-" }
        let percent = Int((self.rate * 100).rounded())
        let latency = "load p50 \(text(self.quantile(0.5))), p95 \(text(self.quantile(0.95)))"
        return "\(self.filled) of \(self.requested) filled (\(percent) %), \(latency)"
    }
}
