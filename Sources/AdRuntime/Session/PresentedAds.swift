import AdCore
import SystemSupport

/// Keeps ads alive while they are on a stage, so that a host may let go of an ad that it shows.
final class PresentedAds: Sendable {
    private let ads = Locked<[AdID: Ad]>([:])

    func insert(_ ad: Ad) { self.ads.withLock { $0[ad.id] = ad } }

    func remove(_ id: AdID) {
        // The ad is freed outside the lock: its end may set other things free.
        let ad = self.ads.withLock { $0.removeValue(forKey: id) }
        withExtendedLifetime(ad) {}
    }
}
