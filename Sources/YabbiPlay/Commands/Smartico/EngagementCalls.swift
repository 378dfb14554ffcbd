import AdCore
import AdProviders
import AdRuntime
import PlayConsole

/// The calls to Smartico over HTTP: the registration of a push token, and reports about push notifications.
///
/// Smartico's documentation describes them under "Registering tokens for push notifications over API", and under the
/// events of notifications.
struct EngagementCalls: Sendable {
    private let templates: [BeaconTemplate]

    /// Creates the requested calls.
    ///
    /// Throws if the provider can't create one of them.
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

    /// Sends the calls.
    ///
    /// Returns an error that names those that were not delivered in time.
    func send(_ context: RunContext) async -> PlayError? {
        guard !self.templates.isEmpty else { return nil }
        let beacons = context.services.beacons
        var keys: Set<BeaconKey> = []
        for template in self.templates {
            let key = template.key(of: AdID(bits: context.services.random()), index: 0)
            keys.insert(key)
            await beacons.recordAndDeliver([Beacon(key, template.call, of: SmarticoSession.provider)])
        }
        await beacons.waitUntilDelivered(within: context.options.timeout)
        let entries = (try? await beacons.entries(of: keys)) ?? []
        let delivered = entries.filter { $0.standing == .delivered }
        guard delivered.count < keys.count else { return nil }
        let reasons = entries.compactMap { entry -> String? in
            switch entry.standing {
            case .unconfirmed(let reason), .dead(let reason): "\(entry.beacon.key.event): \(reason)"
            case .pending(_, let reason): "\(entry.beacon.key.event): \(reason ?? "not sent yet")"
            case .inFlight: "\(entry.beacon.key.event): in flight"
            case .delivered: nil
            }
        }
        return PlayError(
            .beacons,
            Style.printable("calls to smartico failed: \(reasons.joined(separator: "; "))", upTo: 300)
        )
    }
}
