import AdCore
import YabbiAds

/// Prints where a session would connect and what it would say first; nobody is asked.
enum EngagementDryRun {
    static func run(_ play: Play) throws(PlayError) -> ExitCode {
        let plan = try EngagementPlan(play)
        let (address, message) = try self.opening(plan, play)
        let shown = Redaction.address(address.text)
        if play.settings.isJSON {
            let line: JSON = [
                "event": "request", "method": "WS", "url": .string(shown), "headers": [:], "body": .string(message),
            ]
            play.console.out(line.text())
        } else {
            play.console.out("WS \(shown)")
            play.console.out("\n\(message)")
        }
        return .done
    }

    /// The socket's address and the first message, keys left out.
    private static func opening(_ plan: EngagementPlan, _ play: Play) throws(PlayError) -> (SocketURL, String) {
        var session = SmarticoSession(plan.app)
        var random = SplitMix(seed: play.services.random())
        let wall = play.clock.wallTime
        let time = EngagementTime(
            now: play.clock.now,
            wall: wall,
            minutesBehindUTC: LocalTime.minutesBehindUTC(at: wall)
        )
        let inputs: [EngagementInput<SmarticoCommand>] = [.command(.connect), .socket(.opened)]
        var address: SocketURL?
        for input in inputs {
            for action in session.handle(input, at: time, random: &random) {
                switch action {
                case .connect(let request): address = request.url
                case .news(.disconnected(let end, _)): throw PlayError(.usage, end.message)
                case .send(let text):
                    if let address { return (address, self.withoutKeys(text)) }
                default: break
                }
            }
        }
        preconditionFailure("A session that is connected introduces the app.")
    }

    private static func withoutKeys(_ text: String) -> String {
        guard case .object(let members)? = try? JSON(parsing: text) else { return text }
        let shown = members.map { member in
            Redaction.isSecret(member.name) && member.value != .null ? JSON.Member(member.name, "***") : member
        }
        return JSON.object(shown).text()
    }
}
