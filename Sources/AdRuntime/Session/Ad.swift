public import AdCore
import AdTrace
import SystemSupport

/// What all ads of a loader share: its provider and the services.
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
/// Safe to use from any task. Every command ends with a result or an error.
///
/// An ad on screen is kept alive until it closes; an ad that is only loaded is freed with the host's last reference.
///
/// ```swift
/// let ad = try await loader.load(placement)
/// let events = ad.events
/// try await ad.show(on: presenter)
/// for await event in events { print(event.name) }
/// ```
public final class Ad: Sendable {
    /// The ad's id, which its beacons carry.
    public let id: AdID
    /// The ad's provider.
    ///
    /// The ad of an auction has the provider of its offer, and `auction` before it has one.
    public var provider: ProviderName { self.origin.provider }

    let context: ProviderContext
    /// Where the offer comes from; before there is one, what the loader is for.
    var origin: ProviderContext { self.parts.withLock { $0.origin } ?? self.context }
    var services: AdServices { self.context.services }
    /// The connection to the live session that pushed the ad, if one did.
    let bridge: PageBridge?
    let lifecycle: Locked<AdLifecycle>
    let mailbox = SerialMailbox<Event>()
    let parts: Locked<Parts>

    /// Where the ad's offer comes from.
    ///
    /// This is a struct because before iOS 18 a closure with typed throws can't be a generic argument, such as the
    /// value of a lock.
    struct OfferSource: Sendable {
        let load: @Sendable (Ad) async throws(AdError) -> Offer
    }

    /// An item of the ad's mailbox.
    enum Event: Sendable {
        case input(AdInput)
        case show(CommandID, any Presenter)
        case loadEnded(Result<Offer, AdError>)
        /// The auction has chosen another offer, or has none.
        case nextChosen(Result<AuctionRun.Choice, AdError>)
        /// A stage reported an event, or could not be created.
        case stage(StageEvent, of: StageCommandQueue)
        case presentFailed(StageError, of: StageCommandQueue)
        /// Something happened that is no input of the lifecycle.
        case report(AdEvent)
        /// Beacons were recorded; what is reported about the keys waits until these events are reported.
        case recorded(RecordSource, [Beacon], [AdIssue], held: [BeaconKey])
    }

    /// Beacons that wait to be recorded, and the issues found in them.
    struct PendingRecord: Sendable {
        let source: RecordSource
        let beacons: [Beacon]
        let issues: [AdIssue]
    }

    /// What recorded beacons belong to.
    enum RecordSource: Sendable {
        /// An event of the ad: view or click.
        case event(BeaconEvent)
        /// A tracking event of a video.
        case trackingEvent
        /// Notices of an auction that are no inputs of the lifecycle.
        case notices
        /// Errors of VAST documents during the load, which are no inputs of the lifecycle.
        case loadErrors
    }

    /// What the ad holds apart from its lifecycle.
    struct Parts {
        var source: OfferSource?
        var loadTask: Task<Void, Never>?
        var presenter: (any Presenter)?
        var presentTask: Task<Void, Never>?
        var stageQueue: StageCommandQueue?
        /// What still has to be recorded, in order, and whether a task is recording.
        var pendingRecords: [PendingRecord] = []
        var isRecording = false
        /// Whether the notices of the win come first; the auction makes them on a thread of its own.
        var awaitsWinNotices = false
        /// How many error beacons the load has recorded.
        var loadErrorCount = 0
        var offer: Offer?
        /// The exclusive right to an offer of a cached response.
        var reservation: OfferReservation?
        /// The auction that sold the offer, where that comes from, and how many offers were tried before.
        var auction: AuctionRun?
        var origin: ProviderContext?
        var failedOffers = 0
        /// The placement's name, by which frequency caps count its views.
        var placementName: String?
        /// Who earns the reward.
        var rewardUser: RewardUser {
            get { self.boxedRewardUser?.value ?? RewardUser() }
            set { self.boxedRewardUser = Boxed(newValue) }
        }
        var boxedRewardUser: Boxed<RewardUser>?
        var size: CreativeLayout?
        /// What the host has signalled of itself, for stages that come later.
        var hostState: [HostSignal] = []
        var observation: HostObservation?
        /// The observation of the consent, of an ad whose creative may have the position.
        var consentObservation: HostObservation?
        var alarms: [(timer: AdTimer, alarm: AlarmID)] = []
        /// The host's open commands; `wait` is set for a caller that counts as work.
        var commands: [(id: CommandID, outcome: OneShot<AdError?>, wait: ClockWait?)] = []
        /// The streams of events; nil before the first one.
        var broadcaster: Broadcaster<AdEvent>?
        /// Called with every event, before the streams.
        var listener: (@Sendable (AdEvent) -> Void)?
        /// Waits that end with the ad.
        var endWaits: [ClockWait] = []
        var lastCommand: UInt64 = 0
        var isReleased = false
    }

    private static let releasedIssue = AdIssue(
        "ad.released",
        at: .whole,
        "the last reference to the loaded ad is gone, and it can't be shown any more; keep the ad until its show"
    )

    init(
        id: AdID,
        _ context: ProviderContext,
        bridge: PageBridge? = nil,
        placementName: String? = nil,
        source: OfferSource
    ) {
        self.id = id
        self.context = context
        self.bridge = bridge
        self.lifecycle = Locked(AdLifecycle(timing: context.services.boxedTiming))
        self.parts = Locked(Parts(source: source, placementName: placementName))
        context.services.trace?.start(id, of: context.provider, context.services.timing)
    }

    deinit {
        if self.phase == .loaded { self.report(.issue(Ad.releasedIssue)) }
        let parts = self.parts.withLock { $0 }
        for entry in parts.alarms { self.services.clock.cancel(entry.alarm) }
        parts.auction?.settleUnshown()
        if !parts.isReleased { self.bridge?.report(.gone) }
    }
}

extension Ad {
    /// Loads the ad.
    ///
    /// Cancelling the task ends the load.
    public func load() async throws(AdError) {
        try await self.command { .input(.load($0)) }
    }

    /// Loads the ad for a caller that counts as work; the caller's work is suspended while the ad loads.
    package func loadSuspendingWork() async throws(AdError) {
        try await self.command(ClockWait(self.services.clock)) { .input(.load($0)) }
    }

    /// Shows the ad and returns when it is on screen.
    ///
    /// Cancelling the task before that ends the show.
    public func show(on presenter: any Presenter) async throws(AdError) {
        try await self.command { .show($0, presenter) }
    }

    /// Shows the ad for a caller that counts as work; the caller's work is suspended until the ad is on screen.
    package func showSuspendingWork(on presenter: any Presenter) async throws(AdError) {
        try await self.command(ClockWait(self.services.clock)) { .show($0, presenter) }
    }

    /// Says who earns the reward, for the URL that verifies it (`AdReward.verificationURL`).
    ///
    /// What is set when the user earns the reward counts. Without the user's consent it is left out, as all personal
    /// data is.
    ///
    /// - Parameters:
    ///   - userID: The app's id of the user.
    ///   - customData: Data of the app, passed on unchanged.
    public func setRewardVerification(userID: String?, customData: String? = nil) {
        self.parts.withLock { $0.rewardUser = RewardUser(id: userID, customData: customData) }
    }

    /// Takes the ad off the screen.
    ///
    /// A show in progress fails as cancelled. Without a shown ad this does nothing.
    public func close() { self.post(.close) }

    /// Ends the ad in any phase and frees what it holds.
    ///
    /// Beacons that were recorded are still delivered.
    public func destroy() { self.post(.destroy) }

    /// The events from now on; each call returns a new stream, which ends with the ad.
    ///
    /// Get the stream before `show` to receive every event of the show.
    public var events: AsyncStream<AdEvent> {
        let broadcaster = self.parts.withLock { parts -> Broadcaster<AdEvent>? in
            guard !parts.isReleased else { return nil }
            let broadcaster = parts.broadcaster ?? Broadcaster()
            parts.broadcaster = broadcaster
            return broadcaster
        }
        return broadcaster?.messages ?? AsyncStream { $0.finish() }
    }

    /// Calls a closure with every event, in order, before the streams get it; it must return quickly.
    ///
    /// There is one listener. Its call is part of the ad's work, so that simulated time does not pass before it.
    package func listen(_ listener: @escaping @Sendable (AdEvent) -> Void) {
        self.parts.withLock { $0.listener = listener }
    }

    /// Waits until the ad has ended, for a caller that counts as work; the caller's work is suspended meanwhile.
    package func waitUntilEnded() async {
        let wait = ClockWait(self.services.clock)
        let isOver = self.parts.withLock { parts in
            if !parts.isReleased { parts.endWaits.append(wait) }
            return parts.isReleased
        }
        if !isOver { await wait.wait() }
    }

    /// The lifecycle's phase.
    package var phase: AdLifecycle.Phase { self.lifecycle.withLock { $0.phase } }

    /// When the ad expires, while it is loaded and not shown yet.
    var expires: Moment? { self.lifecycle.withLock { $0.expires } }

    /// Whether the ad can be shown now.
    public var isLoaded: Bool { self.phase == .loaded }

    /// Whether the ad is on screen.
    public var isShowing: Bool { self.phase == .showing }

    /// When and by which rule the ad can be closed, for a countdown; nil when it is not on screen.
    public var closeAvailability: CloseAvailability? {
        let now = self.services.clock.now
        return self.lifecycle.withLock { $0.closeAvailability(at: now) }
    }

    /// How far the video has played; nil when no video is on screen.
    public var progress: VideoProgress? { self.lifecycle.withLock { $0.progress } }

    /// The loaded offer; nil before the load and after the ad has ended.
    public var offer: Offer? { self.parts.withLock { $0.offer } }

    private func command(_ wait: ClockWait? = nil, _ makeEvent: (CommandID) -> Event) async throws(AdError) {
        guard !Task.isCancelled else {
            throw AdError(.cancelled, "the task was cancelled before the call", at: .init(provider: self.provider))
        }
        let outcome = OneShot<AdError?>()
        let id = self.parts.withLock { parts in
            parts.lastCommand += 1
            let id = CommandID(parts.lastCommand)
            parts.commands.append((id, outcome, wait))
            return id
        }
        let event = makeEvent(id)
        self.services.clock.workStarted()
        let error = await withTaskCancellationHandler {
            self.post(event)
            // A cancellation that came before the command was posted had no effect.
            if Task.isCancelled { self.post(.cancel(id)) }
            self.services.clock.workEnded()
            if let wait { await wait.wait() }
            return await outcome.value
        } onCancel: {
            self.post(.cancel(id))
        }
        if let error { throw error.located(.init(provider: self.provider)) }
    }
}
