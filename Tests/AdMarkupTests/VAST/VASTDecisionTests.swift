import AdCore
import Testing

@testable import AdMarkup

@Suite("Lenient parsing of VAST")
struct VASTDecisionTests {
    private func read(_ inside: String, attributes: String = "", ad: String = "") throws -> (
        VASTLinear, [AdCore.AdIssue]
    ) {
        let text = VASTSamples.linear(inside, attributes: attributes, ad: ad)
        let document = try VASTDocument(parsing: text)
        let linear = try #require(document.ads.first?.creatives.first?.linear)
        return (linear, document.issues)
    }

    @Test(
        "durations are parsed leniently",
        arguments: [
            ("00:00:30", 30_000, nil), ("00:00:30.5", 30_500, nil), ("01:02:03.004", 3_723_004, nil),
            (" 00:00:15 ", 15_000, nil), ("30", 30_000, "odd"), ("30.5", 30_500, "odd"), ("00:30", 30_000, "odd"),
            ("00:00:30,5", 30_500, "odd"), ("00:00:90", 90_000, "odd"), ("", nil, nil), ("undefined", nil, "wrong"),
            ("-1", nil, "wrong"), ("00:00:", nil, "wrong"), ("1:2:3:4", nil, "wrong"), ("1e9", nil, "wrong"),
            ("99999999999999999999", nil, "wrong"), ("00:00:30.5.5", nil, "wrong"), ("::", nil, "wrong"),
        ] as [(String, Int?, String?)]
    )
    func durations(text: String, milliseconds: Int?, issue: String?) throws {
        let (linear, issues) = try self.read("<Duration>\(text)</Duration>")
        #expect(linear.duration == milliseconds.map { .milliseconds($0) })
        #expect(issues.map(\.code) == (issue.map { ["vast.duration.\($0)"] } ?? []))
        #expect(issues.allSatisfy { $0.place == .line(2) })
    }

    @Test(
        "offsets are times or percentages",
        arguments: [
            ("00:00:05", MediaOffset.time(.seconds(5)), nil), ("25%", .percent(25), nil),
            ("12.5%", .percent(12.5), nil),
            ("5", .time(.seconds(5)), "odd"), ("101%", nil, "wrong"), ("-5%", nil, "wrong"), ("half", nil, "wrong"),
            ("%", nil, "wrong"),
        ] as [(String, MediaOffset?, String?)]
    )
    func offsets(text: String, offset: MediaOffset?, issue: String?) throws {
        let (linear, issues) = try self.read("<Duration>00:00:30</Duration>", attributes: "skipoffset='\(text)'")
        #expect(linear.skipOffset == offset)
        #expect(issues.map(\.code) == (issue.map { ["vast.skipoffset.\($0)"] } ?? []))
    }

    @Test("a percentage of an unknown duration is no time")
    func shares() {
        #expect(MediaOffset.percent(25).time(in: .seconds(30)) == .milliseconds(7500))
        #expect(MediaOffset.percent(25).time(in: nil) == nil)
        #expect(MediaOffset.time(.seconds(3)).time(in: nil) == .seconds(3))
    }

    @Test(
        "an invalid number affects only its attribute",
        arguments: [
            ("640", 640, nil), ("640px", 640, "odd"), ("640.0", 640, "odd"), ("wide", nil, "wrong"),
            ("-1", nil, "wrong"),
            ("", nil, nil), ("999999999999999999999", nil, "wrong"),
        ] as [(String, Int?, String?)]
    )
    func numbers(text: String, value: Int?, issue: String?) throws {
        let media =
            "<MediaFiles><MediaFile width='\(text)' height='360'>https://m.example/v.mp4</MediaFile></MediaFiles>"
        let (linear, issues) = try self.read(media)
        #expect(linear.mediaFiles.map(\.width) == [value])
        #expect(linear.mediaFiles.map(\.height) == [360])
        #expect(issues.map(\.code) == (issue.map { ["vast.width.\($0)"] } ?? []))
    }

    @Test("an empty URL is dropped with an issue, an unusual one is kept unchanged")
    func urls() throws {
        let (linear, issues) = try self.read(
            """
            <TrackingEvents><Tracking event="start"> </Tracking><Tracking event="start"><![CDATA[]]></Tracking>
            <Tracking event="start">https://t.example/${X}?a=%%Y%%&amp;b=[Z]|c d</Tracking></TrackingEvents>
            """
        )
        #expect(linear.tracking.map(\.url.text) == ["https://t.example/${X}?a=%%Y%%&b=[Z]|c d"])
        #expect(issues.map(\.code) == ["vast.url.empty", "vast.url.empty"])
    }

    @Test("text is joined from all parts, without surrounding white space")
    func parts() throws {
        let (linear, _) = try self.read(
            "<AdParameters>\n a<![CDATA[ <b> ]]>&amp;c<!-- d -->e \t</AdParameters>"
        )
        #expect(linear.parameters == "a <b> &ce")
    }

    @Test("a progress event without a usable offset is never called")
    func progress() throws {
        let (linear, issues) = try self.read(
            """
            <TrackingEvents><Tracking event="progress">https://t.example/1</Tracking>
            <Tracking event="progress" offset="soon">https://t.example/2</Tracking>
            <Tracking>https://t.example/3</Tracking></TrackingEvents>
            """
        )
        #expect(linear.tracking.isEmpty)
        #expect(issues.map(\.code) == ["vast.offset.missing", "vast.offset.wrong", "vast.event.missing"])
    }

    @Test("an invalid ad does not affect the others")
    func badAd() throws {
        let good = "<Ad id='good'><InLine><Impression>https://i.example/</Impression></InLine></Ad>"
        let document = try VASTDocument(
            parsing: "<VAST version='3.0'>\(good)<Ad id='bad'/><Ad id='worse'><Foo><InLine/></Foo></Ad>\(good)</VAST>"
        )
        #expect(document.ads.map(\.id) == ["good", "good"])
        #expect(document.issues.map(\.code) == ["vast.ad.empty", "vast.element.unknown", "vast.ad.empty"])
    }

    @Test("of <InLine> and <Wrapper> in one ad the first is used")
    func twoKinds() throws {
        let document = try VASTDocument(
            parsing: """
                <VAST version='3.0'><Ad><InLine><Impression>https://i.example/</Impression></InLine>
                <Wrapper><VASTAdTagURI>https://w.example/</VASTAdTagURI><Impression>https://w.example/i</Impression></Wrapper></Ad></VAST>
                """
        )
        #expect(document.ads.first?.wrapper == nil)
        #expect(document.ads.first?.impressions.map(\.url.text) == ["https://i.example/"])
        #expect(document.issues.map(\.code) == ["vast.ad.twoKinds"])
    }

    @Test("<VASTAdTagURL> of old wrappers is accepted")
    func oldWrapper() throws {
        let document = try VASTDocument(
            parsing:
                "<VAST version='2.0'><Ad><Wrapper><VASTAdTagURL><URL>https://w.example/</URL></VASTAdTagURL></Wrapper></Ad></VAST>"
        )
        #expect(document.ads.first?.wrapper?.tagURL?.text == "https://w.example/")
        #expect(document.issues.map(\.code) == ["vast.tagURL.old"])
    }
}
