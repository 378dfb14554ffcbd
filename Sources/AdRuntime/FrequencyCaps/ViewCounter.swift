import AdCore
import SystemSupport

/// Counts the views of an app for its frequency caps, in memory and in the file of the beacons.
///
/// This is the shell of `FrequencyLog`. The views of earlier sessions and of other processes are read before a load; if
/// they can't be read or stored, what this process has seen counts, and an issue of the ad says so.
final class ViewCounter: Sendable {
    private let log: Locked<FrequencyLog>
    private let store: (any ViewStore)?
    private let clock: any AdClock

    /// Creates a counter; nil without a cap.
    init?(_ caps: [FrequencyCap], ledger: any BeaconLedger, clock: any AdClock, random: () -> UInt64) {
        guard !caps.isEmpty else { return nil }
        self.log = Locked(FrequencyLog(caps, session: AdID(bits: random()).rawValue))
        self.store = ledger as? any ViewStore
        self.clock = clock
    }

    private var now: FrequencyLog.Now {
        let wall = self.clock.wallTime
        return FrequencyLog.Now(self.clock.now, wall: wall, minutesAhead: -LocalTime.minutesBehindUTC(at: wall))
    }

    /// The cap that allows no view of an ad now, by what is known in memory.
    func reached(by ad: CappedAd) -> ReachedCap? {
        let now = self.now
        return self.log.withLock { $0.reached(by: ad, at: now) }
    }

    /// Reads the views of earlier sessions and of other processes; returns what prevented it.
    func update() async -> AdIssue? {
        guard let store else { return nil }
        let now = self.now
        let start = self.log.withLock { $0.start(at: now) }
        do throws(LedgerError) {
            let views = try await store.views(since: start, limit: FrequencyLog.maximumViews, at: now.wall)
            self.log.withLock { $0.merge(views, at: now) }
            return nil
        } catch {
            return AdIssue("caps.unread", at: .whole, "\(error.message); views of earlier sessions are not counted")
        }
    }

    /// Counts the view of an ad, once; it is to be stored.
    func count(_ ad: AdID, of capped: CappedAd) -> CountedView {
        let now = self.now
        return self.log.withLock { log in
            log.record(ad, of: capped, at: now)
            return CountedView(ad, of: capped, at: now.wall, session: log.session)
        }
    }

    /// Stores a view that is counted; returns what prevented that.
    func store(_ view: CountedView) async -> AdIssue? {
        guard let store else { return nil }
        do throws(LedgerError) {
            _ = try await store.record(view)
            return nil
        } catch {
            return AdIssue("caps.unstored", at: .whole, "\(error.message); this view is not counted after a restart")
        }
    }
}

extension OfferInfo {
    /// What the caps count of a provider's offer for a placement.
    ///
    /// Ids are those of the provider, or of the buyer's seat at an exchange; a domain is the same everywhere.
    func capped(placement: String?, of provider: ProviderName) -> CappedAd {
        let owner = [provider.rawValue, self.seat].compactMap(\.self).joined(separator: "/")
        let domain = self.advertiserDomains.first?.lowercased()
        return CappedAd(
            placement: placement,
            campaign: self.campaignID.map { CappedAd.owned($0, by: owner) },
            advertiser: self.advertiser.map { CappedAd.owned($0, by: owner) } ?? domain
        )
    }
}
