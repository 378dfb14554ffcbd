import AdCore
import AdRuntime
import TestSupport
import Testing

@testable import PlayConsole
@testable import PlayText

@Suite("The verdicts on trackers")
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
        return Verdict.lines(Verdict.list(records, offer: offer, pending: pending), Style(isColored: false))
    }

    @Test("a tracker that did not fire has one reason for no ad, no tracker, no show, no view and no click each")
    func reasonsNotFired() throws {
        let offer = try self.offer(.view, .click)
        func both(_ view: String, _ click: String) -> [String] {
            ["  not fired  view  \(view)", "  not fired  click  \(click)"]
        }
        #expect(self.verdicts([], offer: nil) == both("there was no ad", "there was no ad"))
        func untracked(_ event: String) -> String { "; the ad response has no \(event) tracker" }
        let unseen = "the ad was never in view while the app was in the foreground"
        let unclicked = "the user did not click"
        #expect(
            self.verdicts([.shown], offer: try self.offer())
                == both(unseen + untracked("view"), unclicked + untracked("click"))
        )
        let unshown = "the ad was loaded but not shown"
        #expect(self.verdicts([.loaded], offer: offer) == both(unshown, unshown))
        let failed = "the show failed (stageFailed)"
        #expect(self.verdicts([.showFailed(AdError(.stageFailed, "?"))], offer: offer) == both(failed, failed))
        let expired = "the ad expired before it was shown"
        #expect(self.verdicts([.loaded, .expired], offer: offer) == both(expired, expired))
        #expect(self.verdicts([.shown], offer: offer) == both(unseen, unclicked))
        let blocked = AdEvent.blocked(BlockedAttempt(.click, "?"))
        let synthetic = "the creative clicked without user interaction"
        #expect(self.verdicts([.shown, blocked], offer: offer) == both(unseen, synthetic))
        let known = self.verdicts([.shown, .view(.anyPixel)], offer: offer)
        #expect(known.first == "  not fired  view  already recorded in the ledger")
    }

    @Test("a beacon whose URL can't be called is recorded, and listed as never sent with the reason")
    func uncallable() throws {
        let address = BeaconAddress("javascript:alert(1)")
        let problem = try #require(address.uncallableReason)
        let template = BeaconTemplate(.view, BeaconCall(.get, address))
        let offer = Offer(
            provider: "yabbi",
            creative: .html(HTMLCreative(markup: "", document: "")),
            rules: ShowRules(.banner),
            beacons: [template]
        )
        let key = template.key(of: self.ad, index: 0)
        let events: [AdEvent] = [
            .shown, .view(.anyPixel), .beaconRecorded(key, address), .beaconDead(key, reason: problem),
        ]
        #expect(self.verdicts(events, offer: offer).first == "  not fired  view  never sent: \(problem)")
    }

    @Test("a view or click that is counted without a tracker in the ad response is listed as counted, not as not fired")
    func counted() throws {
        let events: [AdEvent] = [.shown, .view(.anyPixel), .click]
        let untracked = "counted, but nothing sent: the ad response has no"
        #expect(
            self.verdicts(events, offer: try self.offer())
                == ["  counted    view  \(untracked) view tracker", "  counted    click  \(untracked) click tracker"]
        )
        let template = try #require(URLTemplate("http://t.example/"))
        let vast = Offer(
            provider: "yabbi",
            creative: .html(HTMLCreative(markup: "", document: "")),
            rules: ShowRules(.video(VideoRules())),
            videoBeacons: VideoTrackers([VideoTracker(BeaconEvent("impression"), spot: 0, template)])
        )
        let lines = self.verdicts(events, offer: vast)
        #expect(lines.first == "  counted    view  the VAST impressions are listed one by one")
        #expect(lines.dropFirst().first == "  counted    click  the VAST click trackers are listed one by one")
        #expect(!lines.contains { $0.contains("not fired  view") || $0.contains("not fired  click") })
    }

    @Test("a VAST video that failed is not listed as without trackers")
    func failedVideo() throws {
        let template = try #require(URLTemplate("http://t.example/"))
        let vast = Offer(
            provider: "yabbi",
            creative: .html(HTMLCreative(markup: "", document: "")),
            rules: ShowRules(.video(VideoRules())),
            videoBeacons: VideoTrackers([VideoTracker(BeaconEvent("impression"), spot: 0, template)])
        )
        let lines = self.verdicts([.showFailed(AdError(.stageFailed, "?"))], offer: vast)
        let reason = "the show failed (stageFailed); the VAST impressions are listed one by one"
        #expect(lines.first == "  not fired  view  \(reason)")
    }

    @Test("a tap without a click gives the reason of the tap")
    func taps() throws {
        let offer = try self.offer(.click)
        func click(_ outcome: Tap.Outcome) -> String? {
            self.verdicts([.shown, .tap(Tap(outcome))], offer: offer).last
        }
        #expect(click(.nothing("no link")) == "  not fired  click  the tap opened nothing: no link")
        #expect(click(.creative("mraid.expand")) == "  not fired  click  the creative handled the tap: mraid.expand")
        #expect(self.verdicts([.shown], offer: offer).last == "  not fired  click  the user did not click")
    }

    @Test("thousands of trackers are listed in linear time, in the order of the markup")
    func many() throws {
        let url = BeaconAddress("http://t.example/")
        let template = try #require(URLTemplate("http://t.example/"))
        let trackers = (0..<5_000).map { TrackingEvent(.progress(.time(.seconds($0))), spot: 0) }
        let ad = AdID(bits: 1)
        let offer = Offer(
            provider: "yabbi",
            creative: .html(HTMLCreative(markup: "", document: "")),
            rules: ShowRules(.video(VideoRules())),
            size: .adaptive,
            videoBeacons: VideoTrackers(trackers.map { VideoTracker($0.event, spot: 0, template) })
        )
        let keys = trackers.prefix(4_000).map { BeaconKey(ad: ad, path: $0.path, event: $0.event) }
        let records = keys.flatMap { key in
            [AdEvent.beaconRecorded(key, url), .beaconDelivered(key, attempts: 1)].map {
                AdRecord(at: .origin, ad: ad, provider: "yabbi", event: $0)
            }
        }
        let start = ProcessorTime.now
        let verdicts = Verdict.list(records, offer: offer).dropFirst(2)
        #expect(ProcessorTime.now - start < .timeout(5))
        #expect(verdicts.map(\.event) == trackers.map { "spot-1/\($0.event)" })
        #expect(verdicts.prefix(4_000).allSatisfy { $0.hasFired && $0.reason == "recorded; delivered" })
        #expect(verdicts.suffix(1_000).allSatisfy { !$0.hasFired })
    }

    private func trackerVerdicts(_ events: [AdEvent]) -> TrackerVerdicts {
        let records = events.map { AdRecord(at: .origin, ad: self.ad, provider: "yabbi", event: $0) }
        return TrackerVerdicts(events, BeaconHistory.all(in: records), VideoTrackers(), pending: [:])
    }

    @Test("an event fires if one of its trackers has a URL that can be called")
    func uncallableTracker() throws {
        let uncallable = BeaconAddress("err.gif")
        #expect(uncallable.uncallableReason != nil)
        let first = BeaconKey(ad: self.ad, path: BeaconKey.loadPath, event: .error, index: 0)
        let second = BeaconKey(ad: self.ad, path: BeaconKey.loadPath, event: .error, index: 1)
        let reason = uncallable.uncallableReason ?? ""
        let dead: [AdEvent] = [.beaconRecorded(first, uncallable), .beaconDead(first, reason: reason)]
        let alone = self.trackerVerdicts(dead).list
        #expect(alone.map(\.event) == ["load/error"] && alone.allSatisfy { !$0.hasFired })
        #expect(alone.first?.reason.contains("can't be called") == true)
        let url = BeaconAddress("http://t.example/")
        let both = dead + [.beaconRecorded(second, url), .beaconDelivered(second, attempts: 1)]
        let verdict = try #require(self.trackerVerdicts(both).list.first)
        #expect(verdict.hasFired && verdict.reason.hasPrefix("recorded; delivered; dead: "))
    }

    @Test("a recorded beacon has fired, with its delivery as the reason")
    func deliveries() throws {
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
