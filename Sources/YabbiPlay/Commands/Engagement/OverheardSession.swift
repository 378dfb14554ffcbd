import AdCore
import YabbiAds

/// A session whose news is heard on the spot, in order with everything else that is printed.
///
/// News of a stream comes when its reader gets round to it, and the lines of two runs would differ.
struct OverheardSession: EngagementMachine {
    private var session: SmarticoSession
    private let hear: @Sendable (SmarticoNews) -> Void

    init(_ session: SmarticoSession, _ hear: @escaping @Sendable (SmarticoNews) -> Void) {
        self.session = session
        self.hear = hear
    }

    var provider: ProviderName { self.session.provider }

    mutating func handle(
        _ input: EngagementInput<SmarticoCommand>,
        at time: EngagementTime,
        random: inout some RandomNumberGenerator
    ) -> [EngagementAction<SmarticoNews>] {
        let actions = self.session.handle(input, at: time, random: &random)
        for case .news(let news) in actions { self.hear(news) }
        return actions
    }
}
