import AdCore
import AdMarkup
import PlaySupport
import Testing

@testable import PlayReport
@testable import PlayText

@Suite("The trackers of an ad, one by one")
struct TrackerRowTests {
    private func ad(
        _ trackers: [VideoTracker],
        _ verdicts: [Verdict],
        _ records: [AdRecord] = []
    ) -> ReportedAd {
        let offer = Offer(
            provider: "yabbi",
            creative: .html(HTMLCreative(markup: "", document: "")),
            rules: ShowRules(.video(VideoRules())),
            videoBeacons: VideoTrackers(trackers)
        )
        return ReportedAd(
            ad: ReportScenes.ad,
            provider: "yabbi",
            name: "tag",
            title: nil,
            offer: offer,
            records: records,
            verdicts: verdicts
        )
    }

    private func tracker(_ event: String, _ url: String, depth: Int) throws -> VideoTracker {
        VideoTracker(BeaconEvent(event), spot: 0, try #require(URLTemplate(url)), depth: depth)
    }

    @Test("a recorded tracker comes from the document whose position its key has, also if the servers are the same")
    func origins() throws {
        let trackers = try [
            self.tracker("impression", "https://t.example/1", depth: 0),
            self.tracker("start", "https://t.example/2", depth: 1),
            self.tracker("impression", "https://t.example/3", depth: 2),
        ]
        func key(_ index: Int) -> BeaconKey {
            BeaconKey(ad: ReportScenes.ad, path: "spot-1", event: BeaconEvent("impression"), index: index)
        }
        let records = (0..<2).map { index in
            ReportScenes.record(.beaconRecorded(key(index), ReportScenes.address("https://t.example/x")), at: 5)
        }
        let delivered = ReportScenes.record(.beaconDelivered(key(1), attempts: 1), at: 9)
        let unfired = Verdict(event: "spot-1/start", hasFired: false, reason: "the video did not start")
        let rows = self.ad(trackers, [unfired], records + [delivered]).trackerRows
        #expect(rows.map(\.event) == ["spot-1/impression", "spot-1/impression", "spot-1/start"])
        #expect(rows.map(\.origin) == ["the input", "the ad, wrapper 2", "wrapper 1"])
        #expect(rows.map(\.outcome) == [.pending, .fired, .notFired])
        #expect(rows.map(\.rating) == [.plain, .good, .warn])
        #expect(rows[2].url == "https://t.example/2" && rows[2].reason == "the video did not start")
    }

    @Test("a tracker that fired and was not delivered is bad, and says why")
    func dead() throws {
        let rows = ReportScenes.reportedAd().trackerRows
        let click = try #require(rows.first { $0.event == "click" })
        #expect(click.outcome == .fired && click.rating == .bad && click.reason == "dead: status 404")
        #expect(click.json["rating"] == "bad" && click.json["outcome"] == "fired")
    }

    @Test("a tracker that is pending at the end of the run has fired and was not delivered")
    func pending() throws {
        let key = BeaconKey(ad: ReportScenes.ad, event: .view)
        let recorded = ReportScenes.record(.beaconRecorded(key, ReportScenes.address("https://t.example/v")), at: 5)
        var ad = ReportScenes.reportedAd([recorded])
        ad.verdicts = [Verdict(event: "view", hasFired: true, reason: "recorded; not delivered yet: status 503")]
        let row = try #require(ad.trackerRows.first)
        #expect(row.outcome == .fired && row.rating == .bad && row.reason == "not delivered yet: status 503")
        ad.verdicts = [Verdict(event: "view", hasFired: true, reason: "recorded")]
        #expect(ad.trackerRows.first?.outcome == .pending)
    }

    @Test("an event without trackers is counted, and one that did not happen is not")
    func untracked() {
        var ad = ReportScenes.reportedAd([])
        ad.verdicts = [
            Verdict(event: "view", .counted, reason: "no view tracker"),
            Verdict(event: "click", hasFired: false, reason: "the user did not click"),
        ]
        #expect(ad.trackerRows.map(\.outcome) == [.counted, .notFired])
        #expect(ad.trackerRows.map(\.rating) == [.good, .plain])
    }

    @Test("of an ad that failed to load, the trackers of its documents are listed, but not those that were called")
    func unloaded() throws {
        let document = try VASTDocument(
            parsing: """
                <VAST version='4.0'><Ad><Wrapper><AdSystem>a</AdSystem><Impression>https://t.example/i?token=s</Impression>
                <Error>https://t.example/e?code=[ERRORCODE]</Error><VASTAdTagURI>https://a.example/</VASTAdTagURI></Wrapper></Ad></VAST>
                """
        )
        let failed = ReportScenes.record(.loadFailed(AdError(.unreadableResponse, "no ad after the wrapper")), at: 3)
        func rows(_ records: [AdRecord]) -> [TrackerRow] {
            let ad = ReportedAd(
                ad: ReportScenes.ad,
                provider: "tag",
                name: "tag",
                title: nil,
                offer: nil,
                records: records,
                verdicts: []
            )
            return ad.unloadedTrackers(document.trackers, from: "tag.xml")
        }
        let both = rows([failed])
        #expect(both.map(\.event) == ["impression", "error"] && both.allSatisfy { $0.outcome == .notFired })
        #expect(both[0].reason == "the ad failed to load" && both[0].origin == "tag.xml")
        #expect(both[0].rating == .warn && both[1].rating == .plain && !both[0].url.contains("token=s"))
        let key = BeaconKey(ad: ReportScenes.ad, event: BeaconEvent("error"))
        func called(_ url: String) -> AdRecord {
            ReportScenes.record(.beaconRecorded(key, ReportScenes.address(url)), at: 2)
        }
        #expect(rows([called("https://t.example/e?code=303"), failed]).map(\.event) == ["impression"])
        #expect(rows([called("https://other.example/"), failed]).map(\.event) == ["impression", "error"])
        #expect(rows([]).isEmpty, "it has not failed")
    }

    @Test("while the ad is on screen, a tracker that has not fired is pending")
    func onScreen() {
        var ad = ReportScenes.reportedAd([ReportScenes.record(.shown, at: 5)])
        ad.verdicts = [Verdict(event: "view", hasFired: false, reason: "not in view yet")]
        #expect(ad.trackerRows.map(\.outcome) == [.pending] && ad.trackerRows.map(\.rating) == [.plain])
        ad = ReportScenes.reportedAd(ReportScenes.events)
        ad.verdicts = [Verdict(event: "view", hasFired: false, reason: "never in view")]
        #expect(ad.trackerRows.last?.outcome == .notFired && ad.trackerRows.last?.rating == .warn)
    }
}
