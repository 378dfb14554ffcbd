import AdCore
import AdProviders
import AdRuntime
import PlayConsole
import YabbiAds

/// Prints the URL that a session would connect to and its first message, without connecting.
enum EngagementDryRun {
    static func print(_ plan: EngagementPlan, _ context: RunContext) throws(PlayError) {
        let (address, message) = try self.opening(plan, context)
        let shown = Redaction.address(address.text)
        if context.options.isJSON {
            let line: AdJSON = [
                "event": "request", "method": "WS", "url": .string(shown), "headers": [:], "body": .string(message),
            ]
            context.console.out(line.text())
        } else {
            context.console.out("WS \(shown)")
            context.console.out("\n\(message)")
        }
    }

    /// The socket's URL and the first message, without keys.
    private static func opening(_ plan: EngagementPlan, _ context: RunContext) throws(PlayError) -> (SocketURL, String)
    {
        var session = SmarticoSession(plan.app)
        var random = SplitMix(seed: context.services.random())
        let wall = context.clock.wallTime
        let time = EngagementTime(
            now: context.clock.now,
            wall: wall,
            minutesBehindUTC: LocalTime.minutesBehindUTC(at: wall)
        )
        let inputs: [EngagementInput<SmarticoCommand>] = [.command(.connect), .socket(.opened)]
        var address: SocketURL?
        for input in inputs {
            for action in session.handle(input, at: time, random: &random) {
                switch action {
                case .connect(let request): address = request.url
                case .report(.disconnected(let end, _)): throw PlayError(.usage, end.message)
                case .send(let text):
                    if let address { return (address, self.withoutKeys(text)) }
                default: break
                }
            }
        }
        preconditionFailure("A connected session sends a message that initializes the app.")
    }

    private static func withoutKeys(_ text: String) -> String {
        guard case .object(let members)? = try? AdJSON(parsing: text) else { return text }
        let shown = members.map { member in
            Redaction.isSecret(member.name) && member.value != .null ? AdJSON.Member(member.name, "***") : member
        }
        return AdJSON.object(shown).text()
    }
}
