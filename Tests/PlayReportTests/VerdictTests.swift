import AdCore
import AdRuntime
import TestSupport
import Testing

@testable import PlayConsole
@testable import PlayReport

@Suite("What fired, what did not, and why")
struct VerdictTests {
    private let ad = AdID(bits: 1)

    private func offer(_ events: BeaconEvent...) throws -> Offer {
        let url = BeaconAddress("http://t.example/")
        return Offer(
            provider: "yabbi",
            creative: .html(HTMLCreative(markup: "<p>Hello</p>", document: "<p>Hello</p>")),
            rules: ShowRules(.banner),
            size: .adaptive,
            beacons: events.map { BeaconTemplate($0, BeaconCall(.get, url)) }
        )
    }

    private func verdicts(_ events: [AdEvent], offer: Offer?, pending: [String: String] = [:]) -> [String] {
        let records = events.map { AdRecord(at: .origin, ad: self.ad, provider: "yabbi", event: $0) }
        return Verdict.lines(Verdict.list(records, offer: offer, pending: pending), Style(isColoured: false))
    }

    @Test("without an ad, a tracker, a show, a look or a click nothing fired, and each is told apart")
    func whyNot() throws {
        let offer = try self.offer(.view, .click)
        func both(_ view: String, _ click: String) -> [String] {
            ["  not fired  view  \(view)", "  not fired  click  \(click)"]
        }
        #expect(self.verdicts([], offer: nil) == both("there was no ad", "there was no ad"))
        let untracked = "; the ad response has no tracker for it"
        #expect(
            self.verdicts([.shown], offer: try self.offer())
                == both("no pixel was on screen while the app was in front\(untracked)", "nobody clicked\(untracked)")
        )
        let unshown = "the ad was loaded and not shown, and loading counts nothing"
        #expect(self.verdicts([.loaded], offer: offer) == both(unshown, unshown))
        let failed = "the show failed (stageFailed)"
        #expect(self.verdicts([.showFailed(AdError(.stageFailed, "?"))], offer: offer) == both(failed, failed))
        let expired = "the ad expired before it was shown"
        #expect(self.verdicts([.loaded, .expired], offer: offer) == both(expired, expired))
        let unseen = "no pixel was on screen while the app was in front"
        #expect(self.verdicts([.shown], offer: offer) == both(unseen, "nobody clicked"))
        let blocked = AdEvent.blocked(BlockedAttempt(.click, "?"))
        let byItself = "the creative clicked by itself, and only a user's click counts"
        #expect(self.verdicts([.shown, blocked], offer: offer) == both(unseen, byItself))
        let known = self.verdicts([.shown, .view(.anyPixel)], offer: offer)
        #expect(known.first == "  not fired  view  the ledger had counted it already")
    }

    @Test("a beacon whose address can't be called is recorded, and listed as never sent with its reason")
    func uncallable() throws {
        let address = BeaconAddress("javascript:alert(1)")
        let fault = try #require(address.fault)
        let template = BeaconTemplate(.view, BeaconCall(.get, address))
        let offer = Offer(
            provider: "yabbi",
            creative: .html(HTMLCreative(markup: "", document: "")),
            rules: ShowRules(.banner),
            beacons: [template]
        )
        let key = template.key(of: self.ad, index: 0)
        let events: [AdEvent] = [
            .shown, .view(.anyPixel), .beaconRecorded(key, address), .beaconDead(key, reason: fault),
        ]
        #expect(self.verdicts(events, offer: offer).first == "  not fired  view  never sent: \(fault)")
    }

    @Test("what was counted without a tracker of the ad response's own is counted, and is not said not to have fired")
    func counted() throws {
        let events: [AdEvent] = [.shown, .view(.anyPixel), .click]
        let untracked = "the ad response has no tracker for it"
        #expect(
            self.verdicts(events, offer: try self.offer())
                == ["  counted    view  \(untracked)", "  counted    click  \(untracked)"]
        )
        let template = try #require(URLTemplate("http://t.example/"))
        let vast = Offer(
            provider: "yabbi",
            creative: .html(HTMLCreative(markup: "", document: "")),
            rules: ShowRules(.video(VideoRules())),
            videoBeacons: VideoTrackers([VideoTracker(BeaconEvent("impression"), spot: 0, template)])
        )
        let lines = self.verdicts(events, offer: vast)
        #expect(lines.first == "  counted    view  the ad's impressions are VAST's, listed below")
        #expect(lines.dropFirst().first == "  counted    click  the ad's click trackers are VAST's, listed below")
        #expect(!lines.contains { $0.contains("not fired  view") || $0.contains("not fired  click") })
    }

    @Test("of a video that failed nobody says that it has no tracker: its impressions are VAST's")
    func failedVideo() throws {
        let template = try #require(URLTemplate("http://t.example/"))
        let vast = Offer(
            provider: "yabbi",
            creative: .html(HTMLCreative(markup: "", document: "")),
            rules: ShowRules(.video(VideoRules())),
            videoBeacons: VideoTrackers([VideoTracker(BeaconEvent("impression"), spot: 0, template)])
        )
        let lines = self.verdicts([.showFailed(AdError(.stageFailed, "?"))], offer: vast)
        let reason = "the show failed (stageFailed); the ad's impressions are VAST's, listed below"
        #expect(lines.first == "  not fired  view  \(reason)")
    }

    @Test("nobody clicked is said only where there was no tap; of a tap the reason is told")
    func taps() throws {
        let offer = try self.offer(.click)
        func click(_ outcome: Tap.Outcome) -> String? {
            self.verdicts([.shown, .tap(Tap(outcome))], offer: offer).last
        }
        #expect(click(.nothing("no link")) == "  not fired  click  the tap led nowhere: no link")
        #expect(click(.creative("mraid.expand")) == "  not fired  click  the creative handled the tap: mraid.expand")
        #expect(self.verdicts([.shown], offer: offer).last == "  not fired  click  nobody clicked")
    }

    @Test("thousands of trackers take no more time than each of them needs, and are told in the order of the markup")
    func many() throws {
        let url = BeaconAddress("http://t.example/")
        let template = try #require(URLTemplate("http://t.example/"))
        let facts = (0..<5_000).map { TrackingEvent(.progress(.time(.seconds($0))), spot: 0) }
        let ad = AdID(bits: 1)
        let offer = Offer(
            provider: "yabbi",
            creative: .html(HTMLCreative(markup: "", document: "")),
            rules: ShowRules(.video(VideoRules())),
            size: .adaptive,
            videoBeacons: VideoTrackers(facts.map { VideoTracker($0.event, spot: 0, template) })
        )
        let keys = facts.prefix(4_000).map { BeaconKey(ad: ad, path: $0.path, event: $0.event) }
        let records = keys.flatMap { key in
            [AdEvent.beaconRecorded(key, url), .beaconDelivered(key, attempts: 1)].map {
                AdRecord(at: .origin, ad: ad, provider: "yabbi", event: $0)
            }
        }
        let start = ContinuousClock.now
        let verdicts = Verdict.list(records, offer: offer).dropFirst(2)
        #expect(ContinuousClock.now - start < .patience(5))
        #expect(verdicts.map(\.event) == facts.map { "spot-1/\($0.event)" })
        #expect(verdicts.prefix(4_000).allSatisfy { $0.hasFired && $0.reason == "recorded; delivered" })
        #expect(verdicts.suffix(1_000).allSatisfy { !$0.hasFired })
    }

    @Test("a tracker whose address can't be called has not fired, and one beside it that can has")
    func uncallableTracker() throws {
        let nowhere = BeaconAddress("err.gif")
        #expect(nowhere.fault != nil)
        let first = BeaconKey(ad: self.ad, path: BeaconKey.loadPath, event: .error, index: 0)
        let second = BeaconKey(ad: self.ad, path: BeaconKey.loadPath, event: .error, index: 1)
        let dead: [AdEvent] = [.beaconRecorded(first, nowhere), .beaconDead(first, reason: nowhere.fault ?? "")]
        let alone = TrackerVerdicts(dead, VideoTrackers(), pending: [:]).list
        #expect(alone.map(\.event) == ["load/error"] && alone.allSatisfy { !$0.hasFired })
        #expect(alone.first?.reason.contains("can't be called") == true)
        let url = BeaconAddress("http://t.example/")
        let both = dead + [.beaconRecorded(second, url), .beaconDelivered(second, attempts: 1)]
        let verdict = try #require(TrackerVerdicts(both, VideoTrackers(), pending: [:]).list.first)
        #expect(verdict.hasFired && verdict.reason.hasPrefix("recorded; delivered; dead: "))
    }

    @Test("a beacon that was recorded has fired, and what became of it is told")
    func fates() throws {
        let offer = try self.offer(.view, .click)
        let url = BeaconAddress("http://t.example/")
        let view = BeaconKey(ad: self.ad, event: .view)
        let click = BeaconKey(ad: self.ad, event: .click)
        let shown: [AdEvent] = [.shown, .view(.anyPixel), .beaconRecorded(view, url), .beaconRecorded(click, url)]
        let ends: [AdEvent] = [.beaconDelivered(view, attempts: 2), .beaconDead(click, reason: "status 410")]
        #expect(
            self.verdicts(shown + ends, offer: offer) == [
                "  fired      view  recorded; delivered at attempt 2", "  fired      click  recorded; dead: status 410",
            ]
        )
        let open = self.verdicts(
            shown + [.beaconUnconfirmed(view, reason: "cut off")],
            offer: offer,
            pending: [click.text: "it is being sent"]
        )
        #expect(
            open == [
                "  fired      view  recorded; unconfirmed: cut off",
                "  fired      click  recorded; not delivered yet: it is being sent",
            ]
        )
    }
}
