package import AdCore

/// A page of a browser engine that shows one creative, in a context of its own: cookies, storage and caches are shared with
/// no other page, and are gone with it.
///
/// An engine promises this of each target of the page:
/// - Nothing of a creative runs in a target before `resume`, and a script that was added until then runs before the
///   document's own, in its own world.
/// - Events arrive in the order in which they happened, and a reply after all events that happened before it.
/// - No request is sent, no window opened, no download begun and no dialog answered by the engine itself: each is reported,
///   and the stage decides. Where an engine can't hold requests (WebKit applies content rules by itself) it reports the
///   refused ones with `requestRefused`.
/// - The end of a process is reported, and ends no other page.
package protocol EnginePage: AnyObject, Sendable {
    /// Whether the engine has ended.
    var hasEnded: Bool { get }

    /// The last error that the engine wrote; nil for none.
    var complaint: String? { get }

    /// Replaces the handler of events, which is called on the engine's thread and must not block; nil drops them.
    func setHandler(_ handler: (@Sendable (EngineEvent) -> Void)?)

    /// Executes a command whose reply is of no interest.
    func send(_ command: EngineCommand)

    /// Executes a command; the reply is given to a closure on the engine's thread, exactly once.
    func query(
        _ command: EngineCommand,
        within limit: Duration,
        reply: @escaping @Sendable (Result<EngineReply, EngineFault>) -> Void
    )

    /// Calls a closure after some time; never, where the engine has ended by then.
    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void)

    /// Calls a closure once when the engine has ended, until it is removed by the number; nil where it has ended already.
    func addEndHandler(_ body: @escaping @Sendable () -> Void) -> Int?

    /// Removes a closure that `addEndHandler` added.
    func removeEndHandler(_ number: Int)

    /// The screen has another size now: a window that people see follows it.
    func resizeWindow(to screen: Size)

    /// Whether the element at a place of a target's viewport, or anything around it, listens to touches.
    func listensToTouches(x: Double, y: Double, in target: EngineTarget, within limit: Duration) async -> Bool

    /// Removes the page with its context; returns when that is done, or after a second.
    func dispose() async
}

/// How long an engine may take for a reply, unless the query has another limit.
package enum EngineTime {
    package static let limit = Duration.seconds(10)
}

extension EnginePage {
    /// Executes a command, and waits for the reply.
    package func query(
        _ command: EngineCommand,
        within limit: Duration = EngineTime.limit
    ) async throws(EngineFault) -> EngineReply {
        let reply = await withCheckedContinuation { continuation in
            self.query(command, within: limit) { continuation.resume(returning: $0) }
        }
        return try reply.get()
    }
}
