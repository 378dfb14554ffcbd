public import AdCore
import SystemSupport

/// A place in an app's content that shows banners one after the other.
///
/// It loads an ad, shows it, and replaces it after the refresh interval. The interval starts with the ad's impression,
/// and counts only while the slot is seen: at least half of its container is on screen, the app is in the foreground,
/// nothing covers it (`AdServices.signals`), and the user has not followed a link. A hidden slot requests nothing.
///
/// The next ad is loaded and shown before the old one is closed. When there is none, the old one stays, and the slot
/// waits longer before each further request. Each ad records its own impression and clicks.
///
/// An ad that the user closes ends the refresh; `start` begins again. Releasing the slot closes its ad.
///
/// ```swift
/// let slot = BannerSlot(loader, .banner(unit: "main"), on: presenter, refreshInterval: .seconds(30))
/// slot.start()
/// for await event in slot.events { print(event.name) }
/// ```
public final class BannerSlot: Sendable {
    /// How many events a stream keeps that is not read.
    private static let eventLimit = 256

    private let shell: SlotShell
    private let refreshInterval: Duration?
    private let eventBroadcaster: Broadcaster<AdEvent>

    /// Creates a slot, which does nothing before `start`.
    ///
    /// - Parameters:
    ///   - loader: Loads the ads.
    ///   - placement: The placement of all ads.
    ///   - presenter: Shows the ads. It has two for a moment: the new one is revealed before the old one is closed.
    ///   - refreshInterval: How long an ad is seen before the next one is requested, from its impression on: 15 to 120
    ///     seconds. Another value is changed to the next of these, with an issue in `events`. Without an interval there
    ///     is no refresh, and a request that fails is not repeated.
    public init<Placement>(
        _ loader: AdLoader<Placement>,
        _ placement: Placement,
        on presenter: any Presenter,
        refreshInterval: Duration? = nil
    ) {
        let broadcaster = Broadcaster<AdEvent>(.bufferingNewest(Self.eventLimit))
        self.eventBroadcaster = broadcaster
        self.refreshInterval = refreshInterval
        let owner = SlotShell.Owner(event: { broadcaster.send($0) })
        self.shell = SlotShell(.banner, loader, presenter: presenter, owner: owner) {
            loader.ad(for: placement)
        }
    }

    /// Loads and shows the first ad as soon as the slot is seen, and refreshes it from then on.
    public func start() {
        self.shell.handle(.refreshEvery(self.refreshInterval))
        self.shell.handle(.start)
    }

    /// Stops the refresh; the ad on screen stays, and the rest of the interval is kept.
    ///
    /// An ad that is being loaded is not shown before `resume`.
    public func stop() { self.shell.handle(.stop) }

    /// Continues after `stop`, and after a click whose end the host's signals do not tell.
    public func resume() { self.shell.handle(.resume) }

    /// Requests the next ad now, or as soon as the slot is seen and not stopped.
    ///
    /// It changes nothing while an ad is on its way.
    public func refreshNow() { self.shell.handle(.refreshNow) }

    /// Ends the slot and its ads for good, and finishes the streams.
    public func close() {
        self.shell.handle(.close)
        self.eventBroadcaster.finish()
    }

    /// Sets the share of the container's area that is on screen, from 0 to 1; before the first call it is 1.
    ///
    /// Call it when the container is scrolled, or its page is shown or hidden.
    public func setVisible(_ ratio: Double) { self.shell.handle(.visible(ratio: ratio)) }

    /// The user's consent has changed: an ad that is not on screen yet is dropped, and another is requested.
    package func consentChanged() { self.shell.handle(.consentChanged) }

    /// The ad on screen; nil while there is none.
    public var ad: Ad? { self.shell.current }

    /// The events of all ads of this slot from now on; each call returns a new stream, which ends with the slot.
    ///
    /// A stream that is not read keeps the newest 256.
    public var events: AsyncStream<AdEvent> { self.eventBroadcaster.messages }

    /// The ads that are loading, loaded or on screen.
    var ads: [Ad] { self.shell.ads }
}
