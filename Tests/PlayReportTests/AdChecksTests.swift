import AdCore
import AdLint
import AdMarkup
import AdRuntime
import PlaySupport
import Testing
import WebStage

@testable import PlayReport
@testable import PlayText

@Suite("The summary of an ad")
struct AdChecksTests {
    private func check(_ title: String, _ ad: ReportedAd) -> AdCheck? {
        AdChecks(ad).all.first { $0.title == title }
    }

    @Test("a counted view has its time, and a counted click whose beacon is dead is bad")
    func counted() throws {
        let ad = ReportScenes.reportedAd()
        let view = try #require(self.check("View", ad))
        #expect(view.rating == .good && view.result == "counted" && view.reason == "20 ms after the ad was shown")
        let click = try #require(self.check("Click", ad))
        #expect(click.rating == .bad && click.result == "counted" && click.reason == "beacon dead: status 404")
    }

    @Test("a view that was not counted is bad, and a missing click is not")
    func notCounted() throws {
        var ad = ReportScenes.reportedAd([ReportScenes.record(.loaded, at: 0), ReportScenes.record(.shown, at: 5)])
        ad.verdicts = [
            Verdict(event: "view", hasFired: false, reason: "never in view"),
            Verdict(event: "click", hasFired: false, reason: "the user did not click"),
        ]
        let view = try #require(self.check("View", ad))
        #expect(view.rating == .bad && view.result == "not counted" && view.reason == "never in view")
        let click = try #require(self.check("Click", ad))
        #expect(click.rating == .plain && click.result == "none" && click.reason == "the user did not click")
    }

    @Test("a last tap that led to nothing needs attention, and one before it does not")
    func failedTap() throws {
        func ad(_ taps: Tap.Outcome...) -> ReportedAd {
            let shown = ReportScenes.record(.shown, at: 5)
            var ad = ReportScenes.reportedAd([shown] + taps.map { ReportScenes.record(.tap(Tap($0)), at: 9) })
            ad.verdicts = [Verdict(event: "click", hasFired: false, reason: "the tap opened nothing")]
            return ad
        }
        let failed = try #require(self.check("Click", ad(.creative("handled"), .nothing("no link"))))
        #expect(failed.rating == .warn && failed.result == "a tap led to nothing")
        let handled = try #require(self.check("Click", ad(.nothing("no link"), .creative("handled"))))
        #expect(handled.rating == .plain && handled.result == "none")
    }

    @Test("a creative that was ended is bad, with the reason; other issues of a creative are not its end")
    func crashed() throws {
        let crash = AdIssue("creative.crashed", at: .whole, "the page used too much memory")
        let other = AdIssue("creative.other", at: .whole, "something else")
        let ended = ReportScenes.reportedAd([
            ReportScenes.record(.shown, at: 5), ReportScenes.record(.issue(other), at: 6),
            ReportScenes.record(.issue(crash), at: 7),
        ])
        let check = try #require(self.check("Creative", ended))
        #expect(check.rating == .bad && check.reason == "the page used too much memory")
        #expect(AdVerdict(ended).rating == .bad)
        #expect(self.check("Creative", ReportScenes.reportedAd([ReportScenes.record(.issue(other), at: 6)])) == nil)
    }

    @Test("a click that a page sends to its server itself is counted")
    func sentByPage() throws {
        var ad = ReportScenes.reportedAd([ReportScenes.record(.shown, at: 5)])
        ad.verdicts = [Verdict(event: "click", hasFired: true, reason: "sent by the page")]
        let click = try #require(self.check("Click", ad))
        #expect(click.rating == .good && click.result == "counted" && click.reason == "sent by the page")
    }

    @Test("beacons, blocked attempts and requests are counted, and the first failure is the reason")
    func counts() throws {
        var ad = ReportScenes.reportedAd()
        ad.requests = [
            ReportScenes.request("https://a.example/1", at: 0, .answered(status: 200, type: "text/css", bytes: 1_500)),
            ReportScenes.request("https://a.example/2", at: 0, .answered(status: 404, type: nil, bytes: 10)),
            ReportScenes.request("https://a.example/3", at: 0, .failed(.cancelled)),
            ReportScenes.request("https://a.example/4", at: 0, .failed(.blockedByStage)),
            ReportScenes.request("https://a.example/load", at: 0, .failed(.other("gone")), isCreatives: false),
        ]
        let beacons = try #require(self.check("Beacons", ad))
        #expect(beacons.rating == .bad && beacons.result == "1 of 2 delivered")
        #expect(beacons.reason == "click: dead: status 404")
        let requests = try #require(self.check("Requests", ad))
        #expect(requests.result == "4 by the creative" && requests.rating == .warn)
        #expect(requests.reason == "1.5 kB in total, 1 failed, 1 blocked, 1 cancelled")
        let blocked = try #require(self.check("Blocked", ad))
        #expect(blocked.result == "1 attempt" && blocked.reason == "popup: https://else.example/")
        let close = try #require(self.check("Close", ad))
        #expect(close.result == "available after 2 s" && close.rating == .plain)
    }

    @Test("the markup's most severe finding is the reason, with its line")
    func markup() throws {
        var ad = ReportScenes.reportedAd()
        #expect(self.check("Markup", ad) == nil, "the ad has no markup")
        let tag =
            "<html><head><meta http-equiv=\"refresh\" content=\"1;url=https://a.example/\"></head><body>x</body></html>"
        ad.lint = Lint.check(Array(tag.utf8))
        let bad = try #require(self.check("Markup", ad))
        #expect(bad.rating == .bad && bad.result.hasPrefix("1 error"))
        #expect(bad.reason == "line 1: Auto-redirect")
    }

    @Test("a problem of several ads is listed once, the worst first")
    func sharedProblems() {
        var seen = ReportScenes.reportedAd([
            ReportScenes.record(.shown, at: 5), ReportScenes.record(.view(.anyPixel), at: 6),
        ])
        #expect(AttentionItem.all([seen, seen]).isEmpty)
        seen.requests = [ReportScenes.request("https://a.example/2", at: 0, .failed(.other("gone")))]
        let all = AttentionItem.all([seen, ReportScenes.reportedAd(), ReportScenes.reportedAd()])
        #expect(all.map(\.check.title) == ["Click", "Beacons", "Requests", "Blocked"])
        #expect(all.map(\.ads) == [[1, 2], [1, 2], [0], [1, 2]])
        #expect(
            all.suffix(2).map(\.problem) == ["requests of the creative: 1 failed", "popup: https://else.example/"]
        )
    }

    @Test("the first problem of an ad that was not shown is the error")
    func failed() {
        let error = AdError(.noFill, "no bid for the placement")
        let ad = ReportScenes.reportedAd([
            ReportScenes.record(.loadStarted, at: 0), ReportScenes.record(.loadFailed(error), at: 30),
        ])
        let problem = AdChecks(ad).problems.first
        #expect(problem?.title == "Shown" && problem?.reason.contains("no bid for the placement") == true)
    }

    @Test("a beacon is delivered if its delivery is reported before its record")
    func early() {
        let beacons = BeaconHistory.all(in: [
            ReportScenes.record(.beaconDelivered(ReportScenes.view, attempts: 1), at: 220),
            ReportScenes.record(
                .beaconRecorded(ReportScenes.view, ReportScenes.address("https://t.example/")),
                at: 221
            ),
        ])
        #expect(beacons.map(\.outcome) == [.delivered(attempts: 1)])
        #expect(beacons.first?.settled == Moment(.milliseconds(221)))
    }
}
