import Testing

@testable import PlayQueue

@Suite("Metrics of a worker")
struct WorkerMetricsTests {
    @Test("counters, the histogram and the queue are lines of the text")
    func text() {
        var metrics = WorkerMetrics(QueueWorker(1, called: "host:1", version: "1", lanes: 4))
        metrics.judged(2, in: .milliseconds(1_500))
        metrics.judged(0, in: nil)
        metrics.refusedResult()
        let counts = OpenCounts(waiting: 7, inProgress: 2, setAside: 1, oldest: .milliseconds(2_500))
        metrics.renewed(inProgress: 2)
        metrics.counted(counts)
        let lines = Set(metrics.text(memory: 5, processorTime: 1.5).split(separator: "\n").map(String.init))
        let expected = [
            "yabbi_scan_verdicts_total{verdict=\"fail\"} 1", "yabbi_scan_verdicts_total{verdict=\"warn\"} 0",
            "yabbi_scan_reused_total 1", "yabbi_scan_refused_total 1", "yabbi_scan_lanes 4",
            "yabbi_scan_seconds_bucket{le=\"1.0\"} 0", "yabbi_scan_seconds_bucket{le=\"2.0\"} 1",
            "yabbi_scan_seconds_bucket{le=\"+Inf\"} 1", "yabbi_scan_seconds_sum 1.5",
            "yabbi_scan_queue{state=\"waiting\"} 7", "yabbi_scan_queue_oldest_seconds 2.5",
            "process_resident_memory_bytes 5", "process_cpu_seconds_total 1.5",
        ]
        for line in expected { #expect(lines.contains(line), "\(line)") }
        #expect(lines.contains("yabbi_scan_database_up 1"))
    }

    @Test("while the database is away, nothing is said about the queue")
    func away() {
        var metrics = WorkerMetrics(QueueWorker(1, called: "host:1", version: "1", lanes: 4))
        metrics.counted(OpenCounts(waiting: 7, inProgress: 2, setAside: 1, oldest: nil))
        metrics.failed()
        let text = metrics.text(memory: 5, processorTime: 1.5)
        #expect(text.contains("yabbi_scan_database_up 0") && !text.contains("yabbi_scan_queue"))
    }
}
