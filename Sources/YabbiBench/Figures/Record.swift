import AdCore

/// One line of a run's output.
enum Record: Equatable, Sendable {
    case figure(Figure)
    case gap(Gap)
    case environment(RunEnvironment)

    /// Something that was not measured, with the reason.
    struct Gap: Equatable, Sendable {
        /// The name of the benchmark.
        let benchmark: String
        /// What is missing; nil for the whole benchmark.
        let what: String?
        /// The reason.
        let reason: String
        /// Whether it failed; otherwise it was skipped.
        let isFailure: Bool
    }

    /// Parses a line of `--json`; nil for anything else.
    init?(_ json: AdJSON) {
        switch json["record"]?.string {
        case "figure":
            guard let figure = Figure(json) else { return nil }
            self = .figure(figure)
        case "gap":
            guard let benchmark = json["benchmark"]?.string, let reason = json["reason"]?.string else { return nil }
            let isFailure = json["isFailure"] == true
            self = .gap(
                Gap(benchmark: benchmark, what: json["what"]?.string, reason: reason, isFailure: isFailure)
            )
        case "machine":
            guard let environment = RunEnvironment(json) else { return nil }
            self = .environment(environment)
        default: return nil
        }
    }

    /// The record as a line of `--json`.
    var json: AdJSON {
        switch self {
        case .figure(let figure): figure.json
        case .gap(let gap):
            [
                "record": "gap", "benchmark": .string(gap.benchmark), "what": .text(gap.what),
                "reason": .string(gap.reason), "isFailure": .bool(gap.isFailure),
            ]
        case .environment(let environment): environment.json
        }
    }

    /// Parses the lines of a run.
    static func all(in text: String) throws(BenchError) -> [Record] {
        var records: [Record] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty {
            guard let json = try? AdJSON(parsing: String(line)), let record = Record(json) else {
                throw BenchError(message: "line \(number + 1) is not a benchmark record")
            }
            records.append(record)
        }
        return records
    }
}
