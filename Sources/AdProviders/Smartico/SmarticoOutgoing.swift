import AdCore

/// A message to the server, with its members in the order of the protocol.
enum SmarticoOutgoing: Hashable, Sendable {
    case initialize(SmarticoApp, session: String)
    case pong(uuid: String?)
    case identify(SmarticoUser, SmarticoApp, SmarticoPush?)
    case login(SmarticoApp)
    case push(SmarticoPush)
    case language(String)

    /// The message as JSON; a PONG has the id of its PING, every other message an id of its own.
    func text(at time: EngagementTime, uuid: @autoclosure () -> String) -> String {
        var members = self.members(time.minutesBehindUTC).map { AdJSON.Member($0.0, $0.1) }
        members.append(.init("ts", .int(time.wall.milliseconds)))
        var id = uuid()
        if case .pong(let own?) = self { id = own }
        members.append(.init("uuid", .string(id)))
        return AdJSON.object(members).text()
    }

    private func members(_ offset: Int) -> [(String, AdJSON)] {
        switch self {
        case .initialize(let app, let session):
            return [
                ("cid", 3), ("label_key", .string(app.labelKey)), ("brand_key", .text(app.brandKey)),
                ("device_id", .string(app.deviceID)), ("ua", app.agent.json(minutesBehindUTC: offset)),
                ("page", .string(app.page)), ("tracker_version", .string(app.version)),
                ("session_id", .string(session)),
            ]
        case .pong:
            return [("cid", 2)]
        case .identify(let user, let app, let push):
            var members: [(String, AdJSON)] = [
                ("cid", 5), ("ext_user_id", .string(user.id)), ("hash", .text(user.hash)),
                ("ua", app.agent.json(minutesBehindUTC: offset)), ("page", .string(app.page)),
            ]
            if let push { members += [("pushNotificationUserStatus", .int(push.status.rawValue))] }
            if let token = push?.token { members += [("token", .string(token))] }
            members += [("tracker_version", .string(app.version))]
            if let push { members += [("platform", .int(push.platform.rawValue))] }
            return members + [("payload", .object([]))]
        case .login(let app):
            return [("cid", 7), ("payload", app.agent.json("ua_", minutesBehindUTC: offset))]
        case .push(let push):
            return [
                ("cid", 1003), ("pushNotificationUserStatus", .int(push.status.rawValue)),
                ("token", .string(push.token ?? "")), ("platform", .int(push.platform.rawValue)),
            ]
        case .language(let language):
            return [
                ("cid", 9), ("eventType", "core_language_changed"),
                ("payload", ["language": .string(language)]),
            ]
        }
    }
}
