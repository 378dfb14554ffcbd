import AdCore
import PlayConsole
import PlayQueue
import PostgresClient

/// Tells what is in a queue.
struct QueueStatus: Command {
    static let name = "status"
    static let summary = "Prints what waits, is in progress, judged and set aside, and which workers are there."
    static let operand = ScanCommand.operand
    static let options: [any OptionDeclaration] = [QueueOptions.queue, QueueOptions.label, OutputOptions.json]

    private let address: PostgresAddress
    private let label: String?
    private let isJSON: Bool

    /// How many creatives that were set aside are listed as text.
    private static let listed = 20
    /// After how long without a sign a worker is not listed as text: more than any pause of one that scans.
    private static let longestSilence = Duration.seconds(300)

    init(_ arguments: Arguments) throws(UsageError) {
        try QueueOptions.refuseOperands(arguments, for: "scan status")
        self.address = try QueueOptions.address(arguments)
        self.label = try arguments.value(QueueOptions.label)
        self.isJSON = arguments.has(OutputOptions.json)
    }

    private struct Status: Sendable {
        let counts: QueueCounts
        let labels: [QueueLabel]
        let workers: [SeenWorker]
        let setAside: [SetAsideCreative]
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        let label = self.label
        let status = try await QueueOptions.withQueue(self.address, console) { queue throws(PlayError) in
            try await QueueOptions.call { () throws(QueueError) in
                Status(
                    counts: try await queue.counts(label),
                    labels: try await queue.labels(),
                    workers: try await queue.workers(),
                    setAside: try await queue.setAside(label, after: 0)
                )
            }
        }
        if let label, status.counts.total == 0 {
            throw PlayError(.usage, "the queue has no submission \(Style.printable(label)); status lists the last ones")
        }
        if self.isJSON {
            for line in self.json(status) { console.out(line.text()) }
        } else {
            for line in self.lines(status, Style(isColored: console.isColored)) { console.out(line) }
        }
        return .done
    }

    // MARK: JSON

    private func json(_ status: Status) -> [AdJSON] {
        let counts = status.counts
        let queue: AdJSON = [
            "event": "queue", "label": .text(self.label), "total": .int(counts.total), "waiting": .int(counts.waiting),
            "inProgress": .int(counts.inProgress), "pass": .int(counts.passed), "warn": .int(counts.warned),
            "fail": .int(counts.failed), "setAside": .int(counts.setAside), "suspects": .int(counts.suspects),
            "lastMinute": .int(counts.lastMinute),
            "oldestMs": counts.oldest.map { .int($0.wholeMilliseconds) } ?? .null,
        ]
        let labels = status.labels.map { label -> AdJSON in
            [
                "event": "submission", "label": .string(label.label), "total": .int(label.total),
                "open": .int(label.open),
            ]
        }
        let workers = status.workers.map { worker -> AdJSON in
            [
                "event": "worker", "name": .string(worker.name), "version": .string(worker.version),
                "lanes": .int(worker.lanes), "inProgress": .int(worker.inProgress), "judged": .int(worker.judged),
                "seenMs": .int(worker.seen.wholeMilliseconds), "startedMs": .int(worker.started.wholeMilliseconds),
            ]
        }
        let aside = status.setAside.map { creative -> AdJSON in
            ["event": "setAside", "id": .string(creative.name), "reason": .string(creative.reason)]
        }
        return [queue] + labels + workers + aside
    }

    // MARK: Text

    private func lines(_ status: Status, _ style: Style) -> [String] {
        self.countLines(status.counts, style) + self.workerLines(status.workers, style)
            + self.asideLines(status, style) + (self.label == nil ? self.labelLines(status.labels, style) : [])
    }

    private func countLines(_ counts: QueueCounts, _ style: Style) -> [String] {
        let name = self.label.map { "  label \(Style.printable($0))" } ?? ""
        var lines = [style.bold(Quantity.text(counts.total, "creative")) + name]
        func add(_ count: Int, _ text: String) {
            lines.append("  \(String(repeating: " ", count: max(0, 8 - String(count).count)))\(count)  \(text)")
        }
        let oldest = counts.oldest.map { ", the oldest for \(QueueText.duration($0))" } ?? ""
        let suspects =
            counts.suspects > 0 ? "; \(counts.suspects) after a worker ended while it scanned them" : ""
        add(counts.waiting, "waiting\(oldest)\(suspects)")
        add(counts.inProgress, "in progress")
        add(
            counts.judged,
            "judged: \(counts.passed) pass, \(counts.warned) warn, \(counts.failed) fail"
        )
        add(counts.setAside, "set aside")
        if counts.lastMinute > 0 {
            let left = Duration.seconds(60) * counts.open / counts.lastMinute
            let rest = counts.open > 0 ? ", about \(QueueText.duration(left)) left" : ""
            lines.append("  \(counts.lastMinute) in the last minute\(rest)")
        }
        return lines
    }

    private func workerLines(_ workers: [SeenWorker], _ style: Style) -> [String] {
        let present = workers.filter { $0.seen < Self.longestSilence }
        let silent = workers.count - present.count
        let rest = silent > 0 ? [style.dim("  \(silent) without a sign for more than 5 min")] : []
        guard !present.isEmpty else { return ["", "no worker is there; start one with scan work"] + rest }
        let lines = present.map { worker in
            let text = "\(worker.inProgress) of \(Quantity.text(worker.lanes, "lane")) busy, \(worker.judged) judged"
            return
                "  \(Style.printable(worker.name))  \(text), seen \(QueueText.duration(worker.seen)) ago, \(Style.printable(worker.version))"
        }
        return ["", style.bold(Quantity.text(present.count, "worker"))] + lines + rest
    }

    private func asideLines(_ status: Status, _ style: Style) -> [String] {
        guard !status.setAside.isEmpty else { return [] }
        let shown = status.setAside.prefix(Self.listed)
        let lines = shown.map { creative in
            "  \(Style.printable(creative.name, upTo: 120))\n      \(Style.printable(creative.reason, upTo: 400))"
        }
        let rest = status.counts.setAside - shown.count
        return ["", style.bold("set aside; scan retry lets them be scanned again")] + lines
            + (rest > 0 ? [style.dim("  and \(rest) more")] : [])
    }

    private func labelLines(_ labels: [QueueLabel], _ style: Style) -> [String] {
        guard !labels.isEmpty else { return [] }
        let lines = labels.map { label in
            let rest = label.open > 0 ? ", \(label.open) without a verdict" : ""
            return "  \(Style.printable(label.label))  \(Quantity.text(label.total, "creative"))\(rest)"
        }
        return ["", style.bold("last submissions")] + lines
    }
}

/// Texts about a queue.
enum QueueText {
    /// A time as in `12 s`, `3 min` or `2 h`.
    static func duration(_ duration: Duration) -> String {
        let seconds = Int(max(.zero, duration).inSeconds.rounded())
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        default: "\(seconds / 3_600) h"
        }
    }
}
