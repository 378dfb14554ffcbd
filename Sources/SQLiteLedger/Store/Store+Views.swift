import AdCore

/// The views that frequency caps count; to be called in a transaction.
extension Store {
    /// How long views are kept: longer than the longest day.
    private static let viewRetention = Duration.seconds(2 * 24 * 60 * 60)
    /// How far in the future a view may be dated: other processes may have read the clock later.
    private static let viewTolerance = Duration.seconds(60)

    /// Inserts a view and removes old ones; returns false if the ad has one already.
    func record(_ view: CountedView) throws(StoreError) -> Bool {
        try self.redateViews(at: view.time)
        let insert = try self[.insertView]
        insert.bind(view.ad.rawValue, at: 1)
        insert.bind(view.time.milliseconds, at: 2)
        insert.bind(view.session, at: 3)
        insert.bind(view.of.placement, at: 4)
        insert.bind(view.of.campaign, at: 5)
        insert.bind(view.of.advertiser, at: 6)
        try insert.run()
        guard self.connection.changes > 0 else { return false }
        let old = try self[.deleteOldViews]
        old.bind((view.time + (.zero - Store.viewRetention)).milliseconds, at: 1)
        try old.run()
        let surplus = try self[.deleteSurplusViews]
        surplus.bind(FrequencyLog.maximumViews, at: 1)
        try surplus.run()
        return true
    }

    /// The newest views from a time on, oldest first; rows that are not views are left out.
    func views(since start: WallTime, limit: Int, at now: WallTime) throws(StoreError) -> [CountedView] {
        try self.redateViews(at: now)
        let newest = try self[.newestViews]
        newest.bind(start.milliseconds, at: 1)
        newest.bind(max(0, limit), at: 2)
        var views: [CountedView] = []
        while try newest.step() {
            guard let ad = newest.text(0), let time = newest.int(1), let session = newest.text(2) else { continue }
            let capped = CappedAd(placement: newest.text(3), campaign: newest.text(4), advertiser: newest.text(5))
            views.append(CountedView(AdID(ad), of: capped, at: WallTime(milliseconds: time), session: session))
        }
        return views.reversed()
    }

    /// Dates views of the future now: the clock was wrong when they were recorded, and they would count for too long.
    private func redateViews(at now: WallTime) throws(StoreError) {
        let redate = try self[.redateViews]
        redate.bind(now.milliseconds, at: 1)
        redate.bind((now + Store.viewTolerance).milliseconds, at: 2)
        try redate.run()
    }
}
