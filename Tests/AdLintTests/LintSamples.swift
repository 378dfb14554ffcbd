import AdCore

/// Correct documents; the samples of rules are changed copies of them.
enum LintSamples {
    static let vast = """
        <?xml version="1.0" encoding="UTF-8"?>
        <VAST version="4.2" xmlns="http://www.iab.com/VAST">
        <Ad id="1" adType="video">
        <InLine>
        <AdSystem version="1">Server</AdSystem>
        <Error><![CDATA[https://t.example.com/error?code=[ERRORCODE]]]></Error>
        <Impression id="a"><![CDATA[https://t.example.com/view?r=[CACHEBUSTING]]]></Impression>
        <Pricing model="CPM" currency="USD">25.00</Pricing>
        <AdServingId>a532d16d-4d7f-4440-bd29-2ec0e693fc80</AdServingId>
        <AdTitle>Tea</AdTitle>
        <Category authority="iabtechlab.com">1</Category>
        <Expires>3600</Expires>
        <ViewableImpression><Viewable>https://t.example.com/seen</Viewable></ViewableImpression>
        <AdVerifications>
        <Verification vendor="example.com-omid">
        <JavaScriptResource apiFramework="omid" browserOptional="true">https://v.example.com/omid.js</JavaScriptResource>
        <TrackingEvents>
        <Tracking event="verificationNotExecuted"><![CDATA[https://v.example.com/no?why=[REASON]]]></Tracking>
        </TrackingEvents>
        </Verification>
        </AdVerifications>
        <Extensions><Extension type="own"><Whatever at="1"/></Extension></Extensions>
        <Creatives>
        <Creative id="c1" adId="7">
        <UniversalAdId idRegistry="ad-id.org">8465</UniversalAdId>
        <Linear skipoffset="00:00:05">
        <Duration>00:00:30</Duration>
        <MediaFiles>
        <Mezzanine delivery="progressive" type="video/mp4" width="1920" height="1080">https://m.example.com/tea-raw.mp4</Mezzanine>
        <MediaFile delivery="progressive" type="video/mp4" width="640" height="360" bitrate="1500">https://m.example.com/tea.mp4</MediaFile>
        <MediaFile delivery="progressive" type="video/mp4" width="1280" height="720" bitrate="3000">https://m.example.com/tea-hd.mp4</MediaFile>
        <ClosedCaptionFiles><ClosedCaptionFile type="text/vtt" language="en">https://m.example.com/tea.vtt</ClosedCaptionFile></ClosedCaptionFiles>
        </MediaFiles>
        <VideoClicks>
        <ClickThrough>https://shop.example.com/</ClickThrough>
        <ClickTracking><![CDATA[https://t.example.com/click?at=[CLICKPOS]]]></ClickTracking>
        </VideoClicks>
        <TrackingEvents>
        <Tracking event="start">https://t.example.com/0</Tracking>
        <Tracking event="firstQuartile">https://t.example.com/25</Tracking>
        <Tracking event="midpoint">https://t.example.com/50</Tracking>
        <Tracking event="thirdQuartile">https://t.example.com/75</Tracking>
        <Tracking event="complete">https://t.example.com/100</Tracking>
        <Tracking event="progress" offset="00:00:10">https://t.example.com/10s</Tracking>
        </TrackingEvents>
        <Icons>
        <Icon program="AdChoices" width="20" height="20" xPosition="right" yPosition="top" offset="00:00:01" duration="00:00:10">
        <StaticResource creativeType="image/png">https://i.example.com/choices.png</StaticResource>
        <IconClicks><IconClickThrough>https://i.example.com/why</IconClickThrough></IconClicks>
        </Icon>
        </Icons>
        </Linear>
        </Creative>
        <Creative>
        <CompanionAds required="none">
        <Companion width="300" height="250" renderingMode="end-card">
        <StaticResource creativeType="image/jpeg">https://i.example.com/end.jpg</StaticResource>
        <CompanionClickThrough>https://shop.example.com/end</CompanionClickThrough>
        <TrackingEvents><Tracking event="creativeView">https://t.example.com/end</Tracking></TrackingEvents>
        </Companion>
        <Companion width="320" height="50">
        <HTMLResource><![CDATA[<a href="https://shop.example.com/"><img alt="Tea" src="https://i.example.com/end.png"></a>]]></HTMLResource>
        </Companion>
        </CompanionAds>
        </Creative>
        <Creative>
        <NonLinearAds>
        <NonLinear width="300" height="50" minSuggestedDuration="00:00:15">
        <StaticResource creativeType="image/png">https://i.example.com/over.png</StaticResource>
        <NonLinearClickThrough>https://shop.example.com/over</NonLinearClickThrough>
        </NonLinear>
        </NonLinearAds>
        </Creative>
        </Creatives>
        </InLine>
        </Ad>
        </VAST>
        """

    static let wrapper = """
        <VAST version="3.0"><Ad id="w"><Wrapper>
        <AdSystem>Server</AdSystem>
        <VASTAdTagURI><![CDATA[https://next.example.com/vast?a=1&b=2]]></VASTAdTagURI>
        <Error><![CDATA[https://w.example.com/error?code=[ERRORCODE]]]></Error>
        <Impression>https://w.example.com/view</Impression>
        <Creatives>
        <Creative><Linear><TrackingEvents><Tracking event="start">https://w.example.com/0</Tracking></TrackingEvents></Linear></Creative>
        </Creatives>
        </Wrapper></Ad></VAST>
        """

    static let vmap = """
        <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">
        <vmap:AdBreak timeOffset="start" breakType="linear" breakId="pre">
        <vmap:AdSource id="1"><vmap:AdTagURI templateType="vast4"><![CDATA[https://next.example.com/vast]]></vmap:AdTagURI></vmap:AdSource>
        <vmap:TrackingEvents>
        <vmap:Tracking event="breakStart">https://t.example.com/b</vmap:Tracking>
        <vmap:Tracking event="error"><![CDATA[https://t.example.com/e?code=[ERROR_CODE]]]></vmap:Tracking>
        </vmap:TrackingEvents>
        </vmap:AdBreak>
        <vmap:AdBreak timeOffset="00:10:00" breakType="linear,nonlinear" breakId="mid" repeatAfter="00:10:00">
        <vmap:AdSource id="2"><vmap:VASTAdData>
        <VAST version="3.0"><Error><![CDATA[https://t.example.com/none?code=[ERRORCODE]]]></Error></VAST>
        </vmap:VASTAdData></vmap:AdSource>
        </vmap:AdBreak>
        </vmap:VMAP>
        """

    static let html = """
        <!DOCTYPE html>
        <html lang="en"><head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="ad.size" content="width=320,height=50">
        <title>Tea</title>
        <style>a { color: #123 }</style>
        </head><body>
        <a href="https://shop.example.com/" target="_blank"><img src="https://i.example.com/tea.png" alt="Tea" width="320" height="50"></a>
        <img src="https://t.example.com/view" width="1" height="1" alt="">
        <p>Tea &amp; more</p>
        </body></html>
        """

    static let answer = """
        {
        "type": 1,
        "closeTimeout": 5000,
        "width": 320,
        "height": 50,
        "tracker": {
        "view": "https://t.example.com/view",
        "click": "https://t.example.com/click"
        },
        "adm": "<a href='https://shop.example.com/'><img src='https://i.example.com/tea.png' alt='Tea'></a>"
        }
        """

    /// A text as a JSON string.
    static func json(_ text: String, slash: String = "/") -> String {
        let escaped = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\\n")
            .split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
            .split(separator: "/", omittingEmptySubsequences: false).joined(separator: slash)
        return "\"\(escaped)\""
    }

    /// A fragment with a link and a script.
    static func script(_ code: String) -> String {
        "<a href=\"https://shop.example.com/\"><b>Tea</b></a>\n<script>\n\(code)\n</script>"
    }

    /// A fragment with a link and a script that uses MRAID.
    static func mraid(_ code: String) -> String {
        """
        <script src="mraid.js"></script><a href="https://shop.example.com/"><b>Tea</b></a>
        <script>
        function begin() { document.body.className = mraid.getPlacementType(); }
        if (mraid.getState() === "loading") { mraid.addEventListener("ready", begin); } else { begin(); }
        \(code)
        </script>
        """
    }
}

/// A sample that a rule must find a mistake in, and one in which it must find none.
struct LintCase: Sendable, CustomStringConvertible {
    let rule: String
    let bad: String
    let good: String
    /// The URL of the samples.
    var source: String?
    /// Why the sample could not be changed.
    var problem: String?
    /// The other errors and warnings that this mistake always causes.
    var others: Set<String> = []

    /// The other errors and warnings that a rule's mistake may cause, by rule.
    static let companions: [String: Set<String>] = [
        "xml-encoding-wrong": ["xml-not-well-formed"],
        "element-misspelt": ["adsystem-missing"],
        "element-not-yet": ["event-not-yet"],
        "element-no-more": ["resource-flash"],
        "element-misplaced": ["url-empty"],
        "attribute-not-yet": ["element-not-yet"],
        "ad-id-twice": ["ad-empty"],
        "ad-sequence-twice": ["ad-empty"],
        "ad-sequence-gap": ["ad-empty"],
        "creatives-missing": [
            "adservingid-missing", "impression-missing", "adsystem-missing", "adtitle-missing", "ad-unplayable",
        ],
        // A file with an invalid URL or type can't be played either.
        "media-delivery-mismatch": ["media-unplayable"],
        "media-data-address": ["media-file-unplayable"],
        "url-relative": ["media-file-unplayable"],
        "creative-linear-twice": ["universaladid-missing", "duration-missing", "mediafiles-missing"],
        "nonlinear-none": ["element-twice"],
        "vpaid-used": ["vpaid-type-wrong"],
        "vpaid-type-wrong": ["vpaid-used"],
        "vpaid-only": ["vpaid-used"],
        "macro-unresolved": ["xml-ampersand-raw"],
    ]

    /// The case with other errors and warnings that its mistake causes.
    func also(_ rules: String...) -> LintCase {
        var copy = self
        copy.others = Set(rules)
        return copy
    }

    var description: String { self.rule }

    /// A case of two complete samples.
    static func whole(_ rule: String, _ bad: String, not good: String) -> LintCase {
        LintCase(rule: rule, bad: bad, good: good)
    }

    private static func changed(_ sample: String, _ rule: String, _ part: String, _ bad: String, _ good: String?)
        -> LintCase
    {
        var copy = LintCase(
            rule: rule,
            bad: sample.replacingFirst(part, with: bad),
            good: good.map { sample.replacingFirst(part, with: $0) } ?? sample
        )
        if !sample.contains(part) { copy.problem = "the sample has no \(part)" }
        return copy
    }

    static func vast(_ rule: String, _ part: String, _ bad: String, not good: String? = nil) -> LintCase {
        .changed(LintSamples.vast, rule, part, bad, good)
    }
    static func wrapper(_ rule: String, _ part: String, _ bad: String, not good: String? = nil) -> LintCase {
        .changed(LintSamples.wrapper, rule, part, bad, good)
    }
    static func vmap(_ rule: String, _ part: String, _ bad: String, not good: String? = nil) -> LintCase {
        .changed(LintSamples.vmap, rule, part, bad, good)
    }
    static func html(_ rule: String, _ part: String, _ bad: String, not good: String? = nil) -> LintCase {
        .changed(LintSamples.html, rule, part, bad, good)
    }
    static func answer(_ rule: String, _ part: String, _ bad: String, not good: String? = nil) -> LintCase {
        .changed(LintSamples.answer, rule, part, bad, good)
    }
    static func script(_ rule: String, _ bad: String, not good: String) -> LintCase {
        LintCase(rule: rule, bad: LintSamples.script(bad), good: LintSamples.script(good))
    }
    static func mraid(_ rule: String, _ bad: String, not good: String) -> LintCase {
        LintCase(rule: rule, bad: LintSamples.mraid(bad), good: LintSamples.mraid(good))
    }

    static let all: [LintCase] =
        documents + structure + ads + videos + files + urls + tracking + companionCases + schedules + pages + code
        + responses
        + field
}

extension String {
    /// The text with the first occurrence of a part replaced.
    func replacingFirst(_ part: String, with other: String) -> String {
        guard let place = self.firstRange(of: part) else { return self }
        return String(self[..<place.lowerBound]) + other + String(self[place.upperBound...])
    }
}
