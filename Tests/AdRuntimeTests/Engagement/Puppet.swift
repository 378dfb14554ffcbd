import AdCore
import AdRuntime
import SystemSupport
import YabbiTesting

/// A machine that does what a test tells it to, and writes down what it hears.
struct Puppet: EngagementMachine {
    typealias Command = [EngagementAction<String>]
    typealias Event = String

    /// What a machine heard, in order.
    final class Diary: Sendable {
        private let state = Locked<[String]>([])

        var lines: [String] { self.state.withLock { $0 } }

        func note(_ line: String) { self.state.withLock { $0.append(line) } }
    }

    let provider: ProviderName = "puppet"
    let diary: Diary

    mutating func handle(
        _ input: EngagementInput<Command>,
        at time: EngagementTime,
        random: inout some RandomNumberGenerator
    ) -> [EngagementAction<String>] {
        switch input {
        case .command(let actions): return actions
        case .socket(let event):
            self.diary.note("socket \(event)")
            guard case .text(let text) = event else { return [] }
            return [.send("echo \(text)")]
        case .timer(let timer):
            self.diary.note("\(timer) at \(time.now.sinceOrigin)")
            return []
        case .page(let page, .message(let text)):
            self.diary.note("page \(page.number) says \(text)")
            switch text {
            case "loaded": return [.post(page, "first \(page.number)"), .post(page, "second \(page.number)")]
            case "ready": return [.ready(page)]
            case "close": return [.close(page)]
            case "send": return [.send("from \(page.number)")]
            default: return []
            }
        case .page(let page, let event):
            self.diary.note("page \(page.number) \(event)")
            return []
        case .signal(let signal):
            self.diary.note("\(signal)")
            return []
        }
    }
}

/// A session of a puppet, with all around it faked.
final class Live: Sendable {
    let world = World()
    let sockets = ScriptedSockets()
    let diary = Puppet.Diary()
    private let holder: Locked<EngagementSession<Puppet>?>

    init() {
        let session = EngagementSession(
            Puppet(diary: self.diary),
            services: self.world.services,
            sockets: self.sockets,
            minutesBehindUTC: { _ in 0 }
        )
        self.holder = Locked(session)
    }

    /// The session; a test that asks for it after `letGo` has lost its way.
    var session: EngagementSession<Puppet> {
        guard let session = self.holder.withLock({ $0 }) else { preconditionFailure("The session was let go.") }
        return session
    }

    /// Lets go of the session, and says whether it is gone.
    func letGo() -> Bool {
        weak let watched = self.holder.withLock { $0 }
        _ = self.holder.withLock { $0.take() }
        return watched == nil
    }

    func tell(_ actions: EngagementAction<String>...) { self.session.send(actions) }

    func offer(_ page: Int, lifetime: Duration? = nil) {
        self.tell(.offer(PageID(page), .page(page, lifetime: lifetime)))
    }

    static let request = SocketRequest(SocketURL(url("http://live.example/")))
}

extension Offer {
    /// A page whose address says which it is.
    static func page(_ number: Int, lifetime: Duration? = nil) -> Offer {
        Offer(
            provider: "puppet",
            creative: .page(
                PageCreative(url("http://live.example/\(number)"), userAgent: "TEST", bridges: ["Bridge"])
            ),
            terms: ShowRules(.engagement, lifetime: lifetime),
            size: .adaptive,
            details: [AdJSON.Member("page", .int(number))]
        )
    }
}

extension Ad {
    /// Which page it is; nil where it is over.
    var page: Int? { self.offer?.details.first?.value.number.map { Int($0) } }
}
