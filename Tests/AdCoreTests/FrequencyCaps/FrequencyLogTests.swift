import Testing

@testable import AdCore

@Suite("Frequency caps")
struct FrequencyLogTests {
    // 2023-11-14T22:13:20Z
    private static let start = WallTime(milliseconds: 1_700_000_000_000)
    private static let ad = CappedAd(placement: "main", campaign: "c1", advertiser: "a1")

    private static func now(_ seconds: Int, zone: Int = 0, jump: Int = 0) -> FrequencyLog.Now {
        FrequencyLog.Now(
            Moment(.seconds(seconds)),
            wall: Self.start + .seconds(seconds + jump),
            minutesAhead: zone
        )
    }

    /// A log of one cap with two views: at the start, and ten minutes later.
    private static func log(_ cap: FrequencyCap, zone: Int = 0) -> FrequencyLog {
        var log = FrequencyLog([cap], session: "s")
        log.record(AdID("1"), of: Self.ad, at: Self.now(0, zone: zone))
        log.record(AdID("2"), of: Self.ad, at: Self.now(600, zone: zone))
        return log
    }

    /// A period, a time zone, when it is asked, and when the cap allows another view; nil if it does at once.
    private static let table: [(period: FrequencyCap.Period, zone: Int, at: Int, until: Int?)] = [
        (.hour, 0, 600, 3_600), (.hour, 0, 3_599, 3_600), (.hour, 0, 3_600, nil), (.hour, 840, 3_599, 3_600),
        (.day, 0, 600, 6_400), (.day, 0, 6_399, 6_400), (.day, 0, 6_400, nil),
        (.day, 120, 6_400, 85_600), (.day, 120, 85_599, 85_600), (.day, 120, 85_600, nil),
        (.day, -720, 49_599, 49_600), (.day, -720, 49_600, nil),
    ]

    @Test("a cap allows another view when an hour or a day is over", arguments: FrequencyCap.Scope.allCases)
    func table(scope: FrequencyCap.Scope) {
        for (period, zone, at, until) in Self.table {
            var log = Self.log(FrequencyCap(2, of: scope, in: period), zone: zone)
            let reached = log.reached(by: Self.ad, at: Self.now(at, zone: zone))
            #expect(reached?.until == until.map { Self.start + .seconds($0) }, "\(period), \(zone), \(at)")
            #expect(reached?.wait == until.map { .seconds($0 - at) })
            var larger = Self.log(FrequencyCap(3, of: scope, in: period), zone: zone)
            #expect(larger.reached(by: Self.ad, at: Self.now(at, zone: zone)) == nil)
        }
    }

    @Test(
        "a session has no end, and views of another session do not count in it",
        arguments: FrequencyCap.Scope.allCases
    )
    func sessions(scope: FrequencyCap.Scope) {
        let cap = FrequencyCap(2, of: scope, in: .session)
        var log = Self.log(cap)
        let reached = log.reached(by: Self.ad, at: Self.now(1_000_000))
        #expect(reached?.cap == cap && reached?.until == nil && reached?.wait == nil)
        var other = FrequencyLog([cap], session: "t")
        let views = (0..<5).map { CountedView(AdID("\($0)"), of: Self.ad, at: Self.start, session: "s") }
        other.merge(views, at: Self.now(0))
        #expect(other.reached(by: Self.ad, at: Self.now(0)) == nil)
    }

    @Test("a cap counts each id separately, or only its own, and nothing that is not known")
    func scopes() {
        var each = Self.log(FrequencyCap(2, of: .campaign, in: .day))
        #expect(each.reached(by: CappedAd(placement: "other", campaign: "c1"), at: Self.now(600))?.id == "c1")
        #expect(each.reached(by: CappedAd(placement: "main", campaign: "c2"), at: Self.now(600)) == nil)
        #expect(each.reached(by: CappedAd(placement: "main"), at: Self.now(600)) == nil)
        #expect(each.reached(by: CappedAd(placement: "main", campaign: ""), at: Self.now(600)) == nil)
        var own = Self.log(FrequencyCap(2, of: .placement, in: .day, id: "other"))
        #expect(own.reached(by: Self.ad, at: Self.now(600)) == nil)
        #expect(own.count == 0)
    }

    @Test("of several caps the one that lasts longest is reported")
    func longest() {
        let caps = [
            FrequencyCap(2, of: .placement, in: .hour), FrequencyCap(2, of: .advertiser, in: .day),
            FrequencyCap(2, of: .campaign, in: .hour), FrequencyCap(2, of: .campaign, in: .session),
        ]
        for (count, expected) in [(1, 0), (2, 1), (3, 1), (4, 3)] {
            var log = FrequencyLog(Array(caps[..<count]), session: "s")
            for name in ["1", "2"] { log.record(AdID(name), of: Self.ad, at: Self.now(0)) }
            #expect(log.reached(by: Self.ad, at: Self.now(1))?.cap == caps[expected])
        }
    }

    @Test("an ad counts once, whether it was recorded here or comes from the store")
    func once() {
        var log = FrequencyLog([FrequencyCap(2, of: .placement, in: .hour)], session: "s")
        for _ in 0..<5 { log.record(AdID("1"), of: Self.ad, at: Self.now(0)) }
        log.merge([CountedView(AdID("1"), of: Self.ad, at: Self.start, session: "s")], at: Self.now(1))
        #expect(log.count == 1)
        log.merge([CountedView(AdID("2"), of: Self.ad, at: Self.start, session: "t")], at: Self.now(1))
        #expect(log.reached(by: Self.ad, at: Self.now(2)) != nil)
    }

    @Test("a cap of zero allows nothing, and huge and negative counts are repaired")
    func counts() {
        var log = FrequencyLog([FrequencyCap(-3, of: .placement, in: .hour)], session: "s")
        let reached = log.reached(by: Self.ad, at: Self.now(0))
        #expect(reached?.cap.count == 0 && reached?.until == nil)
        #expect(FrequencyCap(.max, of: .campaign, in: .day).count == FrequencyCap.maximumCount)
        #expect(
            FrequencyLog(Array(repeating: FrequencyCap(1, of: .campaign, in: .day), count: 100), session: "s").caps
                .count == 64
        )
    }

    @Test("an hour does not depend on the wall clock, and a view of the future counts as one of now")
    func clocks() {
        var log = Self.log(FrequencyCap(2, of: .placement, in: .hour))
        #expect(log.reached(by: Self.ad, at: Self.now(3_599, jump: 1_000_000)) != nil)
        #expect(log.reached(by: Self.ad, at: Self.now(3_600, jump: -1_000_000)) == nil)

        var day = FrequencyLog([FrequencyCap(1, of: .placement, in: .day)], session: "s")
        // The clock was a year ahead; it is corrected an hour later.
        day.record(AdID("1"), of: Self.ad, at: Self.now(0, jump: 31_536_000))
        #expect(day.reached(by: Self.ad, at: Self.now(3_600))?.until == Self.start + .seconds(6_400))
        #expect(day.reached(by: Self.ad, at: Self.now(6_400)) == nil)

        var merged = FrequencyLog([FrequencyCap(1, of: .placement, in: .hour)], session: "s")
        let view = CountedView(AdID("1"), of: Self.ad, at: WallTime(milliseconds: .max), session: "t")
        merged.merge([view], at: Self.now(0))
        #expect(merged.reached(by: Self.ad, at: Self.now(3_599)) != nil)
        #expect(merged.reached(by: Self.ad, at: Self.now(3_600)) == nil)
    }

    @Test("times and zones at the ends of their range are handled")
    func extremes() {
        for time in [Int64.min, .max, 0, -1] {
            for zone in [Int.min, .max, 0] {
                let now = FrequencyLog.Now(.origin, wall: WallTime(milliseconds: time), minutesAhead: zone)
                let caps = FrequencyCap.Period.allCases.map { FrequencyCap(1, of: .placement, in: $0) }
                var log = FrequencyLog(caps, session: "s")
                log.record(AdID("1"), of: Self.ad, at: now)
                let other = CountedView(AdID("2"), of: Self.ad, at: WallTime(milliseconds: ~time), session: "t")
                log.merge([other], at: now)
                #expect(log.reached(by: Self.ad, at: now)?.cap.period == .session)
                _ = log.start(at: now)
            }
        }
    }

    @Test("memory is bounded: long ids are clipped, and ids that were viewed longest ago are forgotten")
    func bounds() {
        let long = String(repeating: "ä", count: 100_000)
        #expect(CappedAd(campaign: long).campaign?.utf8.count == 256)
        var log = FrequencyLog([FrequencyCap(3, of: .campaign, in: .day)], session: "s")
        for number in 0..<12_000 {
            let ad = CappedAd(campaign: "\(number)")
            log.record(AdID("\(number)"), of: ad, at: Self.now(number / 10))
        }
        #expect(log.count <= FrequencyLog.maximumViews)
        var one = FrequencyLog([FrequencyCap(1, of: .campaign, in: .day)], session: "s")
        for number in 0..<12_000 {
            one.record(AdID("\(number)"), of: CappedAd(campaign: "\(number)"), at: Self.now(number / 10))
        }
        #expect(one.reached(by: CappedAd(campaign: "0"), at: Self.now(1_200)) == nil)
        #expect(one.reached(by: CappedAd(campaign: "11999"), at: Self.now(1_200)) != nil)
    }

    @Test("the error says which cap is reached, and until when")
    func error() {
        var log = Self.log(FrequencyCap(2, of: .campaign, in: .day))
        let error = log.reached(by: Self.ad, at: Self.now(600))?.error(at: AdError.Place(provider: "test"))
        #expect(error?.code == .frequencyCapped)
        #expect((error?.underlying as? ReachedCap)?.until == Self.start + .seconds(6_400))
        #expect(
            error?.message == """
                campaign c1 was viewed as often as allowed (at most 2 views of a campaign in a day), and is not until \
                2023-11-15T00:00:00.000Z; show no ad until then
                """
        )
    }
}
