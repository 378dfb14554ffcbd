import AdCore
import AdLint
import AdMarkup
import AdRuntime
import ChromiumStage
import PlaySupport
import Testing

@testable import PlayReport

@Suite("What is asked first of an ad")
struct AdChecksTests {
    private func answer(_ question: String, _ story: AdStory) -> AdCheck? {
        AdChecks(story).all.first { $0.question == question }
    }

    @Test("a view is counted, with when; a click that nobody was told of is counted, and bad")
    func counted() throws {
        let story = ReportScenes.story()
        let view = try #require(self.answer("View", story))
        #expect(view.rating == .good && view.answer == "counted" && view.reason == "20 ms after it came on screen")
        let click = try #require(self.answer("Click", story))
        #expect(click.rating == .bad && click.answer == "counted" && click.reason == "its beacon: dead: status 404")
    }

    @Test("a view that was not counted is bad, with the reason; that nobody clicked is nobody's fault")
    func missed() throws {
        var story = ReportScenes.story([ReportScenes.record(.loaded, at: 0), ReportScenes.record(.shown, at: 5)])
        story.verdicts = [
            Verdict(event: "view", hasFired: false, reason: "no pixel was on screen"),
            Verdict(event: "click", hasFired: false, reason: "nobody clicked"),
        ]
        let view = try #require(self.answer("View", story))
        #expect(view.rating == .bad && view.answer == "not counted" && view.reason == "no pixel was on screen")
        let click = try #require(self.answer("Click", story))
        #expect(click.rating == .plain && click.answer == "none" && click.reason == "nobody clicked")
    }

    @Test("what a page tells its server by itself is counted too")
    func told() throws {
        var story = ReportScenes.story([ReportScenes.record(.shown, at: 5)])
        story.verdicts = [Verdict(event: "click", hasFired: true, reason: "sent by the page")]
        let click = try #require(self.answer("Click", story))
        #expect(click.rating == .good && click.answer == "counted" && click.reason == "sent by the page")
    }

    @Test("beacons, attempts and requests are counted, and the first that went wrong is named")
    func counts() throws {
        var story = ReportScenes.story()
        story.requests = [
            ReportScenes.request("https://a.example/1", at: 0, .answered(status: 200, type: "text/css", bytes: 1_500)),
            ReportScenes.request("https://a.example/2", at: 0, .answered(status: 404, type: nil, bytes: 10)),
            ReportScenes.request("https://a.example/3", at: 0, .failed("net::ERR_ABORTED")),
            ReportScenes.request("https://a.example/4", at: 0, .blocked("a neighbour")),
            ReportScenes.request("https://a.example/load", at: 0, .failed("gone"), isCreatives: false),
        ]
        let beacons = try #require(self.answer("Beacons", story))
        #expect(beacons.rating == .bad && beacons.answer == "1 of 2 delivered")
        #expect(beacons.reason == "click: dead: status 404")
        let requests = try #require(self.answer("Requests", story))
        #expect(requests.answer == "4 by the creative" && requests.rating == .warn)
        #expect(requests.reason == "1.5 kB in all, 1 failed, 1 blocked, 1 given up before an answer")
        let blocked = try #require(self.answer("Blocked", story))
        #expect(blocked.answer == "1 attempt" && blocked.reason == "popup: https://else.example/")
        let close = try #require(self.answer("Close", story))
        #expect(close.answer == "possible after 2 s" && close.rating == .plain)
    }

    @Test("the markup's gravest fault is named with its line, and the linter's silence is good")
    func markup() throws {
        var story = ReportScenes.story()
        #expect(self.answer("Markup", story) == nil, "there was none to look at")
        let tag =
            "<html><head><meta http-equiv=\"refresh\" content=\"1;url=https://a.example/\"></head><body>x</body></html>"
        story.lint = Lint.check(Array(tag.utf8))
        let bad = try #require(self.answer("Markup", story))
        #expect(bad.rating == .bad && bad.answer.hasPrefix("1 error"))
        #expect(bad.reason == "line 1: Auto-redirect")
    }

    @Test("what many ads have in common is told once, the worst first")
    func problems() {
        var seen = ReportScenes.story([
            ReportScenes.record(.shown, at: 5), ReportScenes.record(.view(.anyPixel), at: 6),
        ])
        #expect(AttentionItem.all([seen, seen]).isEmpty)
        seen.requests = [ReportScenes.request("https://a.example/2", at: 0, .failed("gone"))]
        let all = AttentionItem.all([seen, ReportScenes.story(), ReportScenes.story()])
        #expect(all.map(\.answer.question) == ["Click", "Beacons", "Requests", "Blocked"])
        #expect(all.map(\.ads) == [[1, 2], [1, 2], [0], [1, 2]])
        #expect(
            all.suffix(2).map(\.problem) == ["1 failed, of what the creative asked for", "popup: https://else.example/"]
        )
    }

    @Test("an ad that was not shown says so first")
    func failed() {
        let error = AdError(.noFill, "nobody wanted the place")
        let story = ReportScenes.story([
            ReportScenes.record(.loadStarted, at: 0), ReportScenes.record(.loadFailed(error), at: 30),
        ])
        let trouble = AdChecks(story).problems.first
        #expect(trouble?.question == "Shown?" && trouble?.reason.contains("nobody wanted the place") == true)
    }

    @Test("a beacon whose delivery is told before its recording is delivered all the same")
    func early() {
        let stories = BeaconHistory.all(in: [
            ReportScenes.record(.beaconDelivered(ReportScenes.view, attempts: 1), at: 220),
            ReportScenes.record(
                .beaconRecorded(ReportScenes.view, ReportScenes.address("https://t.example/")),
                at: 221
            ),
        ])
        #expect(stories.map(\.outcome) == [.delivered(attempts: 1)])
        #expect(stories.first?.settled == Moment(.milliseconds(221)))
    }
}
