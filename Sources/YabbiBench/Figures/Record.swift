import AdCore

/// One line of a run's output.
enum Record: Equatable, Sendable {
    case figure(Figure)
    case gap(Gap)
    case environment(RunEnvironment)
    case longTest(LongTest)

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

    /// The last complete run of a test's long form, which no benchmark repeats.
    struct LongTest: Equatable, Sendable {
        let what: String
        let result: String
        let seconds: Int
        let date: String
        /// The command that repeats it.
        let command: String
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
        case "longTest":
            guard let test = LongTest(json) else { return nil }
            self = .longTest(test)
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
        case .longTest(let test): test.json
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

extension Record.LongTest {
    fileprivate init?(_ json: AdJSON) {
        guard let what = json["what"]?.string, let result = json["result"]?.string, let date = json["date"]?.string,
            let seconds = json["seconds"]?.number.flatMap({ Int(exactly: $0) }), let command = json["command"]?.string
        else { return nil }
        self.init(what: what, result: result, seconds: seconds, date: date, command: command)
    }

    fileprivate var json: AdJSON {
        [
            "record": "longTest", "what": .string(self.what), "result": .string(self.result),
            "seconds": .int(self.seconds), "date": .string(self.date), "command": .string(self.command),
        ]
    }
}
