import AdCore
import AdLint
import PlaySupport
import TestSupport
import Testing
import WebStage

@testable import PlayReport
@testable import PlayText

@Suite("The run in a report")
struct RunDocumentTests {
    /// An ad with everything that a run has.
    private static var ad: ReportedAd {
        var ad = ReportScenes.reportedAd(title: "Banner </script> “é”")
        ad.verdicts = [
            Verdict(event: "view", hasFired: true, reason: "recorded; delivered"),
            Verdict(event: "click", .counted, reason: "no tracker"),
            Verdict(event: "spot-1/complete", hasFired: false, reason: "not played to the end"),
        ]
        ad.lint = Lint.check(Array("<img src=http://a.example/a.png><img src=http://a.example/b.png>".utf8))
        ad.requests = [
            ReportScenes.request(
                "https://a.example/ad",
                at: 12,
                .answered(status: 200, type: "text/html", bytes: 900),
                isCreatives: false
            ),
            ReportScenes.request("https://a.example/i", at: 30, .answered(status: 404, type: nil, bytes: -1)),
            ReportScenes.request("https://a.example/c", at: 31, .failed(.cancelled)),
            ReportScenes.request("https://a.example/x", at: 32, .failed(.blockedByStage)),
            ReportScenes.request("https://a.example/m", at: 33, .failed(.refused(.mixedContent))),
            ReportScenes.request("https://a.example/n", at: 34, .failed(.other("net::ERR_FAILED"))),
        ]
        ad.scene.pictures = [
            StageCapture.Picture(
                caption: "On screen",
                at: Moment(.milliseconds(300)),
                size: Size(width: 390, height: 844),
                bytes: [1, 2, 3, 255]
            ),
            StageCapture.Picture(
                caption: "Before it closed",
                at: Moment(.seconds(2)),
                size: Size(width: 390, height: 844),
                bytes: []
            ),
        ]
        return ad
    }

    private static func document(_ ads: [ReportedAd]) -> RunDocument {
        RunDocument(
            command: "show <b>",
            madeAt: WallTime(milliseconds: 0),
            stage: "a test",
            speed: 1,
            reporting: ads
        )
    }

    private func read(_ page: String) throws(RunDocumentError) -> RunDocument {
        try RunDocument(parsing: Array(page.utf8))
    }

    @Test("is what the page was made from, with the bytes of its pictures")
    func roundTrip() throws {
        for ads in [[], [Self.ad], [Self.ad, ReportScenes.reportedAd(), Self.ad]] {
            #expect(try self.read(ReportScenes.page(ads)) == Self.document(ads))
        }
    }

    @Test("has the events as --json prints them, and the outcome of each tracker, beacon and request")
    func contents() throws {
        let run = try #require(Self.document([Self.ad]).ads.first)
        #expect(run.id == ReportScenes.ad.rawValue && run.provider == "yabbi" && run.name == "banner-300x250")
        #expect(run.events.map { $0.text() } == ReportScenes.events.map { EventLine($0).json })
        #expect(run.verdicts.map(\.outcome) == ["fired", "counted", "notFired"])
        #expect(run.beacons.map(\.state) == ["delivered", "dead"] && run.beacons[1].reason == "status 404")
        #expect(run.requests.map(\.initiator).map(\.rawValue) == ["runtime"] + Array(repeating: "creative", count: 5))
        #expect(run.requests.map(\.status) == [200, 404, nil, nil, nil, nil])
        #expect(run.requests.map(\.bytes) == [900, nil, nil, nil, nil, nil])
        let errors = [nil, nil, "cancelled", "blocked: inspector", "blocked: mixed-content", "net::ERR_FAILED"]
        #expect(run.requests.map(\.error) == errors)
        #expect(run.requests.map(\.start) == [12, 30, 31, 32, 33, 34] && run.requests.allSatisfy { $0.duration == 40 })
        #expect(run.pictures.map(\.id) == ["ad-1-picture-1", "ad-1-picture-2"])
        #expect(run.pictures.map(\.t) == [300, 2_000])
    }

    @Test("has the activities of the creative among the events, by time")
    func activities() {
        var ad = ReportScenes.reportedAd()
        func activity(_ event: CreativeActivity, at milliseconds: Int64) -> ActivityRecord {
            ActivityRecord(at: Moment(.milliseconds(milliseconds)), ad: ReportScenes.ad, provider: "yabbi", event)
        }
        ad.activities = [
            activity(.console(ConsoleMessage(.log, "a")), at: 0), activity(.visible(ratio: 1), at: 210),
            activity(.scroll(x: 0, y: 1), at: 9_000),
        ]
        let names = Self.document([ad]).ads[0].events.compactMap { $0["event"]?.string }
        var events = ReportScenes.events.map(\.event.name)
        events.insert("visible", at: 3)
        #expect(names.first == "console" && names.last == "scroll" && Array(names.dropFirst().dropLast()) == events)
    }

    @Test("withheld trackers and beacons say so")
    func withheld() throws {
        let record = AdRecord(
            at: .origin,
            ad: ReportScenes.ad,
            provider: "yabbi",
            event: .beaconRecorded(ReportScenes.view, ReportScenes.address("https://t.example/view")),
            detail: [BeaconHistory.withheldMark]
        )
        var ad = ReportScenes.reportedAd([record])
        ad.verdicts = [Verdict(event: "view", .withheld, reason: "")]
        let run = Self.document([ad]).ads[0]
        #expect(run.beacons.map(\.state) == ["withheld"] && run.verdicts.map(\.outcome) == ["withheld"])
        #expect(run.events[0]["event"] == "beaconWithheld")
    }

    @Test("lint findings are grouped by rule and message, and all are counted")
    func findings() throws {
        let report = try #require(Self.ad.lint)
        let findings = try #require(Self.document([Self.ad]).ads[0].lint)
        #expect(findings.reduce(0) { $0 + $1.count } == report.counts.values.reduce(0, +) && !findings.isEmpty)
        #expect(Set(findings.map { [$0.rule, $0.message] }).count == findings.count)
        #expect(Self.document([ReportScenes.reportedAd()]).ads[0].lint == nil)
    }

    @Test("each picture has an element of its own in the page")
    func ids() {
        let page = ReportScenes.page([Self.ad, Self.ad])
        for id in ["ad-1-picture-1", "ad-1-picture-2", "ad-2-picture-1", "ad-2-picture-2"] {
            #expect(page.ranges(of: " id=\"\(id)\" src=").count == 1, "\(id)")
        }
    }

    @Test("a page that a browser has saved is read too")
    func saved() throws {
        let page = ReportScenes.page([Self.ad]).replacing("<script ", with: "<SCRIPT\n  data-x='>'\t")
            .replacing("<img alt=\"", with: "<IMG class=x title='<img id=\"no\">' alt = \"")
        #expect(try self.read(page) == Self.document([Self.ad]))
        let run = Self.document([Self.ad]).text
        let unquoted = "<script id=run>\(run.replacing("<", with: "\\u003c"))</script>"
        #expect(try self.read(unquoted).ads.count == 1)
    }

    @Test("a picture that the page does not have is without bytes")
    func missing() throws {
        let page = ReportScenes.page([Self.ad])
            .replacing(" id=\"ad-1-picture-1\" src", with: " src")
            .replacing("data:image/webp;base64,\"", with: "https://a.example/\"")
        #expect(try self.read(page).ads[0].pictures.map(\.bytes) == [nil, nil])
    }

    @Test("unknown members are ignored, and missing and wrong ones are empty")
    func tolerant() throws {
        let run = try self.read(
            """
            {"version": 1, "more": [1], "command": 7, "ads": [
              {"ad": "x", "events": [1, {"event": "view"}, null], "requests": [{"ms": "long", "bytes": -1}],
               "lint": {}, "pictures": "none", "beacons": [{"state": "delivered", "more": {}}]}
            ]}
            """
        )
        #expect(run.command.isEmpty && run.speed == 1 && run.ads.count == 1)
        #expect(run.ads[0].events == [["event": "view"]] && run.ads[0].lint == nil && run.ads[0].pictures.isEmpty)
        #expect(run.ads[0].requests[0].duration == 0 && run.ads[0].requests[0].bytes == nil)
        #expect(run.ads[0].beacons[0].state == "delivered")
        #expect(try self.read("{\"version\":1}").ads.isEmpty)
    }

    @Test(
        "an error says what is wrong",
        arguments: [
            ("", "the page contains no run"), ("<p>Hello</p>", "the page contains no run"),
            ("<script id=\"run\">", "it is not JSON: there is nothing to read"),
            ("{\"version\":2}", "it has version 2 of the format, and this command reads version 1"),
            ("{\"ads\":[]}", "it has no \"version\""), ("<script id='run'>[]</script>", "it is no object"),
            ("{\"version\":1,", "it is not JSON: a member's name is missing"),
        ]
    )
    func mistakes(text: String, reason: String) {
        #expect {
            try self.read(text)
        } throws: { error in
            (error as? RunDocumentError)?.description == reason
        }
    }

    @Test("depth, the number of ads and that of elements are limited")
    func limits() throws {
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(throws: RunDocumentError.self) { try self.read("{\"version\":1,\"ads\":\(deep)}") }
        func ads(_ count: Int) -> String {
            "{\"version\":1,\"ads\":[\(Array(repeating: "{}", count: count).joined(separator: ","))]}"
        }
        #expect(try self.read(ads(RunDocument.maxAds)).ads.count == RunDocument.maxAds)
        #expect(throws: RunDocumentError.invalid("it has more than 10000 ads")) {
            try self.read(ads(RunDocument.maxAds + 1))
        }
        let events = Array(repeating: "{}", count: RunDocument.maxElements + 1).joined(separator: ",")
        #expect(throws: RunDocumentError.invalid("\"events\" of an ad has more than 100000 elements")) {
            try self.read("{\"version\":1,\"ads\":[{\"events\":[\(events)]}]}")
        }
        let long = String(repeating: " ", count: RunDocument.textLimit)
        #expect(throws: RunDocumentError.tooLarge(limit: RunDocument.textLimit)) {
            try self.read("{\"version\":1,\(long)\"ads\":[]}")
        }
    }

    @Test("ads that together exceed the JSON parser's limit of values are read one by one")
    func many() throws {
        var ad = RunAd(id: "1fe9989c0c2c879b", provider: "yabbi", name: "a", heading: "A")
        let event: AdJSON = ["event": "blank", "requests": .array(Array(repeating: 0, count: 1_000))]
        ad.events = Array(repeating: event, count: 100)
        let run = RunDocument(
            command: "demo",
            madeAt: "",
            stage: "",
            ads: Array(repeating: ad, count: AdJSON.maximumValues / 100_000)
        )
        #expect(throws: AdJSON.ParseError.self) { try AdJSON(parsing: run.text) }
        #expect(try self.read(run.text) == run)
    }

    @Test("damaged pages are read or refused, and never crash")
    func damaged() {
        let page = Array(ReportScenes.page([Self.ad]).utf8)
        // Only what is read: the style sheet is most of the page.
        let start = page.firstRange(of: Array("<article".utf8))?.lowerBound ?? 0
        let seed = Array(page[start...])
        #expect((try? RunDocument(parsing: seed)) == Self.document([Self.ad]))
        var mutator = Mutator(seed: TestSeed.chosen ?? 7)
        for _ in 0..<LongForm.either(20_000, short: 600) {
            let bytes = mutator.mutated([seed], with: Mutator.html)
            _ = try? RunDocument(parsing: bytes)
        }
    }
}
