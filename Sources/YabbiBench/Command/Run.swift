import AdCore

extension Run {
    /// What was asked for.
    var chosen: [Benchmark] { self.benchmarks.compactMap { Benchmark.named($0) } }

    /// Measures one benchmark after the other, tells what each finds as it comes, and then where that was.
    ///
    /// - Returns: Whether nothing went wrong; what can't run here is no fault.
    func go(
        _ benchmarks: [Benchmark],
        report: @escaping @Sendable (Record) -> Void,
        progress: @Sendable (String) -> Void
    ) async -> Bool {
        if benchmarks.count > 1 { progress(self.estimate(benchmarks)) }
        let start = ContinuousClock.now
        var isWell = true
        for (number, benchmark) in benchmarks.enumerated() {
            if benchmarks.count > 1 {
                progress("\(number + 1) of \(benchmarks.count)  \(benchmark.name)  \(benchmark.title)")
            }
            let bench = Bench(benchmark: benchmark.name, isQuick: self.isQuick, files: self.files, report: report)
            do {
                try await benchmark.measure(bench)
            } catch {
                let leftOut = error as? LeftOut
                let reason = leftOut?.reason ?? "\(error)"
                isWell = isWell && leftOut != nil
                report(
                    .gap(
                        Record.Gap(benchmark: benchmark.name, what: nil, reason: reason, isFailure: leftOut == nil)
                    )
                )
            }
        }
        let seconds = Int(start.duration(to: .now).inSeconds.rounded())
        report(.machine(Machine(after: self, seconds: seconds)))
        return isWell
    }

    private func estimate(_ benchmarks: [Benchmark]) -> String {
        let seconds = benchmarks.reduce(0) { $0 + $1.seconds }
        let length = self.isQuick ? "a minute or less" : "about \((seconds + 59) / 60) minutes"
        return "\(benchmarks.count) benchmarks, \(length); the machine should have nothing else to do"
    }
}
