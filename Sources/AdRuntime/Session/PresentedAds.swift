import AdCore
import SystemSupport

/// Keeps ads alive while they are on a stage, so that a host need not hold a reference.
final class PresentedAds: Sendable {
    private let ads = Locked<[AdID: Ad]>([:])

    func insert(_ ad: Ad) { self.ads.withLock { $0[ad.id] = ad } }

    func remove(_ id: AdID) {
        // The ad is released outside the lock, because its deinitializer runs other code.
        let ad = self.ads.withLock { $0.removeValue(forKey: id) }
        withExtendedLifetime(ad) {}
    }
}
