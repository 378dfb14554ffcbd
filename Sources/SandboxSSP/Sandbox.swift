package import AdCore
import LoopbackServer
import SystemSupport

/// A local ad server for tests: it serves ads of all providers on a loopback port, records every request, and injects
/// faults.
///
/// It runs from `start` until `stop` or its deinitialization. Any number of sandboxes can run at the same time.
///
/// ```swift
/// let sandbox = try Sandbox.start()
/// try sandbox.setFaults(["/t/": [Sandbox.Fault(.status(503), times: 2)]])
/// // … load and show an ad from sandbox.url("/yabbi/load") …
/// let views = sandbox.hits().filter { $0.path == "/t/yabbi/view" }
/// sandbox.stop()
/// ```
package final class Sandbox: Sendable {
    /// The options of a sandbox.
    package struct Configuration: Sendable {
        /// The port; 0 selects a free one.
        package var port = 0
        /// The creatives that it serves in addition to the scenarios.
        package var catalogue = CreativeCatalogue()
        /// The delay of the scenario `slow`.
        package var slowDelay = Duration.seconds(3)
        /// The seed of the random choices: the same seed gives the same choices.
        package var seed = UInt64.random(in: .min ... .max)
        /// A prefix of the numbers in issued ids, which makes the ids of different runs distinct.
        package var run = ""
        /// The time between two pings of a Smartico client.
        package var pingInterval = Duration.seconds(10)

        /// Creates the default configuration: a free port, no creatives.
        package init() {}
    }

    /// The port that the sandbox listens on.
    package let port: Int
    /// The sandbox's URL.
    package let baseURL: HTTPURL

    private let state: Locked<SandboxState>
    private let server: HTTPServer

    /// Starts a sandbox on 127.0.0.1; it responds when this returns.
    package static func start(_ configuration: Configuration = Configuration()) throws(SandboxError) -> Sandbox {
        try Sandbox(configuration)
    }

    private init(_ configuration: Configuration) throws(SandboxError) {
        let listener = try SandboxError.converting { () throws(ServerError) in
            try HTTPServer.Listener(port: configuration.port)
        }
        let base = "http://127.0.0.1:\(listener.port)"
        guard let url = HTTPURL(base) else { preconditionFailure("The loopback URL is invalid.") }
        let state = Locked(
            SandboxState(
                base: base,
                address: LoopbackAddress(port: listener.port),
                catalogue: configuration.catalogue,
                slowDelay: configuration.slowDelay,
                seed: configuration.seed,
                run: configuration.run,
                startTime: .now,
                pingInterval: configuration.pingInterval
            )
        )
        self.server = try SandboxError.converting { () throws(ServerError) in
            try HTTPServer(
                listener,
                sockets: { events in
                    let now = WallTime.now
                    return state.withLock { $0.handle(events, at: now) }
                },
                respond: { request in
                    let now = WallTime.now
                    return state.withLock { $0.handle(request, at: now) }
                }
            )
        }
        self.port = listener.port
        self.baseURL = url
        self.state = state
    }

    deinit { self.server.stop() }

    /// Closes all connections, including those with a delayed response, and frees the port.
    ///
    /// A second call has no effect.
    package func stop() { self.server.stop() }

    /// The URL of a path of the sandbox; nil when it does not start with a slash.
    package func url(_ path: String) -> HTTPURL? {
        path.utf8.first == UInt8(ascii: "/") ? HTTPURL("http://127.0.0.1:\(self.port)" + path) : nil
    }

    /// The newest requests and socket messages, oldest first: at most 200,000, fewer when they are large.
    package func hits() -> [Hit] { self.state.withLock { Array($0.log.hits) } }

    /// The number of older hits that were dropped for newer ones.
    package var droppedHits: Int { self.state.withLock { $0.log.dropped } }

    /// The ad requests, oldest first.
    package func requests() -> [Hit] { self.hits().filter(\.isAdRequest) }

    /// The billable calls, as `GET /sandbox/bill` returns them.
    package func bill() -> Bill {
        let (hits, dropped) = self.state.withLock { ($0.log.hits, $0.log.dropped) }
        return Bill(hits, dropped: dropped)
    }

    /// Replaces the faults of the given path prefixes and keeps the others.
    ///
    /// The longest matching prefix decides, and its list is used up in order. An empty list means normal responses
    /// there, whatever a shorter prefix has.
    package func setFaults(_ faults: [String: [Fault]]) throws(SandboxError) {
        let outcome = self.state.withLock { state -> Result<Void, FieldError> in
            Result { () throws(FieldError) in try state.setFaults(faults) }
        }
        if case .failure(let fault) = outcome { throw SandboxError(fault.message) }
    }

    /// Pushes engagements to all sockets of a Smartico user, as `POST /sandbox/push` does.
    ///
    /// - Parameters:
    ///   - push: The message to push.
    ///   - user: The user's `ext_user_id`.
    ///   - count: The number of messages, at most 1,000: different popups, or the same raw message.
    /// - Returns: The number of sockets that get a message.
    @discardableResult
    package func push(_ push: Push, to user: String, count: Int = 1) -> Int {
        let now = WallTime.now
        let count = min(max(count, Sandbox.pushCounts.lowerBound), Sandbox.pushCounts.upperBound)
        let outcome = self.state.withLock { state in
            state.now = now
            return state.push(push, to: user, count: count)
        }
        self.server.execute(outcome.commands)
        return outcome.sockets
    }

    /// The number of messages in one push; a client that reads has room for all of them.
    static let pushCounts = 1...1000

    /// Removes all hits, faults and transactions of rewards, and ends the cooldowns of CeedAds' conversations.
    package func reset() { self.state.withLock { $0.reset() } }
}

extension WallTime {
    /// The system's current time.
    fileprivate static var now: WallTime { WallTime(milliseconds: SystemTime.milliseconds) }
}
