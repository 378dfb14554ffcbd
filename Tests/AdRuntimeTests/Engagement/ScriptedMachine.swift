import AdCore
import AdRuntime
import SystemSupport
import YabbiTesting

/// A session machine that executes the actions of a test and logs its inputs.
struct ScriptedMachine: EngagementMachine {
    typealias Command = [EngagementAction<String>]
    typealias Event = String

    /// The inputs of a machine, in order.
    final class Log: Sendable {
        private let state = Locked<[String]>([])

        var lines: [String] { self.state.withLock { $0 } }

        func append(_ line: String) { self.state.withLock { $0.append(line) } }
    }

    let provider: ProviderName = "puppet"
    let log: Log

    mutating func handle(
        _ input: EngagementInput<Command>,
        at time: EngagementTime,
        random: inout some RandomNumberGenerator
    ) -> [EngagementAction<String>] {
        switch input {
        case .command(let actions): return actions
        case .socket(let event):
            self.log.append("socket \(event)")
            guard case .text(let text) = event else { return [] }
            return [.send("echo \(text)")]
        case .timer(let timer):
            self.log.append("\(timer) at \(time.now.sinceOrigin)")
            return []
        case .page(let page, .message(let text)):
            self.log.append("page \(page.number) says \(text)")
            switch text {
            case "loaded": return [.post(page, "first \(page.number)"), .post(page, "second \(page.number)")]
            case "ready": return [.ready(page)]
            case "close": return [.close(page)]
            case "send": return [.send("from \(page.number)")]
            default: return []
            }
        case .page(let page, let event):
            self.log.append("page \(page.number) \(event)")
            return []
        case .signal(let signal):
            self.log.append("\(signal)")
            return []
        }
    }
}

/// A session with a scripted machine and fake services.
final class Live: Sendable {
    let world = World()
    let sockets = ScriptedSockets()
    let log = ScriptedMachine.Log()
    private let held: Locked<EngagementSession<ScriptedMachine>?>

    init() {
        let session = EngagementSession(
            ScriptedMachine(log: self.log),
            services: self.world.services,
            sockets: self.sockets,
            minutesBehindUTC: { _ in 0 }
        )
        self.held = Locked(session)
    }

    /// The session; must not be used after `release()`.
    var session: EngagementSession<ScriptedMachine> {
        guard let session = self.held.withLock({ $0 }) else { preconditionFailure("The session was released.") }
        return session
    }

    /// Releases the session, and returns whether it was freed.
    func release() -> Bool {
        weak let watched = self.held.withLock { $0 }
        _ = self.held.withLock { $0.take() }
        return watched == nil
    }

    func perform(_ actions: EngagementAction<String>...) { self.session.send(actions) }

    func offer(_ page: Int, lifetime: Duration? = nil) {
        self.perform(.offer(PageID(page), .page(page, lifetime: lifetime)))
    }

    static let request = SocketRequest(SocketURL(url("http://live.example/")))
}

extension Offer {
    /// A page with its number in its URL.
    static func page(_ number: Int, lifetime: Duration? = nil) -> Offer {
        Offer(
            provider: "puppet",
            creative: .page(
                PageCreative(url("http://live.example/\(number)"), userAgent: "TEST", bridges: ["Bridge"])
            ),
            rules: ShowRules(.engagement, lifetime: lifetime),
            size: .adaptive,
            details: [AdJSON.Member("page", .int(number))]
        )
    }
}

extension Ad {
    /// The page's number; nil after the ad has ended.
    var page: Int? { self.offer?.details.first?.value.number.map { Int($0) } }
}
