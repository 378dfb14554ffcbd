import AdCore

// The messages of MRAID, as tools list them.

extension MRAIDUpdate {
    /// The events and the reply of this update.
    var messages: [StageOutput] {
        let events = self.events.map { event in
            let name = event.first?.string ?? "event"
            return BridgeMessage(.mraid, .toCreative, name.excerpt(40), .array(Array(event.dropFirst())))
        }
        return (self.replyMessage.map { [$0] } ?? []).map { .observe(.bridge($0)) }
            + events.map { .observe(.bridge($0)) }
    }

    private var replyMessage: BridgeMessage? {
        guard let reply else { return nil }
        let (outcome, reason): (AdJSON, AdJSON) =
            switch reply.outcome {
            case .done: ("done", .null)
            case .ignored: ("ignored", .null)
            case .refused(let reason): ("refused", .string(reason))
            }
        let arguments: AdJSON = ["call": .string(reply.name), "outcome": outcome, "reason": reason]
        return BridgeMessage(.mraid, .toCreative, "reply", arguments)
    }

    /// A call of the creative, with its arguments.
    static func messages(of message: EngineMessage) -> [StageOutput] {
        guard case .object(let members)? = message.json(), let name = members.first(where: { $0.name == "c" }) else {
            return []
        }
        let arguments = members.filter { $0.name != "c" && $0.name != "n" }.map { member in
            AdJSON.Member(member.name, member.value.string.map { .string($0.excerpt(500)) } ?? member.value)
        }
        let type = (name.value.string ?? "?").excerpt(40)
        return [.observe(.bridge(BridgeMessage(.mraid, .fromCreative, type, .object(arguments))))]
    }
}
