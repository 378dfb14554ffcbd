import AdCore

/// A campaign of ActiveAds.
///
/// Its days are counted from the one on which the sandbox began, so that the pool is as fresh in every year.
struct Campaign: Hashable, Sendable {
    /// Where its ads stand.
    enum Format: String, Hashable, Sendable, CaseIterable { case feed, banner, popup }
    /// Whether somebody wants it to run.
    enum Status: Hashable, Sendable { case active, paused }

    let id: String
    let format: Format
    var status = Status.active
    /// The day on which it starts.
    let firstDay: Int
    /// The last day on which it runs; nil: until further notice.
    var lastDay: Int?
    /// Which share of those who saw it clicked.
    let clickRate: Double
    /// What is paid for a day; nil where nothing was agreed.
    let bid: Double?
    let title: String
    let description: String?
    /// The name of its picture.
    let picture: String?
    let button: String?
    /// Where its link leads; nil: it has none.
    let link: String?

    /// Whether it runs on a day.
    func isActive(on day: Int) -> Bool {
        self.status == .active && self.firstDay <= day && day <= self.lastDay ?? .max
    }

    /// How far up it stands, between 0 and 1.
    ///
    /// Half of it is freshness, which fades within thirty days; three tenths are the click rate, where 5 % is all that
    /// can be had; two tenths the bid, where 100 is. A campaign without a bid gets nothing for it.
    func score(on day: Int) -> Double {
        let freshness = 1 - Double(min(max(day - self.firstDay, 0), 30)) / 30
        return 0.5 * freshness + 0.3 * min(self.clickRate / 0.05, 1) + 0.2 * min((self.bid ?? 0) / 100, 1)
    }

    /// Those of a format that run on a day, the best first.
    static func ranked(_ format: Format, on day: Int) -> [Campaign] {
        let running = self.pool.filter { $0.format == format && $0.isActive(on: day) }.map { ($0, $0.score(on: day)) }
        // The id decides between equals: an answer should not depend on how sorting works.
        return running.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0.id < $1.0.id }.map(\.0)
    }

    /// The most that are answered at once.
    static let mostAtOnce = 8

    /// So many as are answered at once: where there are more, any of them with the same chance, in the order that they
    /// had.
    static func rotated(_ ranked: [Campaign], using random: inout some RandomNumberGenerator) -> [Campaign] {
        guard ranked.count > self.mostAtOnce else { return ranked }
        let chosen = ranked.indices.shuffled(using: &random).prefix(self.mostAtOnce)
        return chosen.sorted().map { ranked[$0] }
    }
}

extension SandboxState {
    /// The day of the campaigns' calendar.
    var day: Int {
        let milliseconds = (self.now - self.opened).wholeMilliseconds
        let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        // The day before the first one is the last of those before it.
        return Int(rest < 0 ? days - 1 : days)
    }
}
