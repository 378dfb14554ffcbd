package import AdCore
package import PlayConsole

/// The beacons of a ledger, as lines for people and for scripts.
package struct OutboxText: Sendable {
    /// The names of all states, in the order of a beacon's life.
    package static let states = ["recorded", "inFlight", "delivered", "unconfirmed", "dead"]

    let style: Style
    let now: WallTime

    package init(style: Style, now: WallTime) {
        self.style = style
        self.now = now
    }

    /// One beacon as a line for scripts; the address without its secrets, nothing of headers and body.
    package static func json(_ entry: LedgerEntry) -> String {
        let beacon = entry.beacon
        var nextTry: WallTime?
        var reason: String?
        switch entry.standing {
        case .recorded(let next, let why): (nextTry, reason) = (next, why)
        case .inFlight(let end): nextTry = end
        case .delivered: break
        case .unconfirmed(let why), .dead(let why): reason = why
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

    /// What stands above the beacons.
    package var header: String {
        self.style.bold(self.row("STATE", "TRIES", "RECORDED", "NEXT TRY", "EVENT", "KEY"))
    }

    /// One beacon as lines for people: what it is, where it goes, and why it is as it is.
    package func lines(_ entry: LedgerEntry) -> [String] {
        let beacon = entry.beacon
        var next = "-"
        var why: String?
        switch entry.standing {
        case .recorded(let moment, let reason):
            next = moment <= self.now ? "now" : "in \(OutboxText.span(moment - self.now))"
            why = reason
        case .inFlight(let end): why = "being sent, at most \(OutboxText.span(max(.zero, end - self.now))) more"
        case .delivered: break
        case .unconfirmed(let reason), .dead(let reason): why = reason
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
        var lines = [self.coloured(first, entry.standing), "    \(beacon.call.method.rawValue) \(address)\(bill)"]
        if let why { lines.append("    \(Style.printable(why, upTo: 200))") }
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

    private func coloured(_ line: String, _ state: LedgerEntry.State) -> String {
        switch state {
        case .recorded, .inFlight: line
        case .delivered: self.style.green(line)
        case .unconfirmed: self.style.yellow(line)
        case .dead: self.style.red(line)
        }
    }

    /// A span of time in one number and its unit, rounded down.
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

/// How many beacons of a ledger are how far.
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

    /// How the command ends that leaves a ledger like this: what was never tried is no failure of a list.
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

    /// What is not listed any more, in words: no list is whole that was cut.
    package static func gaps(dropped: Int, unlisted: Int) -> [String] {
        var lines: [String] = []
        if dropped > 0 {
            lines.append("not listed: \(dropped) that were dropped before they were sent, for want of room")
        }
        if unlisted > 0 {
            lines.append("not listed: \(unlisted) unconfirmed or dead that were dropped for want of room")
        }
        return lines
    }

    /// The counts in words.
    package var line: String {
        "\(self.delivered) delivered, \(self.waiting) pending, \(self.unconfirmed) unconfirmed, \(self.dead) dead"
    }
}
