import AdCore

/// URLs, trackers, macros, companions and VMAP.
extension LintCase {
    static let urls: [LintCase] = [
        .vast("url-required-empty", ">https://m.example.com/tea.mp4<", "><"),
        .vast("url-empty", ">https://t.example.com/25<", "><", not: "> https://t.example.com/25 <"),
        .vast("url-relative", "https://m.example.com/tea.mp4", "films/tea.mp4"),
        .vast("url-without-scheme", "https://m.example.com/tea.mp4", "//m.example.com/tea.mp4"),
        .vast("url-scheme-wrong", "https://t.example.com/25", "ftp://t.example.com/25"),
        .vast(
            "url-javascript",
            "<ClickThrough>https://shop.example.com/",
            "<ClickThrough>javascript:buy()",
            not: "<ClickThrough>shop://tea"
        ),
        .vast(
            "url-broken",
            "https://t.example.com/25",
            "https://t.example.com:99999/25",
            not: "https://t.example.com:8443/25"
        ),
        .vast(
            "url-space",
            "https://t.example.com/25",
            "https://t.example.com/25?name=a b",
            not: "https://t.example.com/25?name=a%20b"
        ),
        .vast(
            "url-several",
            "https://t.example.com/25",
            "https://t.example.com/25 https://other.example.com/25",
            not: "https://t.example.com/25?to=https://other.example.com/25"
        ),
        .vast(
            "url-amp-escaped",
            "https://t.example.com/25",
            "<![CDATA[https://t.example.com/25?a=1&amp;b=2]]>",
            not: "https://t.example.com/25?a=1&amp;b=2"
        ),
        .vast(
            "url-credentials",
            "https://t.example.com/25",
            "https://user:pass@t.example.com/25",
            not: "https://t.example.com/25?to=a@b"
        ),
        .vast("url-private-host", "https://t.example.com/25", "https://192.168.0.7/25", not: "https://193.168.0.7/25"),
        .vast("url-long", "https://t.example.com/25", "https://t.example.com/" + String(repeating: "a", count: 9000)),
        .vast("url-non-ascii", "https://t.example.com/25", "https://t.example.com/\u{E9}t\u{E9}"),
        .vast("tracker-insecure", "https://t.example.com/25", "http://t.example.com/25"),
        .vast("media-insecure", "https://m.example.com/tea.mp4", "http://m.example.com/tea.mp4"),
        .vast("script-insecure", "https://v.example.com/omid.js", "http://v.example.com/omid.js"),
        .wrapper("tag-insecure", "https://next", "http://next"),
        .vast("clickthrough-insecure", "<ClickThrough>https:", "<ClickThrough>http:"),
    ]

    private static let start = "<Tracking event=\"start\">https://t.example.com/0</Tracking>"

    static let tracking: [LintCase] = [
        .vast(
            "impression-twice",
            "<Pricing",
            "<Impression><![CDATA[https://t.example.com/view?r=[CACHEBUSTING]]]></Impression><Pricing",
            not: "<Impression>https://other.example.com/view</Impression><Pricing"
        ),
        .vast(
            "impression-also-event",
            "https://t.example.com/25",
            "<![CDATA[https://t.example.com/view?r=[CACHEBUSTING]]]>"
        ),
        .vast(
            "impression-many",
            "<Pricing",
            (1...12).map { "<Impression>https://t.example.com/v\($0)</Impression>" }.joined() + "<Pricing"
        ),
        .vast(
            "tracker-twice",
            start,
            start + start,
            not: start + "<Tracking event=\"start\">https://other.example.com/0</Tracking>"
        ),
        .vast(
            "tracker-many",
            start,
            start + (1...120).map { "<Tracking event=\"pause\">https://t.example.com/p\($0)</Tracking>" }.joined()
        ),
        .vast("event-missing", start, start + "<Tracking>https://t.example.com/x</Tracking>"),
        .vast("event-unknown", start, start + "<Tracking event=\"applause\">https://t.example.com/x</Tracking>"),
        .vast("event-misspelt", "event=\"firstQuartile\"", "event=\"firstquartile\""),
        .wrapper("event-not-yet", "event=\"start\"", "event=\"loaded\"", not: "event=\"skip\""),
        .vast(
            "event-no-more",
            start,
            start + "<Tracking event=\"fullscreen\">https://t.example.com/x</Tracking>",
            not: start + "<Tracking event=\"playerExpand\">https://t.example.com/x</Tracking>"
        ),
        .vast("event-misplaced", "event=\"creativeView\"", "event=\"start\""),
        .vast(
            "event-misplaced",
            start,
            start + "<Tracking event=\"acceptInvitation\">https://t.example.com/x</Tracking>",
            not: start + "<Tracking event=\"closeLinear\">https://t.example.com/x</Tracking>"
        ),
        .wrapper(
            "event-misplaced",
            "event=\"start\"",
            "event=\"verificationNotExecuted\"",
            not: "event=\"close\""
        ),
        .vast(
            "macro-unknown",
            "https://t.example.com/25",
            "https://t.example.com/25?x=[WEATHER]",
            not: "https://t.example.com/25?list[3]=a&u=[DESCRIPTION_URL]"
        ),
        .vast("macro-misspelt", "[CACHEBUSTING]", "[CACHEBUSTER]", not: "[TIMESTAMP]"),
        .vast("macro-misspelt", "[CACHEBUSTING]", "[ CACHEBUSTING ]", not: "[TIMESTAMP]"),
        .vast("macro-unclosed", "?r=[CACHEBUSTING]]]>", "?r=[CACHEBUSTING]]>", not: "?list=[3&r=[CACHEBUSTING]]]>"),
        .vast(
            "macro-form",
            "https://t.example.com/25",
            "https://t.example.com/25?r=%%CACHEBUSTING%%",
            not: "https://t.example.com/25?r=%25CACHEBUSTING%25"
        ),
        .vast("macro-unresolved", "https://t.example.com/25", "https://t.example.com/25?p=${CACHEBUSTING}"),
        .vast("macro-unresolved", "https://t.example.com/25", "https://t.example.com/25?p=%24%7BAUCTION_PRICE%7D"),
        .vast(
            "macro-unresolved",
            "https://t.example.com/25",
            "https://t.example.com/25?p={CACHEBUSTER}",
            not: "https://t.example.com/25?p={8A4F-11}"
        ),
        .vast(
            "macro-unresolved",
            "https://t.example.com/25",
            "https://t.example.com/25?p=__CACHE__&a=1",
            not: "https://t.example.com/a__WIDE__.mp4?b=__small__"
        ),
        .vast(
            "macro-unknown",
            "https://t.example.com/25",
            "https://t.example.com/25?x=%5BWEATHER%5D",
            not: "https://t.example.com/25?list%5BNAME%5D=a&amp;to=https%3A%2F%2Fa.example%2F%3Fb%3D%255BUSER%255D"
        ),
        .vast(
            "macro-escaped",
            "https://t.example.com/25",
            "https://t.example.com/25?to=https%3A%2F%2Fa.example%2F%3Fb%3D%255BCACHEBUSTING%255D"
        ),
        .vast("macro-unresolved", "https://t.example.com/25", "https://t.example.com/25?p=${OUR_PRICE}"),
        .vast("macro-misplaced", "https://t.example.com/25", "https://t.example.com/25?e=[ERRORCODE]"),
        .vast(
            "macro-old",
            "https://t.example.com/25",
            "https://t.example.com/25?h=[CONTENTPLAYHEAD]",
            not: "https://t.example.com/25?h=[ADPLAYHEAD]"
        ),
        .wrapper(
            "macro-not-yet",
            "https://w.example.com/0",
            "https://w.example.com/0?h=[ADPLAYHEAD]",
            not: "https://w.example.com/0?h=[CACHEBUSTING]"
        ),
        .vast("macro-escaped", "https://t.example.com/25", "https://t.example.com/25?r=%5BCACHEBUSTING%5D"),
        .vast("macro-in-media", "https://m.example.com/tea.mp4", "https://m.example.com/tea.mp4?r=[CACHEBUSTING]"),
        .vast("errorcode-missing", "?code=[ERRORCODE]", ""),
    ]

    static let companionCases: [LintCase] = [
        .vast("companion-size-missing", "<Companion width=\"300\" height=\"250\"", "<Companion width=\"300\""),
        .vast(
            "companion-empty",
            "<StaticResource creativeType=\"image/jpeg\">https://i.example.com/end.jpg</StaticResource>",
            ""
        ),
        .vast(
            "companion-clickthrough-missing",
            "<CompanionClickThrough>https://shop.example.com/end</CompanionClickThrough>",
            ""
        ),
        .vast("companion-required-wrong", "required=\"none\"", "required=\"some\"", not: "required=\"any\""),
        .vast(
            "companion-rendering-wrong",
            "renderingMode=\"end-card\"",
            "renderingMode=\"last\"",
            not: "renderingMode=\"concurrent\""
        ),
        .vast("resource-type-missing", " creativeType=\"image/jpeg\"", ""),
        .vast("resource-type-wrong", "creativeType=\"image/jpeg\"", "creativeType=\"jpeg\""),
        .vast("resource-flash", "creativeType=\"image/jpeg\"", "creativeType=\"application/x-shockwave-flash\""),
        .vast("resource-markup-raw", "<HTMLResource><![CDATA[", "<HTMLResource><b>Tea</b><![CDATA["),
        .vast("icon-program-missing", " program=\"AdChoices\"", ""),
        .vast("icon-size-missing", "width=\"20\" height=\"20\" ", ""),
        .vast("icon-position-wrong", "xPosition=\"right\"", "xPosition=\"middle\"", not: "xPosition=\"12\""),
        .vast(
            "icon-empty",
            "<StaticResource creativeType=\"image/png\">https://i.example.com/choices.png</StaticResource>",
            ""
        ),
        .vast("icon-clickthrough-missing", "<IconClickThrough>https://i.example.com/why</IconClickThrough>", ""),
        .vast("nonlinear-none", "<NonLinearAds>", "<NonLinearAds></NonLinearAds><NonLinearAds>"),
        .vast("nonlinear-size-missing", "<NonLinear width=\"300\" height=\"50\"", "<NonLinear width=\"300\""),
        .vast(
            "nonlinear-empty",
            "<StaticResource creativeType=\"image/png\">https://i.example.com/over.png</StaticResource>",
            ""
        ),
        .vast("nonlinear-duration-wrong", "minSuggestedDuration=\"00:00:15\"", "minSuggestedDuration=\"15\""),
        .vast(
            "nonlinear-clickthrough-missing",
            "<NonLinearClickThrough>https://shop.example.com/over</NonLinearClickThrough>",
            ""
        ),
    ]

    static let schedules: [LintCase] = [
        .vmap("vmap-version-missing", " version=\"1.0\"", ""),
        .vmap("vmap-namespace-missing", "http://www.iab.net/videosuite/vmap", "plan"),
        .whole(
            "vmap-empty",
            "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\"/>",
            not: LintSamples.vmap
        ),
        .vmap("vmap-offset-missing", " timeOffset=\"start\"", ""),
        .vmap("vmap-offset-wrong", "timeOffset=\"start\"", "timeOffset=\"soon\"", not: "timeOffset=\"#2\""),
        .vmap("vmap-breaktype-missing", " breakType=\"linear\"", ""),
        .vmap(
            "vmap-breaktype-wrong",
            "breakType=\"linear\"",
            "breakType=\"film\"",
            not: "breakType=\"linear, display\""
        ),
        .vmap("vmap-breakid-twice", "breakId=\"mid\"", "breakId=\"pre\""),
        .vmap(
            "vmap-source-missing",
            "</vmap:VMAP>",
            "<vmap:AdBreak timeOffset=\"end\" breakType=\"linear\"/></vmap:VMAP>"
        ),
        .vmap(
            "vmap-source-empty",
            "</vmap:VMAP>",
            "<vmap:AdBreak timeOffset=\"end\" breakType=\"linear\"><vmap:AdSource/></vmap:AdBreak></vmap:VMAP>"
        ),
        .vmap(
            "vmap-source-several",
            "</vmap:AdSource>",
            "<vmap:CustomAdData templateType=\"proprietary\">x</vmap:CustomAdData></vmap:AdSource>"
        ),
        .vmap("vmap-template-missing", " templateType=\"vast4\"", ""),
        .vmap("vmap-template-wrong", "templateType=\"vast4\"", "templateType=\"xml\"", not: "templateType=\"vast3\""),
        .vmap("vmap-event-wrong", "event=\"breakStart\"", "event=\"begin\"", not: "event=\"breakEnd\""),
        .vmap("vmap-repeat-wrong", "repeatAfter=\"00:10:00\"", "repeatAfter=\"often\""),
        .whole(
            "vmap-element-old",
            LintSamples.vmap.split(separator: "VASTAdData").joined(separator: "VASTData"),
            not: LintSamples.vmap
        ),
    ]
}
