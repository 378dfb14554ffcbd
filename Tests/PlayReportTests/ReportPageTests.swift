import AdCore
import AdMarkup
import AdRuntime
import PlaySupport
import Testing
import WebStage

@testable import PlayReport
@testable import PlayText

@Suite("The page of a report")
struct ReportPageTests {
    @Test("the figures are counted from the events")
    func figures() throws {
        let page = ReportScenes.page([ReportScenes.reportedAd(), ReportScenes.reportedAd()])
        for (name, count) in [("shown", 2), ("views", 2), ("clicks", 2), ("delivered", 2), ("blocked", 2)] {
            #expect(page.contains("data-figure=\"\(name)\">\(count)</b>"), "\(name)")
        }
        #expect(page.contains("<small> of 4</small><span>beacons delivered"))
    }

    @Test("the page has the rule of the close button, the sizes and the status of each beacon")
    func facts() {
        let page = ReportScenes.page([ReportScenes.reportedAd()])
        #expect(page.contains("available after 2 s: the ad was visible for its close delay"))
        #expect(page.contains("<dt>rendered size</dt><dd>150x125</dd>"))
        #expect(page.contains("delivered at attempt 2") && page.contains("dead: status 404"))
        #expect(page.contains("https://else.example/"))
    }

    @Test("the embedded trace has the events exactly as --json prints them")
    func trace() throws {
        let page = ReportScenes.page([ReportScenes.reportedAd()])
        let start = try #require(page.firstRange(of: "id=\"trace\">"))
        let end = try #require(page[start.upperBound...].firstRange(of: "</script>"))
        let json = try AdJSON(parsing: String(page[start.upperBound..<end.lowerBound]))
        let lines = try ReportScenes.events.map { try AdJSON(parsing: EventLine($0).json) }
        #expect(json.array == lines)
    }

    @Test(
        "in the report of several ads each picture has links to what its creative did, and each problem to its section"
    )
    func links() {
        var first = ReportScenes.reportedAd()
        first.requests = [ReportScenes.request("https://a.example/x", at: 0, .failed(.other("refused")))]
        let other = ReportScenes.reportedAd(ReportScenes.events)
        let page = ReportScenes.page([first, other])
        #expect(page.contains("<p class=\"parts\"><a href=\"#ad-1-requests\">requests<"))
        #expect(!page.contains("\"#ad-2-requests\"") && !page.contains("-messages\">messages<"))
        let ids = Set(page.split(separator: " id=\"").dropFirst().compactMap { $0.split(separator: "\"").first })
        let links = page.split(separator: "href=\"#").dropFirst().compactMap { $0.split(separator: "\"").first }
        #expect(!links.isEmpty && links.allSatisfy { ids.contains($0) }, "\(links)")
        #expect(links.contains("ad-1-beacons"), "what needs attention")
    }

    @Test("a wrapper is indented below the tag, and what redirects led to below them, in their order")
    func hops() throws {
        func request(_ purpose: RequestPurpose, _ path: String, _ redirects: [ReportRequest.Redirect] = [])
            -> ReportRequest
        {
            ReportRequest(
                purpose: purpose,
                method: "GET",
                url: "https://a.example/\(path)",
                start: .zero,
                length: .milliseconds(5),
                redirects: redirects,
                outcome: .answered(status: 200, type: nil, bytes: 1)
            )
        }
        let redirects = ["a", "b"].map { ReportRequest.Redirect(url: "https://r.example/\($0)", status: 302) }
        var ad = ReportScenes.reportedAd()
        ad.requests = [
            request(.tag, "tag", [redirects[0]]), request(.wrapper, "first", redirects), request(.wrapper, "second"),
            request(.media, "film"), request(.beacon, "view"),
        ]
        let page = ReportScenes.page([ad])
        var rest = page[...]
        for text in [
            ">https://r.example/a<", ">↳ https://a.example/tag<", ">↳ https://r.example/a<",
            ">\u{2003}↳ https://r.example/b<", ">\u{2003}\u{2003}↳ https://a.example/first<",
            ">↳ https://a.example/second<", ">https://a.example/film<", ">https://a.example/view<",
        ] {
            let place = try #require(rest.firstRange(of: text), "\(text)")
            rest = rest[place.upperBound...]
        }
    }

    @Test(
        "external text is escaped",
        arguments: [
            "</script><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onload='alert(1)", "&lt;i",
        ]
    )
    func hostile(_ text: String) {
        let records = [
            ReportScenes.record(.loadStarted, at: 0),
            ReportScenes.record(.blocked(BlockedAttempt(.popup, text)), at: 1),
            ReportScenes.record(.issue(AdIssue("code", at: .whole, text)), at: 2),
        ]
        var ad = ReportScenes.reportedAd(records, title: text)
        ad.requests = [ReportScenes.request("https://a.example/?" + text, at: 0, .failed(.other(text)))]
        let page = ReportScenes.page([ad, ad])
        #expect(page.contains("<title>show &lt;b&gt; · yabbi-play</title>"))
        #expect(page.split(separator: "<script").count == 3 && page.split(separator: "</script").count == 3)
        // The trace and the run are JSON with "<" escaped, so that no text ends a script element.
        let shown = page.prefix(upTo: page.firstRange(of: "<script")?.lowerBound ?? page.endIndex)
        #expect(!shown.contains("<img") && !shown.contains("' onload") && !shown.contains(text))
    }

    @Test("very long names, URLs and reasons are truncated, and escaped")
    func long() {
        let text = String(repeating: "<b>&\"'long ", count: 2_000)
        let key = BeaconKey(ad: ReportScenes.ad, event: BeaconEvent(text))
        let records = [
            ReportScenes.record(.loadStarted, at: 0),
            ReportScenes.record(.beaconRecorded(key, ReportScenes.address("https://a.example/?" + text)), at: 1),
            ReportScenes.record(.beaconDead(key, reason: text), at: 2),
            ReportScenes.record(.shown, at: 3), ReportScenes.record(.blocked(BlockedAttempt(.popup, text)), at: 4),
        ]
        var ad = ReportScenes.reportedAd(records, title: text)
        ad.verdicts = [Verdict(event: text, hasFired: false, reason: text)]
        ad.requests = [ReportScenes.request("https://a.example/?" + text, at: 0, .failed(.refused(.other(text))))]
        let page = ReportScenes.page([ad, ad])
        let shown = page.prefix(upTo: page.firstRange(of: "<script")?.lowerBound ?? page.endIndex)
        #expect(!shown.contains("<b>&") && !shown.contains("'long"))
        #expect(shown.utf8.count < 400_000, "\(shown.utf8.count)")
    }

    @Test("the heading of an input file is its name without the prefix")
    func names() {
        let ad = ReportedAd(
            ad: ReportScenes.ad,
            provider: "yabbi",
            name: "source:ad.html",
            title: "source:ad.html",
            offer: nil,
            records: [],
            verdicts: [],
            lint: nil
        )
        #expect(ad.heading == "ad.html" && ad.origin == "yabbi")
    }

    @Test("an ad that failed has the error, and no sections about beacons or views")
    func failure() {
        let error = AdError(.noFill, "no bid for the placement")
        let records = [ReportScenes.record(.loadStarted, at: 0), ReportScenes.record(.loadFailed(error), at: 30)]
        let page = ReportScenes.page([ReportScenes.reportedAd(records)])
        #expect(page.contains("class=\"failure\"") && page.contains("no bid for the placement"))
        #expect(!page.contains("<h3>Beacons</h3>") && !page.contains("no view"))
        #expect(page.contains("data-figure=\"shown\">0</b><small> of 1</small>"))
    }

    @Test("a report without ads is a page")
    func empty() {
        #expect(ReportScenes.page([]).contains("data-figure=\"shown\">0</b>"))
    }

    @Test("the page runs no script and sends no request")
    func isStatic() {
        let page = ReportScenes.page([ReportScenes.reportedAd()])
        #expect(page.contains("default-src 'none'"))
        #expect(!page.contains("src=\"http") && !page.contains("href=\"http") && !page.contains("@import"))
    }
}

@Suite("The timeline chart")
struct TimelineChartTests {
    @Test("times are mapped between the ends of the axis, and clamped to them")
    func scale() {
        let scale = TimeScale(length: .seconds(4), from: 100, to: 900)
        #expect(scale.x(.zero) == 100 && scale.x(.seconds(1)) == 300 && scale.x(.seconds(4)) == 900)
        #expect(scale.x(.seconds(-1)) == 100 && scale.x(.seconds(99)) == 900)
    }

    @Test(
        "ticks are at most ten, for any length",
        arguments: [1, 40, 999, 3_000, 61_000, 7_200_000, 90_000_000]
    )
    func ticks(_ milliseconds: Int64) {
        let ticks = TimeScale(length: .milliseconds(milliseconds), from: 0, to: 1).ticks
        #expect((1...10).contains(ticks.count) && ticks.first == .zero)
        #expect(ticks.allSatisfy { $0 <= .milliseconds(max(1, milliseconds)) })
    }

    @Test("lengths have one decimal, and a length that is not a number is 0")
    func lengths() {
        #expect(px(12) == "12" && px(12.34) == "12.3" && px(-0.25) == "-0.3" && px(.nan) == "0")
    }

    @Test("an ad without events has no chart, and one with a thousand events has a chart of limited size")
    func bounds() throws {
        #expect(TimelineChart(ReportScenes.reportedAd([])) == nil)
        let many = (0..<1_000).map { number in
            let key = BeaconKey(ad: ReportScenes.ad, event: .view, ordinal: number)
            return ReportScenes.record(
                .beaconRecorded(key, ReportScenes.address("https://t.example/")),
                at: Int64(number)
            )
        }
        let chart = try #require(TimelineChart(ReportScenes.reportedAd(many)))
        #expect(chart.html.text.contains("940 more beacons") && chart.html.text.utf8.count < 20_000)
    }

    @Test("the chart for a phone has few ticks, and everything is within its width")
    func narrow() throws {
        let text = try #require(TimelineChart(ReportScenes.reportedAd())).html.text
        let start = try #require(text.firstRange(of: "<svg viewBox=\"0 0 330 "))
        let narrow = text[start.lowerBound...]
        #expect(text.contains("class=\"wide-time\"") && narrow.contains("class=\"narrow-time\" aria-hidden=\"true\""))
        let ticks = narrow.ranges(of: "class=\"tick\"").count
        #expect((1...5).contains(ticks))
        for part in narrow.split(separator: " x=\"").dropFirst() {
            let x = try #require(Double(part.prefix { $0 != "\"" }))
            #expect((0...330).contains(x), "\(x)")
        }
        #expect(TimeScale(length: .seconds(7), from: 0, to: 1, maxTicks: 3).ticks.count <= 4)
    }

    @Test("the visible share is drawn as an area")
    func visibility() throws {
        var ad = ReportScenes.reportedAd()
        ad.scene.visibilityChanges = [
            StageCapture.Visibility(at: Moment(.milliseconds(210)), ratio: 1),
            StageCapture.Visibility(at: Moment(.milliseconds(1_500)), ratio: 0.25),
        ]
        let chart = try #require(TimelineChart(ad))
        #expect(chart.html.text.contains("class=\"visibility\""))
    }
}
