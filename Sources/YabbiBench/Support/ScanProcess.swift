import AdCore
import LibC

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
        let command = try PlayCommand.path()
        let text = words.map { "'\($0)'" }.joined(separator: " ")
        // The shell prints its process, which the command then replaces. As root the browser has no sandbox.
        let line = "echo $$; exec '\(command)' scan \(text) --json --no-follow --no-sandbox 2>&1"
        guard let file = popen(line, "r") else { throw BenchError(message: "can't start yabbi-play") }
        defer { pclose(file) }
        var buffer = [CChar](repeating: 0, count: 1 << 20)
        func next() -> String? {
            guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
            return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        let process = Int32(next()?.trimmed ?? "") ?? 0
        var (times, last) = ([Double](), "")
        while let line = next() {
            last = line
            guard let json = try? AdJSON(parsing: line), json["event"] == "verdict", let ms = json["ms"]?.number else {
                continue
            }
            if let failure = json["measures"]?["failure"]?.array?.first?.string {
                throw BenchError(message: "a creative was not shown: \(failure)")
            }
            times.append(ms / 1000)
            onVerdict(times.count, process)
        }
        guard !times.isEmpty else { throw BenchmarkSkipped(reason: "nothing was scanned: \(last.excerpt(200))") }
        return times
    }
}
