package import AdCore
package import PlayConsole

/// The beacons of a ledger as text and JSON.
package struct OutboxText: Sendable {
    /// The names of all states, in the order of delivery.
    package static let states = ["recorded", "inFlight", "delivered", "unconfirmed", "dead"]

    let style: Style
    let now: WallTime

    package init(style: Style, now: WallTime) {
        self.style = style
        self.now = now
    }

    /// One beacon as JSON; the URL is redacted, headers and body are left out.
    package static func json(_ entry: LedgerEntry) -> String {
        let beacon = entry.beacon
        var nextTry: WallTime?
        var reason: String?
        switch entry.standing {
        case .pending(let next, let lastFailure): (nextTry, reason) = (next, lastFailure)
        case .inFlight(let end): nextTry = end
        case .delivered: break
        case .unconfirmed(let cause), .dead(let cause): reason = cause
        }
        return AdJSON.object([
            .init("key", .string(beacon.key.text)), .init("ad", .string(beacon.key.ad.rawValue)),
            .init("event", .string(beacon.key.event.rawValue)), .init("provider", .string(beacon.provider.rawValue)),
            .init("method", .string(beacon.call.method.rawValue)),
            .init("url", .string(Redaction.address(beacon.call.address.text))),
            .init("billing", .bool(beacon.call.isBilling)), .init("state", .string(entry.standing.name)),
            .init("attempts", .int(entry.attempts)), .init("recorded", .int(entry.recorded.milliseconds)),
            .init("nextTry", nextTry.map { .int($0.milliseconds) } ?? .null), .init("reason", .text(reason)),
        ]).text()
    }

    /// The header of the table.
    package var header: String {
        self.style.bold(self.row("STATE", "TRIES", "RECORDED", "NEXT TRY", "EVENT", "KEY"))
    }

    /// One beacon as lines of text: its state, its URL, and the reason of its state.
    package func lines(_ entry: LedgerEntry) -> [String] {
        let beacon = entry.beacon
        var next = "-"
        var reason: String?
        switch entry.standing {
        case .pending(let moment, let lastFailure):
            next = moment <= self.now ? "now" : "in \(OutboxText.span(moment - self.now))"
            reason = lastFailure
        case .inFlight(let end):
            reason = "being sent; the claim expires in \(OutboxText.span(max(.zero, end - self.now)))"
        case .delivered: break
        case .unconfirmed(let cause), .dead(let cause): reason = cause
        }
        let first = self.row(
            entry.standing.name,
            "\(entry.attempts)",
            entry.recorded > self.now ? "in the future" : "\(OutboxText.span(self.now - entry.recorded)) ago",
            next,
            Style.printable(beacon.key.event.rawValue, upTo: 40),
            Style.printable(beacon.key.text, upTo: 80)
        )
        let bill = beacon.call.isBilling ? " (billing)" : ""
        let address = Style.printable(Redaction.address(beacon.call.address.text), upTo: 200)
        var lines = [self.colored(first, entry.standing), "    \(beacon.call.method.rawValue) \(address)\(bill)"]
        if let reason { lines.append("    \(Style.printable(reason, upTo: 200))") }
        return lines
    }

    private func row(
        _ state: String,
        _ tries: String,
        _ recorded: String,
        _ next: String,
        _ event: String,
        _ key: String
    ) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.count))
        }
        return padded(state, 13) + padded(tries, 7) + padded(recorded, 14) + padded(next, 12) + padded(event, 16) + key
    }

    private func colored(_ line: String, _ state: LedgerEntry.State) -> String {
        switch state {
        case .pending, .inFlight: line
        case .delivered: self.style.green(line)
        case .unconfirmed: self.style.yellow(line)
        case .dead: self.style.red(line)
        }
    }

    /// A duration as one number with its unit, rounded down.
    package static func span(_ duration: Duration) -> String {
        let seconds = Int64(duration.inSeconds)
        switch seconds {
        case ..<1: return "\(duration.wholeMilliseconds) ms"
        case ..<120: return "\(seconds) s"
        case ..<7200: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3600) h"
        default: return "\(seconds / 86_400) days"
        }
    }
}

/// The numbers of a ledger's beacons by state.
package struct OutboxCounts: Equatable, Sendable {
    package var waiting = 0
    package var delivered = 0
    package var unconfirmed = 0
    package var dead = 0

    package init(waiting: Int = 0, delivered: Int = 0, unconfirmed: Int = 0, dead: Int = 0) {
        self.waiting = waiting
        self.delivered = delivered
        self.unconfirmed = unconfirmed
        self.dead = dead
    }

    /// The exit code of a command that leaves the ledger in this state; `list` does not count waiting beacons as
    /// failures.
    package func code(waitingCounts: Bool) -> ExitCode {
        self.unconfirmed + self.dead > 0 || waitingCounts && self.waiting > 0 ? .beacons : .done
    }

    package func json(_ event: String, _ more: [AdJSON.Member] = []) -> String {
        AdJSON.object(
            [AdJSON.Member("event", .string(event))] + more + [
                .init("pending", .int(self.waiting)), .init("delivered", .int(self.delivered)),
                .init("unconfirmed", .int(self.unconfirmed)), .init("dead", .int(self.dead)),
            ]
        ).text()
    }

    /// The numbers of beacons that the list does not contain, as lines of text.
    package static func omissions(dropped: Int, unlisted: Int) -> [String] {
        var lines: [String] = []
        if dropped > 0 {
            lines.append("not listed: \(dropped) dropped before they were sent, because the ledger was full")
        }
        if unlisted > 0 {
            lines.append("not listed: \(unlisted) unconfirmed or dead, dropped because the ledger was full")
        }
        return lines
    }

    /// The numbers as text.
    package var line: String {
        "\(self.delivered) delivered, \(self.waiting) pending, \(self.unconfirmed) unconfirmed, \(self.dead) dead"
    }
}
