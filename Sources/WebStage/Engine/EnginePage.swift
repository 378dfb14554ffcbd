package import AdCore

/// A page of a browser engine that shows one creative, with cookies, storage and caches of its own.
///
/// An engine guarantees for each target of the page:
/// - Scripts of a creative run only after `resume`; scripts that were added before run first, in their own world.
/// - Events are delivered in order, and a reply after all events that happened before it.
/// - The engine sends no request, opens no window, starts no download and answers no dialog by itself: it reports each,
///   and the stage decides. An engine that can't hold requests (WebKit applies content rules itself) reports refused
///   ones with `requestRefused`.
/// - The end of a process is reported, and does not affect other pages.
package protocol EnginePage: AnyObject, Sendable {
    /// The maximum size of an answer with a part of a film, in bytes; the page asks for the rest.
    static var answerByteLimit: Int { get }

    /// The target of the page itself.
    var target: EngineTarget { get }

    /// The engine's identifier of the page's outermost frame.
    var frame: String { get }

    /// Whether the page was made for an address and is held before it loads that, until `EngineCommand.resume`.
    ///
    /// A page that is not held is empty, and loads what `EngineCommand.load` names.
    var isHeld: Bool { get }

    /// Whether the engine has ended.
    var hasEnded: Bool { get }

    /// The last error in the engine's log; nil for none.
    var lastError: String? { get }

    /// Replaces the event handler, which is called on the engine's thread and must not block; nil drops events.
    func setHandler(_ handler: (@Sendable (EngineEvent) -> Void)?)

    /// Executes a command without waiting for its reply.
    func send(_ command: EngineCommand)

    /// Executes a command; `reply` is called once, on the engine's thread.
    func query(
        _ command: EngineCommand,
        within limit: Duration,
        reply: @escaping @Sendable (Result<EngineReply, EngineError>) -> Void
    )

    /// Calls a closure after a delay, unless the engine has ended by then.
    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void)

    /// Calls a closure once when the engine has ended; returns a number to remove it, nil if the engine has ended
    /// already.
    func addEndHandler(_ body: @escaping @Sendable () -> Void) -> Int?

    /// Removes a closure that `addEndHandler` added.
    func removeEndHandler(_ number: Int)

    /// Resizes the page's window, if it has a visible one.
    func resizeWindow(to screen: Size)

    /// Whether the element at a position of a target's viewport, or an ancestor, has touch listeners.
    func listensToTouches(x: Double, y: Double, in target: EngineTarget, within limit: Duration) async -> Bool

    /// Makes the page as good as new for another creative: without the frames, cookies and caches of the last one.
    ///
    /// Its processes stay, which are most of the cost of a page. Returns false if that is not possible.
    func renew() async -> Bool

    /// Removes the page with its storage; returns when that is done, at the latest after a second.
    func dispose() async
}

/// The default time limit for replies.
package enum EngineTime {
    package static let limit = Duration.seconds(10)
}

extension EnginePage {
    package static var answerByteLimit: Int { MediaRange.byteLimit }

    package var isHeld: Bool { false }

    package func renew() async -> Bool { false }

    /// Executes a command and waits for the reply.
    package func query(
        _ command: EngineCommand,
        within limit: Duration = EngineTime.limit
    ) async throws(EngineError) -> EngineReply {
        let reply = await withCheckedContinuation { continuation in
            self.query(command, within: limit) { continuation.resume(returning: $0) }
        }
        return try reply.get()
    }

    /// Whether the page still answers.
    package func isAlive() async -> Bool { (try? await self.query(.ping(self.target), within: .seconds(1))) != nil }
}
