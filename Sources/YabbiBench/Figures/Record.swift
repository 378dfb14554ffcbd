import AdCore

/// One line of what a run tells.
enum Record: Equatable, Sendable {
    case figure(Figure)
    case gap(Gap)
    case machine(Machine)

    /// What was not measured, and why.
    struct Gap: Equatable, Sendable {
        /// The name of the benchmark.
        let benchmark: String
        /// What is missing; nil for all of the benchmark.
        let what: String?
        /// Why.
        let reason: String
        /// Whether it should have been measured here, and went wrong.
        let isFailure: Bool
    }

    /// Reads a line of `--json`; nil where it is something else.
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
            guard let machine = Machine(json) else { return nil }
            self = .machine(machine)
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
        case .machine(let machine): machine.json
        }
    }

    /// Reads the lines of a run, one record on each.
    static func all(in text: String) throws(WishError) -> [Record] {
        var records: [Record] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty {
            guard let json = try? AdJSON(parsing: String(line)), let record = Record(json) else {
                throw WishError(message: "line \(number + 1) is no record of a benchmark")
            }
            records.append(record)
        }
        return records
    }
}
