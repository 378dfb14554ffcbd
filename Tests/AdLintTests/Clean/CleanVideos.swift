/// VAST of every version, VMAP, and ad responses with markup.
extension CleanCreative {
    private static let trackers = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"].map {
        "<Tracking event=\"\($0)\"><![CDATA[https://t.tea.example/\($0)?cb=[CACHEBUSTING]]]></Tracking>"
    }.joined()

    private static let file =
        "<MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"1280\" height=\"720\" bitrate=\"2500\">"
        + "<![CDATA[https://m.tea.example/tea.mp4]]></MediaFile>"

    /// An inline ad with the elements that a version requires.
    private static func inline(
        _ version: String,
        creative: String = "",
        linear: String = "",
        file: String = file,
        extra: String = "",
        ad: String = "id=\"1\""
    ) -> String {
        let isFrom40 = version.hasPrefix("4")
        let isFrom41 = isFrom40 && version != "4.0"
        let identifier =
            isFrom40
            ? "<UniversalAdId idRegistry=\"ad-id.org\"\(version == "4.0" ? " idValue=\"T1\"" : "")>T1</UniversalAdId>"
            : ""
        return """
            <VAST version="\(version)"><Ad \(ad)><InLine>
            <AdSystem>Tea</AdSystem><AdTitle>Spring</AdTitle>\(isFrom41 ? "<AdServingId>a532d16d</AdServingId>" : "")
            <Error><![CDATA[https://t.tea.example/e?c=[ERRORCODE]]]></Error>
            <Impression><![CDATA[https://t.tea.example/i?cb=[CACHEBUSTING]]]></Impression>
            <Creatives><Creative\(creative)>\(identifier)<Linear\(linear)><Duration>00:00:15</Duration>
            <TrackingEvents>\(trackers)</TrackingEvents>
            <VideoClicks><ClickThrough><![CDATA[https://tea.example/?utm=video]]></ClickThrough></VideoClicks>
            <MediaFiles>\(file)</MediaFiles></Linear></Creative>\(extra)</Creatives>
            </InLine></Ad></VAST>
            """
    }

    private static func wrapper(_ version: String, _ attributes: String = "") -> String {
        """
        <VAST version="\(version)"><Ad id="w"><Wrapper\(attributes)><AdSystem>Tea</AdSystem>
        <VASTAdTagURI><![CDATA[https://next.tea.example/vast?cb=[CACHEBUSTING]]]></VASTAdTagURI>
        <Error><![CDATA[https://t.tea.example/we?c=[ERRORCODE]]]></Error>
        <Impression><![CDATA[https://t.tea.example/wi]]></Impression>
        <Creatives><Creative><Linear><TrackingEvents>\(trackers)</TrackingEvents></Linear></Creative></Creatives>
        </Wrapper></Ad></VAST>
        """
    }

    private static let companion =
        "<Creative><CompanionAds><Companion width=\"300\" height=\"250\">"
        + "<StaticResource creativeType=\"image/png\"><![CDATA[https://img.tea.example/c.png]]></StaticResource>"
        + "<CompanionClickThrough><![CDATA[https://tea.example/c]]></CompanionClickThrough></Companion></CompanionAds></Creative>"

    static let videos: [CleanCreative] = [
        CleanCreative("VAST 2.0", inline("2.0")),
        CleanCreative("VAST 2.0 with its spelling of AdID", inline("2.0", creative: " AdID=\"7\"")),
        CleanCreative("VAST 2.0 with a companion", inline("2.0", extra: companion)),
        CleanCreative("VAST 2.0 wrapper", wrapper("2.0")),
        CleanCreative("VAST 3.0", inline("3.0")),
        CleanCreative("VAST 3.0 with its spelling of AdID", inline("3.0", creative: " AdID=\"7\"")),
        CleanCreative("VAST 3.0 that can be skipped", inline("3.0", linear: " skipoffset=\"00:00:05\"")),
        CleanCreative("VAST 3.0 that can be skipped by share", inline("3.0", linear: " skipoffset=\"25%\"")),
        CleanCreative("VAST 3.0 with a companion", inline("3.0", extra: companion)),
        CleanCreative("VAST 3.0 wrapper", wrapper("3.0", " followAdditionalWrappers=\"true\"")),
        CleanCreative(
            "VAST 3.0 with Google's macros",
            inline("3.0").replacingFirst(
                "https://t.tea.example/i?cb=[CACHEBUSTING]",
                with:
                    "https://t.tea.example/i?cb=[CACHEBUSTING]&mt=[AD_MT]&v=[VIEWABILITY]&g=[GOOGLE_VIEWABILITY]&u=[UACH]"
            )
        ),
        CleanCreative(
            "VAST 3.0 before trafficking",
            inline("3.0").replacingFirst(
                "https://t.tea.example/i?cb=[CACHEBUSTING]",
                with: "https://t.tea.example/i?p=${AUCTION_PRICE}&g=${GDPR_CONSENT_755}&c=%%CACHEBUSTER%%"
            )
        ),
        CleanCreative("VAST 4.0", inline("4.0")),
        CleanCreative("VAST 4.0 with its spelling of adId", inline("4.0", creative: " adId=\"7\"")),
        CleanCreative("VAST 4.1", inline("4.1")),
        CleanCreative("VAST 4.2", inline("4.2", ad: "id=\"1\" adType=\"video\"")),
        CleanCreative(
            "VAST 4.2 wrapper",
            wrapper("4.2", " followAdditionalWrappers=\"true\" allowMultipleAds=\"true\"")
        ),
        CleanCreative("VAST 4.3", inline("4.3")),
        CleanCreative(
            "VAST 4.3 with several files",
            inline(
                "4.3",
                file: file + file.replacingFirst("tea.mp4", with: "tea-s.mp4").replacingFirst("2500", with: "900")
            )
        ),
        CleanCreative(
            "VAST 4.2 with a verification",
            inline("4.2").replacingFirst(
                "<Creatives>",
                with:
                    "<AdVerifications><Verification vendor=\"tea.example-omid\"><JavaScriptResource apiFramework=\"omid\" browserOptional=\"true\">"
                    + "https://v.tea.example/omid.js</JavaScriptResource><TrackingEvents><Tracking event=\"verificationNotExecuted\">"
                    + "<![CDATA[https://v.tea.example/no?r=[REASON]]]></Tracking></TrackingEvents></Verification></AdVerifications><Creatives>"
            )
        ),
        CleanCreative(
            "VAST without an ad",
            "<VAST version=\"4.2\"><Error><![CDATA[https://t.tea.example/n?c=[ERRORCODE]]]></Error></VAST>"
        ),
        CleanCreative(
            "VAST with CDATA in a companion's markup",
            inline(
                "3.0",
                extra:
                    "<Creative><CompanionAds><Companion width=\"300\" height=\"250\"><HTMLResource><![CDATA[<div><a href=\"https://tea.example/\">"
                    + "<img src=\"https://img.tea.example/c.png\" alt=\"Tea\"></a></div>]]></HTMLResource></Companion></CompanionAds></Creative>"
            )
        ),
        CleanCreative("VMAP with three breaks", vmap),
        CleanCreative(
            "VMAP with an inline VAST document",
            """
            <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">
            <vmap:AdBreak timeOffset="start" breakType="linear" breakId="a"><vmap:AdSource id="1"><vmap:VASTAdData>
            \(inline("3.0"))
            </vmap:VASTAdData></vmap:AdSource></vmap:AdBreak></vmap:VMAP>
            """
        ),
    ]

    private static let vmap: String = {
        let breaks = ["start", "00:05:00", "end"].enumerated().map { index, offset in
            "<vmap:AdBreak timeOffset=\"\(offset)\" breakType=\"linear\" breakId=\"b\(index)\"><vmap:AdSource id=\"\(index)\">"
                + "<vmap:AdTagURI templateType=\"vast3\"><![CDATA[https://next.tea.example/v?b=\(index)]]></vmap:AdTagURI>"
                + "</vmap:AdSource></vmap:AdBreak>"
        }
        return
            "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\">\(breaks.joined(separator: "\n"))</vmap:VMAP>"
    }()

    private static func quoted(_ markup: String) -> String {
        "\""
            + markup.split(separator: "\n").joined(separator: " ").split(
                separator: "\"",
                omittingEmptySubsequences: false
            )
            .joined(separator: "\\\"") + "\""
    }

    private static let banner =
        "<a href=\"https://tea.example/\"><img src=\"https://img.tea.example/a.png\" alt=\"Tea\"></a>"

    static let responses: [CleanCreative] = [
        CleanCreative(
            "OpenRTB banner",
            "{\"id\": \"1\", \"cur\": \"USD\", \"seatbid\": [{\"seat\": \"s\", \"bid\": [{\"id\": \"b\", \"impid\": \"1\", \"price\": 1.2, \"adm\": \(quoted(banner)),"
                + " \"nurl\": \"https://w.dsp.example/w?p=${AUCTION_PRICE}\"}]}]}"
        ),
        CleanCreative(
            "OpenRTB banner with macros that the exchange replaces",
            "{\"id\": \"1\", \"seatbid\": [{\"bid\": [{\"adm\": "
                + quoted(
                    banner
                        + "<img src=\"https://i.dsp.example/i?p=${AUCTION_PRICE}\" width=\"1\" height=\"1\" alt=\"\">"
                ) + "}]}]}"
        ),
        CleanCreative(
            "OpenRTB video",
            "{\"id\": \"1\", \"seatbid\": [{\"bid\": [{\"mtype\": 2, \"adm\": \(quoted(inline("3.0")))}]}]}"
        ),
        CleanCreative("OpenRTB without a bid", "{\"id\": \"1\", \"seatbid\": [], \"nbr\": 2}"),
        CleanCreative(
            "Prebid bids",
            "{\"bids\": [{\"cpm\": 1.2, \"ad\": \(quoted(banner))}, {\"cpm\": 2, \"vastXml\": \(quoted(inline("3.0")))}]}"
        ),
        CleanCreative("Prebid bid", "{\"bidderCode\": \"tea\", \"cpm\": 1.2, \"ad\": \(quoted(banner))}"),
        CleanCreative(
            "YABBI banner",
            "{\"type\": 1, \"closeTimeout\": 5000, \"width\": 320, \"height\": 50, \"tracker\": {\"view\": \"https://t.tea.example/v\","
                + " \"click\": \"https://t.tea.example/c\"}, \"adm\": \(quoted(banner))}"
        ),
        CleanCreative(
            "YABBI video",
            "{\"type\": 2, \"closeTimeout\": 5000, \"width\": 0, \"height\": 0, \"tracker\": {\"view\": \"https://t.tea.example/v\","
                + " \"click\": \"https://t.tea.example/c\"}, \"adm\": \(quoted(inline("3.0")))}"
        ),
    ]
}
