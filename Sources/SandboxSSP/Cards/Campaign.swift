import AdCore

/// A campaign of ActiveAds.
///
/// Its days are counted from the sandbox's start, so that the campaigns never get out of date.
struct Campaign: Hashable, Sendable {
    /// The ad format.
    enum Format: String, Hashable, Sendable, CaseIterable { case feed, banner, popup }
    /// Whether it is paused.
    enum Status: Hashable, Sendable { case active, paused }

    let id: String
    let format: Format
    var status = Status.active
    /// The first day on which it runs.
    let firstDay: Int
    /// The last day on which it runs; nil for no end.
    var lastDay: Int?
    /// The click-through rate, from 0 to 1.
    let clickRate: Double
    /// The bid per day; nil for none.
    let bid: Double?
    let title: String
    let description: String?
    /// The name of its picture; nil for none.
    let picture: String?
    let button: String?
    /// The name in its click-through URL; nil for no link.
    let link: String?

    /// Whether it runs on a day.
    func isActive(on day: Int) -> Bool {
        self.status == .active && self.firstDay <= day && day <= self.lastDay ?? .max
    }

    /// The score for the ranking, from 0 to 1.
    ///
    /// It is 50 % freshness, which falls to 0 within 30 days, 30 % click-through rate, with the maximum at 5 %, and 20 %
    /// bid, with the maximum at 100.
    func score(on day: Int) -> Double {
        let freshness = 1 - Double(min(max(day - self.firstDay, 0), 30)) / 30
        return 0.5 * freshness + 0.3 * min(self.clickRate / 0.05, 1) + 0.2 * min((self.bid ?? 0) / 100, 1)
    }

    /// The campaigns of a format that run on a day, the highest score first.
    static func ranked(_ format: Format, on day: Int) -> [Campaign] {
        let running = self.pool.filter { $0.format == format && $0.isActive(on: day) }.map { ($0, $0.score(on: day)) }
        // Equal scores are ordered by id, so that the response does not depend on the sorting algorithm.
        return running.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0.id < $1.0.id }.map(\.0)
    }

    /// The number of campaigns in a response, at most.
    static let maxPerResponse = 8

    /// A random selection of `maxPerResponse` campaigns, each with the same probability, in their order.
    static func rotated(_ ranked: [Campaign], using random: inout some RandomNumberGenerator) -> [Campaign] {
        guard ranked.count > self.maxPerResponse else { return ranked }
        let chosen = ranked.indices.shuffled(using: &random).prefix(self.maxPerResponse)
        return chosen.sorted().map { ranked[$0] }
    }
}

extension SandboxState {
    /// The day of the campaigns' calendar: 0 on the day of the start.
    var day: Int {
        let milliseconds = (self.now - self.startTime).wholeMilliseconds
        let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        // Rounds down: a moment before the start is on day -1.
        return Int(rest < 0 ? days - 1 : days)
    }
}
