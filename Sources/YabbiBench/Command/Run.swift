import AdCore

extension Run {
    /// The benchmarks to run.
    var selected: [Benchmark] { self.benchmarks.compactMap { Benchmark.named($0) } }

    /// Runs the benchmarks one after the other and reports their records, the environment last.
    ///
    /// - Returns: False when a benchmark failed; a skipped one is not a failure.
    func execute(
        _ benchmarks: [Benchmark],
        report: @escaping @Sendable (Record) -> Void,
        progress: @Sendable (String) -> Void
    ) async -> Bool {
        if benchmarks.count > 1 { progress(self.estimate(benchmarks)) }
        let start = ContinuousClock.now
        var succeeded = true
        for (number, benchmark) in benchmarks.enumerated() {
            if benchmarks.count > 1 {
                progress("\(number + 1) of \(benchmarks.count)  \(benchmark.name)  \(benchmark.title)")
            }
            let bench = BenchContext(
                benchmark: benchmark.name,
                isQuick: self.isQuick,
                files: self.files,
                onRecord: report
            )
            do {
                try await benchmark.measure(bench)
            } catch {
                let skipped = error as? BenchmarkSkipped
                let reason = skipped?.reason ?? "\(error)"
                succeeded = succeeded && skipped != nil
                report(
                    .gap(
                        Record.Gap(benchmark: benchmark.name, what: nil, reason: reason, isFailure: skipped == nil)
                    )
                )
            }
        }
        let seconds = Int(start.duration(to: .now).inSeconds.rounded())
        report(.environment(RunEnvironment(after: self, seconds: seconds)))
        return succeeded
    }

    private func estimate(_ benchmarks: [Benchmark]) -> String {
        let seconds = benchmarks.reduce(0) { $0 + $1.seconds }
        let length = self.isQuick ? "a minute or less" : "about \((seconds + 59) / 60) minutes"
        return "\(benchmarks.count) benchmarks, \(length); close other programs meanwhile"
    }
}
