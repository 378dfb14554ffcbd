import AdCore
import AdProviders
import AdRuntime
import PlayConsole
import YabbiAds

/// The calls of Smartico's that need no socket: a push token that is registered, and what became of push notifications
/// (source "Registering tokens for push notifications over API", and the events of notifications).
struct EngagementCalls: Sendable {
    private let templates: [BeaconTemplate]

    /// The calls that the command line asks for; throws where the provider cannot make one of them.
    init(_ plan: EngagementPlan, _ context: RunContext) throws(PlayError) {
        var random = SplitMix(seed: context.services.random())
        let now = context.clock.wallTime
        var templates: [BeaconTemplate] = []
        do throws(AdError) {
            for call in plan.options.calls {
                let uuid = RandomUUID.text(&random)
                switch call {
                case .register(let token, let platform, let isGet):
                    templates.append(
                        try plan.app.register(
                            token: token,
                            platform,
                            for: plan.user.id,
                            by: isGet ? .get : .post,
                            at: now,
                            uuid: uuid
                        )
                    )
                case .report(let report, let engagementUID, let messageID, let action):
                    let message = SmarticoPushMessage(
                        userID: plan.user.id,
                        engagementUID: engagementUID,
                        messageID: messageID,
                        action: action
                    )
                    templates.append(try plan.app.report(report, of: message, at: now, uuid: uuid))
                }
            }
        } catch {
            throw PlayError(.usage, error.description)
        }
        self.templates = templates
    }

    /// Sends them, and says which did not arrive in time; nil where all did.
    func send(_ context: RunContext) async -> PlayError? {
        guard !self.templates.isEmpty else { return nil }
        let beacons = context.services.beacons
        var keys: Set<BeaconKey> = []
        for template in self.templates {
            let key = template.key(of: AdID(bits: context.services.random()), index: 0)
            keys.insert(key)
            await beacons.tell([Beacon(key, template.call, of: SmarticoSession.provider)])
        }
        await beacons.settle(within: context.options.timeout)
        let entries = (try? await beacons.entries(after: context.mark)) ?? []
        let delivered = entries.filter { keys.contains($0.beacon.key) && $0.standing == .delivered }
        guard delivered.count < keys.count else { return nil }
        let reasons = entries.filter { keys.contains($0.beacon.key) }.compactMap { entry -> String? in
            switch entry.standing {
            case .unconfirmed(let reason), .dead(let reason): "\(entry.beacon.key.event): \(reason)"
            case .recorded(_, let reason): "\(entry.beacon.key.event): \(reason ?? "it waits for its turn")"
            case .inFlight: "\(entry.beacon.key.event): it is being sent"
            case .delivered: nil
            }
        }
        return PlayError(
            .beacons,
            Style.printable("smartico was not told; \(reasons.joined(separator: "; "))", upTo: 300)
        )
    }
}
