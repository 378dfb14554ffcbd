/// How often ads may be viewed at most: so many views of a placement, campaign or advertiser in a time.
///
/// ```swift
/// let caps = [
///     FrequencyCap(4, of: .placement, in: .hour),
///     FrequencyCap(2, of: .campaign, in: .day),
///     FrequencyCap(1, of: .placement, in: .session, id: "welcome"),
/// ]
/// ```
public struct FrequencyCap: Hashable, Sendable, CustomStringConvertible {
    /// What views are counted of.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        /// A placement of the app.
        case placement
        /// A campaign of an advertiser, by the provider's id.
        case campaign
        /// An advertiser, by the provider's id.
        case advertiser
    }

    /// The time in which views are counted.
    public enum Period: String, Hashable, Sendable, CaseIterable {
        /// The last sixty minutes.
        case hour
        /// The current day, from midnight to midnight in the device's time zone.
        case day
        /// The time since the services were created; a restart of the app begins another session.
        case session
    }

    package let count: Int
    package let scope: Scope
    package let period: Period
    package let id: String?

    /// The largest count of a cap; a larger one is replaced by it.
    package static let maximumCount = 1_000

    /// Creates a cap.
    ///
    /// - Parameters:
    ///   - count: How many views are allowed, from 0 to 1,000; 0 allows none.
    ///   - scope: What views are counted of.
    ///   - period: The time in which they are counted.
    ///   - id: The placement, the campaign's or advertiser's id at its provider, or the advertiser's domain; nil for each
    ///     of them, counted separately.
    public init(_ count: Int, of scope: Scope, in period: Period, id: String? = nil) {
        self.count = min(max(0, count), FrequencyCap.maximumCount)
        self.scope = scope
        self.period = period
        self.id = id.flatMap(CappedAd.id)
    }

    /// Whether the cap holds for an id of its scope; domains are compared without regard to case.
    func covers(_ id: String) -> Bool {
        guard let wanted = self.id else { return true }
        let bare = CappedAd.bare(id)
        return bare == wanted || (self.scope == .advertiser && bare.lowercased() == wanted.lowercased())
    }

    /// The cap in words.
    public var description: String {
        let time =
            switch self.period {
            case .hour: "in an hour"
            case .day: "in a day"
            case .session: "in a session"
            }
        let what = self.id.map { "of \(self.scope.rawValue) \($0)" } ?? "of a \(self.scope.rawValue)"
        return "at most \(self.count) \(self.count == 1 ? "view" : "views") \(what) \(time)"
    }
}

/// A cap that does not allow another view now; the `underlying` error of an `AdError` with the code `frequencyCapped`.
public struct ReachedCap: Error, Hashable, Sendable, CustomStringConvertible {
    /// The cap.
    public let cap: FrequencyCap
    /// The placement, campaign or advertiser that was viewed so often.
    public let id: String
    /// When it allows another view; nil if the time is not known, as for the end of a session.
    public let until: WallTime?
    /// How long it allows no view, from when it was asked.
    package let wait: Duration?

    package init(_ cap: FrequencyCap, id: String, until: WallTime?, wait: Duration?) {
        self.cap = cap
        self.id = id
        self.until = until
        self.wait = wait
    }

    /// What was reached and until when, in one sentence.
    public var description: String {
        let end = self.until.map { "until \(CalendarText.iso8601($0))" } ?? "in this session"
        return "\(self.cap.scope.rawValue) \(self.id) was viewed as often as allowed (\(self.cap)), and is not \(end)"
    }

    /// The error of a load that the cap refuses; nothing was requested.
    package func error(at place: AdError.Place = AdError.Place()) -> AdError {
        AdError(.frequencyCapped, "\(self); show no ad until then", at: place, underlying: self)
    }
}

/// What caps count views of: the placement and, if the provider names them, the campaign and the advertiser.
package struct CappedAd: Hashable, Sendable {
    package let placement: String?
    package let campaign: String?
    package let advertiser: String?

    /// Creates it; an empty id is none.
    package init(placement: String? = nil, campaign: String? = nil, advertiser: String? = nil) {
        self.placement = placement.flatMap(CappedAd.id)
        self.campaign = campaign.flatMap(CappedAd.id)
        self.advertiser = advertiser.flatMap(CappedAd.id)
    }

    package func id(of scope: FrequencyCap.Scope) -> String? {
        switch scope {
        case .placement: self.placement
        case .campaign: self.campaign
        case .advertiser: self.advertiser
        }
    }

    /// An id of one provider or buyer's seat, which others may use for something else.
    package static func owned(_ id: String, by owner: String) -> String {
        String(decoding: owner.utf8.prefix(64), as: UTF8.self) + CappedAd.separator + id
    }

    /// An id without its owner.
    static func bare(_ id: String) -> String {
        id.split(separator: CappedAd.separator, maxSplits: 1, omittingEmptySubsequences: false).last.map(String.init)
            ?? id
    }

    /// ASCII's unit separator, which ids of servers do not contain.
    private static let separator = "\u{1F}"

    /// An id as it is compared and stored: its first 256 bytes, so that a server can't fill the memory with it.
    static func id(_ text: String) -> String? {
        guard !text.isEmpty else { return nil }
        return text.utf8.count <= 256 ? text : String(decoding: text.utf8.prefix(256), as: UTF8.self)
    }
}

/// One recorded view, as caps count it.
package struct CountedView: Hashable, Sendable {
    /// The ad, which is counted once.
    package let ad: AdID
    package let of: CappedAd
    package let time: WallTime
    /// The session of the process that showed it.
    package let session: String

    package init(_ ad: AdID, of: CappedAd, at time: WallTime, session: String) {
        self.ad = ad
        self.of = of
        self.time = time
        self.session = session
    }
}
