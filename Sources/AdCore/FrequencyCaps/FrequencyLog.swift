/// The views that frequency caps count, and the decision whether another one is allowed.
///
/// It is a value: the time is passed in, and views of earlier sessions and other processes are merged from a
/// `ViewStore`. For each cap and each id it keeps the last views that the cap needs, at most `FrequencyCap.count` of
/// them, and in all at most `maximumViews`: above that, ids that were viewed longest ago are forgotten.
///
/// An hour is measured by the monotonic clock for views of this process, and by calendar time for others. A day is a
/// calendar day. A view that is dated in the future is from a wrong clock, and counts as one of now.
package struct FrequencyLog: Sendable {
    /// The current time by both clocks, and the device's time zone.
    package struct Now: Hashable, Sendable {
        package let moment: Moment
        package let wall: WallTime
        /// How far local time is ahead of UTC.
        package let minutesAhead: Int

        package init(_ moment: Moment, wall: WallTime, minutesAhead: Int) {
            self.moment = moment
            self.wall = wall
            // No zone is further ahead than 14 hours or behind than 12.
            self.minutesAhead = min(max(-12 * 60, minutesAhead), 14 * 60)
        }
    }

    private struct Key: Hashable {
        let cap: Int
        let id: String
    }

    private struct View {
        let ad: AdID
        var time: WallTime
        /// The moment of a view of this process.
        let moment: Moment?

        func age(at now: Now) -> Duration {
            if let moment { return max(.zero, now.moment - moment) }
            return max(.zero, now.wall - self.time)
        }
    }

    /// The most views that are kept.
    package static let maximumViews = 10_000
    /// The most caps that are applied; further ones are ignored.
    package static let maximumCaps = 64
    private static let hour = Duration.seconds(3_600)
    /// How far in the future a time may be: other processes may have read the clock later.
    private static let tolerance = Duration.seconds(60)

    package let caps: [FrequencyCap]
    package let session: String
    private var views: [Key: [View]] = [:]
    /// The number of views that are kept.
    package private(set) var count = 0

    /// Creates a log without views.
    package init(_ caps: [FrequencyCap], session: String) {
        self.caps = Array(caps.prefix(FrequencyLog.maximumCaps))
        self.session = session
    }

    /// The cap that allows no view of an ad now; of several the one that lasts longest, nil if there is none.
    ///
    /// A value of the ad that is not known is not capped.
    package mutating func reached(by ad: CappedAd, at now: Now) -> ReachedCap? {
        var longest: ReachedCap?
        for (key, cap) in self.keys(of: ad) {
            self.update(key, cap, at: now)
            let views = self.views[key] ?? []
            guard views.count >= cap.count else { continue }
            let wait = self.wait(for: views, cap, at: now)
            let reached = ReachedCap(cap, id: CappedAd.bare(key.id), until: wait.map { now.wall + $0 }, wait: wait)
            guard let last = longest else {
                longest = reached
                continue
            }
            if let lasts = last.wait, wait.map({ $0 > lasts }) ?? true { longest = reached }
        }
        return longest
    }

    /// Counts a view of this process; an ad that is counted already changes nothing.
    package mutating func record(_ ad: AdID, of capped: CappedAd, at now: Now) {
        for (key, cap) in self.keys(of: capped) {
            self.add(View(ad: ad, time: now.wall, moment: now.moment), key, cap, at: now)
        }
        self.forgetOldest(at: now)
    }

    /// Adds the views of a store that are not counted yet.
    package mutating func merge(_ views: [CountedView], at now: Now) {
        for view in views {
            for (key, cap) in self.keys(of: view.of) where cap.period != .session || view.session == self.session {
                self.add(View(ad: view.ad, time: min(view.time, now.wall), moment: nil), key, cap, at: now)
            }
        }
        self.forgetOldest(at: now)
    }

    /// The time from which on views of a store can count.
    package func start(at now: Now) -> WallTime {
        min(now.wall + (.zero - FrequencyLog.hour), self.midnight(of: self.day(of: now.wall, at: now), at: now))
    }

    // MARK: Views of one id

    private func keys(of ad: CappedAd) -> [(key: Key, cap: FrequencyCap)] {
        self.caps.enumerated().compactMap { index, cap in
            guard let id = ad.id(of: cap.scope), cap.covers(id) else { return nil }
            return (Key(cap: index, id: cap.id ?? id), cap)
        }
    }

    private mutating func add(_ view: View, _ key: Key, _ cap: FrequencyCap, at now: Now) {
        guard cap.count > 0, self.counts(view, cap, at: now) else { return }
        self.update(key, cap, at: now)
        var views = self.views[key] ?? []
        guard !views.contains(where: { $0.ad == view.ad }) else { return }
        views.append(view)
        self.count += 1
        if views.count > cap.count,
            let oldest = views.indices.max(by: { views[$0].age(at: now) < views[$1].age(at: now) })
        {
            views.remove(at: oldest)
            self.count -= 1
        }
        self.views[key] = views
    }

    /// Removes views that count no longer, and dates those of the future now.
    private mutating func update(_ key: Key, _ cap: FrequencyCap, at now: Now) {
        guard var views = self.views[key] else { return }
        self.count -= views.count
        for index in views.indices where views[index].time > now.wall + FrequencyLog.tolerance {
            views[index].time = now.wall
        }
        views.removeAll { !self.counts($0, cap, at: now) }
        self.count += views.count
        self.views[key] = views.isEmpty ? nil : views
    }

    private func counts(_ view: View, _ cap: FrequencyCap, at now: Now) -> Bool {
        switch cap.period {
        case .hour: view.age(at: now) < FrequencyLog.hour
        case .day: self.day(of: view.time, at: now) >= self.day(of: now.wall, at: now)
        case .session: true
        }
    }

    /// How long a cap allows no further view; nil if the end is not known.
    private func wait(for views: [View], _ cap: FrequencyCap, at now: Now) -> Duration? {
        guard cap.count > 0 else { return nil }
        switch cap.period {
        case .hour:
            // Of at most as many views as are allowed, the oldest is the first to leave the hour.
            return views.map { FrequencyLog.hour - $0.age(at: now) }.min()
        case .day: return self.midnight(of: self.day(of: now.wall, at: now) + 1, at: now) - now.wall
        case .session: return nil
        }
    }

    // MARK: Days

    private static let dayLength: Int64 = 86_400_000

    /// The number of the local day of a time; times beyond some 100,000 years count as the first or last day.
    private func day(of time: WallTime, at now: Now) -> Int64 {
        let limit = Int64(1) << 52
        let local = min(max(-limit, time.milliseconds), limit) + Int64(now.minutesAhead) * 60_000
        let day = local / FrequencyLog.dayLength
        return local % FrequencyLog.dayLength < 0 ? day - 1 : day
    }

    private func midnight(of day: Int64, at now: Now) -> WallTime {
        WallTime(milliseconds: day * FrequencyLog.dayLength - Int64(now.minutesAhead) * 60_000)
    }

    // MARK: The limit

    /// Forgets the ids that were viewed longest ago, a tenth more than necessary, so that this happens seldom.
    private mutating func forgetOldest(at now: Now) {
        guard self.count > FrequencyLog.maximumViews else { return }
        let newest = self.views.map { (key: $0, age: $1.map { $0.age(at: now) }.min() ?? .zero) }
        for (key, _) in newest.sorted(by: { $0.age > $1.age }) {
            guard self.count > FrequencyLog.maximumViews * 9 / 10 else { return }
            self.count -= self.views.removeValue(forKey: key)?.count ?? 0
        }
    }
}
