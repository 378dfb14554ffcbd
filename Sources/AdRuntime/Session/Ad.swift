public import AdCore
import AdTrace
import SystemSupport

/// What all ads of a loader share.
final class ProviderContext: Sendable {
    let provider: ProviderName
    let openMode: LinkOpenMode
    let services: AdServices

    init(provider: ProviderName, openMode: LinkOpenMode, services: AdServices) {
        self.provider = provider
        self.openMode = openMode
        self.services = services
    }
}

/// One ad, from load to close.
///
/// Safe to use from any task; every command ends, with a result or an error.
///
/// An ad on screen lives on by itself; one that is only loaded goes when the host lets go of it.
///
/// ```swift
/// let ad = try await loader.load(placement)
/// let events = ad.events
/// try await ad.show(on: presenter)
/// for await event in events { print(event.name) }
/// ```
public final class Ad: Sendable {
    /// The ad's id, as it stands in its beacons.
    public let id: AdID
    /// Whose ad it is.
    public var provider: ProviderName { self.context.provider }

    let context: ProviderContext
    var services: AdServices { self.context.services }
    /// The session that pushed it, where one did.
    let bridge: PageBridge?
    let life: Locked<AdLifecycle>
    let mailbox = SerialMailbox<Event>()
    let eventBroadcaster = Broadcaster<AdEvent>()
    let parts: Locked<Parts>

    /// Where the ad's offer comes from.
    ///
    /// A struct around the closure: before iOS 18 a closure with typed throws can't be a generic argument, which the
    /// value of a lock is.
    struct OfferSource: Sendable {
        let load: @Sendable (Ad) async throws(AdError) -> Offer
    }

    /// What the mailbox takes.
    enum Event: Sendable {
        case input(AdInput)
        case show(CommandID, any Presenter)
        case answer(Result<Offer, AdError>)
        /// Beacons were written down; when everybody was told, they may go.
        case recorded(Recorded, [Beacon], [AdIssue])
    }

    /// Something to be written down.
    struct Unwritten: Sendable {
        let what: Recorded
        let beacons: [Beacon]
        let issues: [AdIssue]
    }

    /// What was written down.
    enum Recorded: Sendable {
        /// The ad's own event.
        case event(BeaconEvent)
        /// Something that a video has to tell.
        case fact
        /// Failures on the way to an offer, of which the ad itself knows nothing.
        case pings
    }

    /// What the ad holds, apart from its state.
    struct Parts {
        var source: OfferSource?
        var asking: Task<Void, Never>?
        var presenter: (any Presenter)?
        var presenting: Task<Void, Never>?
        var lane: StageCommandQueue?
        /// What is still to be written down, in order, and whether somebody is at it.
        var unwritten: [Unwritten] = []
        var isWriting = false
        /// How many failures were told on the way to the offer.
        var pings = 0
        var offer: Offer?
        /// The exclusive hold on an offer of a cached response.
        var lease: OfferLease?
        var size: CreativeLayout?
        var observation: HostObservation?
        var alarms: [(timer: AdTimer, alarm: AlarmID)] = []
        /// The host's calls, and who waits for each: `rest` where that is somebody who holds work meanwhile.
        var commands: [(id: CommandID, outcome: OneShot<AdError?>, rest: ClockWait?)] = []
        /// Those who wait for the end.
        var waiting: [ClockWait] = []
        var last: UInt64 = 0
        var isReleased = false
    }

    init(id: AdID, _ context: ProviderContext, bridge: PageBridge? = nil, source: OfferSource) {
        self.id = id
        self.context = context
        self.bridge = bridge
        self.life = Locked(AdLifecycle(timing: context.services.timing))
        self.parts = Locked(Parts(source: source))
        context.services.trace?.begin(id, of: context.provider, context.services.timing)
    }

    deinit {
        let parts = self.parts.withLock { $0 }
        for entry in parts.alarms { self.services.clock.cancel(entry.alarm) }
        if !parts.isReleased { self.bridge?.hear(.gone) }
    }
}

extension Ad {
    /// Loads the ad.
    ///
    /// Cancelling the task ends the load.
    public func load() async throws(AdError) {
        try await self.command { .input(.load($0)) }
    }

    /// Loads the ad for somebody who holds work already: time may go on while it loads, and is found where that ended.
    package func loadAtRest() async throws(AdError) {
        try await self.command(ClockWait(self.services.clock)) { .input(.load($0)) }
    }

    /// Shows the ad and returns when it is on screen.
    ///
    /// Cancelling the task before that ends the show.
    public func show(on presenter: any Presenter) async throws(AdError) {
        try await self.command { .show($0, presenter) }
    }

    /// Takes the ad off the screen.
    ///
    /// A show that is still under way fails as cancelled; where nothing is shown, nothing happens.
    public func close() { self.put(.close) }

    /// Ends the ad whatever it is doing and frees what it holds.
    ///
    /// Beacons that were recorded are still delivered.
    public func destroy() { self.put(.destroy) }

    /// What happens from now on; each call gives a stream of its own, which ends with the ad.
    ///
    /// Ask for it before `show`, to hear of everything that a show leads to.
    public var events: AsyncStream<AdEvent> { self.eventBroadcaster.messages }

    /// Waits until the ad is over, on behalf of somebody who holds work and finds time where the ad ended.
    package func restUntilOver() async {
        let rest = ClockWait(self.services.clock)
        let isOver = self.parts.withLock { parts in
            if !parts.isReleased { parts.waiting.append(rest) }
            return parts.isReleased
        }
        if !isOver { await rest.wait() }
    }

    /// Where the ad is in its life.
    package var phase: AdLifecycle.Phase { self.life.withLock { $0.phase } }

    /// Whether the ad can be shown now.
    public var isLoaded: Bool { self.phase == .loaded }

    /// Whether the ad is on screen.
    public var isShowing: Bool { self.phase == .showing }

    /// How far the ad is from being closable, for a countdown; nil where it is not on screen.
    public var closeAvailability: CloseAvailability? {
        let now = self.services.clock.now
        return self.life.withLock { $0.closeAvailability(at: now) }
    }

    /// How far a video on screen has played; nil where there is none.
    public var progress: VideoProgress? { self.life.withLock { $0.progress } }

    /// What was offered, as long as the ad holds it.
    public var offer: Offer? { self.parts.withLock { $0.offer } }

    private func command(_ rest: ClockWait? = nil, _ make: (CommandID) -> Event) async throws(AdError) {
        guard !Task.isCancelled else {
            throw AdError(.cancelled, "the task was cancelled before it began", at: .init(provider: self.provider))
        }
        let outcome = OneShot<AdError?>()
        let id = self.parts.withLock { parts in
            parts.last += 1
            let id = CommandID(parts.last)
            parts.commands.append((id, outcome, rest))
            return id
        }
        let news = make(id)
        self.services.clock.workBegan()
        let error = await withTaskCancellationHandler {
            self.put(news)
            // A cancellation that came before the command was known is told now.
            if Task.isCancelled { self.put(.cancel(id)) }
            self.services.clock.workEnded()
            if let rest { await rest.wait() }
            return await outcome.value
        } onCancel: {
            self.put(.cancel(id))
        }
        if let error { throw error.located(.init(provider: self.provider)) }
    }
}
