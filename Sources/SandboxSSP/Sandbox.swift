package import AdCore
import LibC
import SystemSupport

/// A local SSP: it serves ads on a loopback port, remembers every request, and goes wrong when it is told to.
///
/// It runs from `start` until `stop`, or until nobody holds it. Any number may run side by side.
///
/// ```swift
/// let sandbox = try Sandbox.start()
/// try sandbox.setFaults(["/t/": [Sandbox.Fault(.status(503), times: 2)]])
/// // … load and show an ad from sandbox.url("/yabbi/load") …
/// let views = sandbox.hits().filter { $0.path == "/t/yabbi/view" }
/// sandbox.stop()
/// ```
package final class Sandbox: Sendable {
    /// What a sandbox is started with.
    package struct Configuration: Sendable {
        /// The port; 0 takes one that is free.
        package var port = 0
        /// What it can serve besides the units that it always has.
        package var catalogue = CreativeCatalogue()
        /// How long the unit `slow` takes.
        package var slowness = Duration.seconds(3)
        /// What is drawn at random is drawn from this: the same seed gives the same draws.
        package var seed = UInt64.random(in: .min ... .max)
        /// Begins the numbers of what is handed out, so that the names of two runs differ for whoever remembers both.
        package var run = ""
        /// How often a Smartico client is asked whether it is still there.
        package var pingInterval = Duration.seconds(10)

        /// Any free port, no creatives.
        package init() {}
    }

    /// The port that it listens on.
    package let port: Int
    /// Its address.
    package let baseURL: HTTPURL

    private let state: Locked<SandboxState>
    private let server: HTTPServer

    /// Starts a sandbox on 127.0.0.1.
    ///
    /// When this returns, it answers.
    package static func start(_ configuration: Configuration = Configuration()) throws(SandboxError) -> Sandbox {
        try Sandbox(configuration)
    }

    private init(_ configuration: Configuration) throws(SandboxError) {
        let listener = try HTTPServer.Listener(port: configuration.port)
        let base = "http://127.0.0.1:\(listener.port)"
        guard let url = HTTPURL(base) else { preconditionFailure("An address of loopback is an address.") }
        let state = Locked(
            SandboxState(
                base: base,
                address: OwnAddress(port: listener.port),
                catalogue: configuration.catalogue,
                slowness: configuration.slowness,
                seed: configuration.seed,
                run: configuration.run,
                opened: .now,
                pingInterval: configuration.pingInterval
            )
        )
        self.server = try HTTPServer(
            listener,
            sockets: { events in
                let now = WallTime.now
                return state.withLock { $0.handle(events, at: now) }
            },
            respond: { request in
                let now = WallTime.now
                return state.withLock { $0.answer(request, at: now) }
            }
        )
        self.port = listener.port
        self.baseURL = url
        self.state = state
    }

    deinit { self.server.stop() }

    /// Ends every connection, also those that wait for a late answer, and frees the port.
    ///
    /// It may be called again.
    package func stop() { self.server.stop() }

    /// The address of a path of the sandbox; nil where that is no path.
    package func url(_ path: String) -> HTTPURL? {
        path.utf8.first == UInt8(ascii: "/") ? HTTPURL("http://127.0.0.1:\(self.port)" + path) : nil
    }

    /// Every request and every message over a socket that arrived, oldest first, up to the newest 200,000 (fewer where they are large).
    package func hits() -> [Hit] { self.state.withLock { Array($0.log.hits) } }

    /// How many older hits were given up for those that `hits` lists.
    package var droppedHits: Int { self.state.withLock { $0.log.dropped } }

    /// What the ad endpoints were asked, oldest first.
    package func requests() -> [Hit] { self.hits().filter(\.isAdRequest) }

    /// What the calls of its trackers and the events of its cards cost, as `GET /sandbox/bill` tells it.
    package func bill() -> Bill {
        let (hits, dropped) = self.state.withLock { ($0.log.hits, $0.log.dropped) }
        return Bill(hits, dropped: dropped)
    }

    /// Replaces the faults of the path prefixes that are named; the others stay.
    ///
    /// The longest prefix of a path decides, and its list is used up in order. An empty list means that all goes
    /// normally there, whatever a shorter prefix says.
    package func setFaults(_ faults: [String: [Fault]]) throws(SandboxError) {
        let outcome = self.state.withLock { state -> Result<Void, FieldFault> in
            Result { () throws(FieldFault) in try state.setFaults(faults) }
        }
        if case .failure(let fault) = outcome { throw SandboxError(fault.message) }
    }

    /// Pushes engagements to every socket on which a Smartico user is identified, as `POST /sandbox/push` does.
    ///
    /// - Parameters:
    ///   - push: What is sent.
    ///   - user: The user's `ext_user_id`.
    ///   - count: How many of them, at most 1,000: popups that differ, or the same raw message again.
    /// - Returns: How many sockets took it.
    @discardableResult
    package func push(_ push: Push, to user: String, count: Int = 1) -> Int {
        let now = WallTime.now
        let count = min(max(count, Sandbox.pushCounts.lowerBound), Sandbox.pushCounts.upperBound)
        let outcome = self.state.withLock { state in
            state.now = now
            return state.push(push, to: user, count: count)
        }
        self.server.carryOut(outcome.orders)
        return outcome.sockets
    }

    /// How many pushes go out at a time: a client that reads them has room for them all.
    static let pushCounts = 1...1000

    /// Forgets hits, and with them the bill, faults, and which conversations have to wait for an ad.
    package func reset() { self.state.withLock { $0.reset() } }
}

extension WallTime {
    /// The system's calendar time.
    fileprivate static var now: WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
