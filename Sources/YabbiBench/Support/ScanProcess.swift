import AdCore

/// `yabbi-play scan` in a process of its own.
enum ScanProcess {
    /// Scans sources, and returns the real times of the scans in seconds.
    ///
    /// - Parameters:
    ///   - words: The sources and options.
    ///   - onVerdict: Called with the number of verdicts so far and the process.
    /// - Returns: The times.
    /// - Throws: `BenchmarkSkipped` or `BenchError` if it can't scan.
    @discardableResult
    static func run(_ words: [String], onVerdict: (Int, Int32) -> Void = { _, _ in }) throws -> [Double] {
        // As root the browser has no sandbox.
        let process = try PlayProcess(["scan"] + words + ["--json", "--no-follow", "--no-sandbox"])
        defer { process.waitForEnd() }
        var (times, last) = ([Double](), "")
        while let line = process.nextLine() {
            last = line
            guard let json = try? AdJSON(parsing: line), json["event"] == "verdict", let ms = json["ms"]?.number else {
                continue
            }
            if let failure = json["measures"]?["failure"]?.array?.first?.string {
                throw BenchError(message: "a creative was not shown: \(failure)")
            }
            times.append(ms / 1000)
            onVerdict(times.count, process.id)
        }
        guard !times.isEmpty else { throw BenchmarkSkipped(reason: "nothing was scanned: \(last.excerpt(200))") }
        return times
    }
}
