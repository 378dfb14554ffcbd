/// What a worker has done, as text for Prometheus (exposition format 0.0.4).
package struct WorkerMetrics: Sendable {
    private let worker: QueueWorker
    private var verdicts = [0, 0, 0]
    /// Verdicts of creatives that were measured before.
    private var reused = 0
    private var refused = 0
    private var errors = 0
    private var isAway = false
    private var givenBack = 0
    private var inProgress = 0
    private var queue: OpenCounts?
    private var buckets = [Int](repeating: 0, count: WorkerMetrics.bounds.count)
    private var count = 0
    private var sum = 0.0

    /// The upper limits of the histogram of times, in seconds.
    private static let bounds = [0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120]

    package init(_ worker: QueueWorker) { self.worker = worker }

    /// The number of verdicts.
    package var judged: Int { self.verdicts.reduce(0, +) }

    /// How many creatives wait; nil until the queue was asked.
    package var waiting: Int? { self.queue?.waiting }

    /// A verdict was stored; without a time the creative was measured before.
    package mutating func judged(_ level: Int, in time: Duration?) {
        if self.verdicts.indices.contains(level) { self.verdicts[level] += 1 }
        guard let time else {
            self.reused += 1
            return
        }
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        self.count += 1
        self.sum += seconds
        for (index, bound) in WorkerMetrics.bounds.enumerated() where seconds <= bound { self.buckets[index] += 1 }
    }

    /// A result was refused, because the lease was over.
    package mutating func refusedResult() { self.refused += 1 }

    /// A creative was given back, because this computer could not scan it.
    package mutating func gaveBack() { self.givenBack += 1 }

    /// The database did not answer: what it said before is no longer true.
    package mutating func failed() {
        self.errors += 1
        self.isAway = true
        self.queue = nil
    }

    /// The leases were renewed.
    package mutating func renewed(inProgress: Int) {
        self.inProgress = inProgress
        self.isAway = false
    }

    /// The queue was counted.
    package mutating func counted(_ counts: OpenCounts) { self.queue = counts }

    /// The lines.
    ///
    /// - Parameters:
    ///   - memory: The memory of the process, in bytes.
    ///   - processorTime: Its processor time, in seconds.
    /// - Returns: The lines.
    package func text(memory: Int, processorTime: Double) -> String {
        var text = ""
        func add(_ name: String, _ type: String, _ help: String, _ samples: [(labels: String, value: String)]) {
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
            for sample in samples { text += "\(name)\(sample.labels) \(sample.value)\n" }
        }
        func plain(_ value: Int) -> [(labels: String, value: String)] { [("", "\(value)")] }
        let levels = ["pass", "warn", "fail"]
        add(
            "yabbi_scan_verdicts_total",
            "counter",
            "Verdicts that this worker has stored.",
            levels.enumerated().map { ("{verdict=\"\($1)\"}", "\(self.verdicts[$0])") }
        )
        add("yabbi_scan_reused_total", "counter", "Those of creatives that were measured before.", plain(self.reused))
        add("yabbi_scan_refused_total", "counter", "Results that came after their leases.", plain(self.refused))
        add("yabbi_scan_database_errors_total", "counter", "Failed exchanges with the database.", plain(self.errors))
        add("yabbi_scan_database_up", "gauge", "Whether the database answers.", plain(self.isAway ? 0 : 1))
        add(
            "yabbi_scan_given_back_total",
            "counter",
            "Creatives that this computer could not scan.",
            plain(self.givenBack)
        )
        add("yabbi_scan_lanes", "gauge", "How many creatives are scanned at the same time.", plain(self.worker.lanes))
        add("yabbi_scan_in_progress", "gauge", "Creatives that this worker scans now.", plain(self.inProgress))
        text += self.histogram
        if let queue {
            let states = [("waiting", queue.waiting), ("in_progress", queue.inProgress), ("set_aside", queue.setAside)]
            add(
                "yabbi_scan_queue",
                "gauge",
                "Creatives without a verdict, by state; the same for each worker.",
                states.map { ("{state=\"\($0)\"}", "\($1)") }
            )
            let oldest = queue.oldest.map { Double($0 / .milliseconds(1)) / 1000 } ?? 0
            add("yabbi_scan_queue_oldest_seconds", "gauge", "The wait of the oldest one.", [("", "\(oldest)")])
        }
        add("process_resident_memory_bytes", "gauge", "Memory of this process, without browsers.", plain(memory))
        add(
            "process_cpu_seconds_total",
            "counter",
            "Processor time of this process, without browsers.",
            [("", "\(processorTime)")]
        )
        return text
    }

    private var histogram: String {
        let name = "yabbi_scan_seconds"
        var lines = ["# HELP \(name) Time from the claim of a creative to its verdict.", "# TYPE \(name) histogram"]
        for (bound, count) in zip(WorkerMetrics.bounds, self.buckets) {
            lines.append("\(name)_bucket{le=\"\(bound)\"} \(count)")
        }
        lines.append("\(name)_bucket{le=\"+Inf\"} \(self.count)")
        lines.append("\(name)_sum \(self.sum)")
        lines.append("\(name)_count \(self.count)")
        return lines.joined(separator: "\n") + "\n"
    }
}
