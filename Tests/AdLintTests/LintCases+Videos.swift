/// Durations, offsets, media files, and wrappers.
extension LintCase {
    private static let interactive =
        "<InteractiveCreativeFile type=\"text/html\" apiFramework=\"SIMID\" variableDuration=\"true\">https://s.example.com/s.html</InteractiveCreativeFile>"
    private static let small =
        "<MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"640\" height=\"360\" bitrate=\"1500\">https://m.example.com/tea.mp4</MediaFile>"
    private static let large =
        "<MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"1280\" height=\"720\" bitrate=\"3000\">https://m.example.com/tea-hd.mp4</MediaFile>"
    private static let both = small + "\n" + large

    private static func file(_ type: String, _ address: String, _ more: String = "") -> String {
        "<MediaFile delivery=\"progressive\" type=\"\(type)\" width=\"640\" height=\"360\" bitrate=\"900\"\(more)>https://m.example.com/\(address)</MediaFile>"
    }

    static let videos: [LintCase] = [
        .vast("duration-missing", "<Duration>00:00:30</Duration>", ""),
        .vast("duration-wrong", "00:00:30<", "half a minute<", not: "00:00:30.500<"),
        .vast("duration-form", "00:00:30<", "30<", not: " 00:00:30 <"),
        .vast("duration-milliseconds", "00:00:30<", "30000<", not: "00:05:00<"),
        .vast("duration-zero", "00:00:30<", "00:00:00<"),
        .vast("duration-long", "00:00:30<", "00:30:00<", not: "00:03:00<"),
        .vast("mediafiles-missing", both, "", not: small),
        .vast("skipoffset-wrong", "skipoffset=\"00:00:05\"", "skipoffset=\"soon\"", not: "skipoffset=\"25%\""),
        .vast("skipoffset-form", "skipoffset=\"00:00:05\"", "skipoffset=\"5\""),
        .vast(
            "skipoffset-milliseconds",
            "skipoffset=\"00:00:05\"",
            "skipoffset=\"5000\"",
            not: "skipoffset=\"00:00:05.000\""
        ),
        .vast("skipoffset-late", "skipoffset=\"00:00:05\"", "skipoffset=\"00:00:30\"", not: "skipoffset=\"00:00:29\""),
        .vast("progress-offset-missing", " offset=\"00:00:10\"", ""),
        .vast("offset-wrong", "offset=\"00:00:10\"", "offset=\"ten\"", not: "offset=\"50%\""),
        .vast("offset-form", "offset=\"00:00:10\"", "offset=\"10\""),
        .vast("offset-late", "offset=\"00:00:10\"", "offset=\"00:01:10\"", not: "offset=\"00:00:30\""),
        .vast("offset-idle", "<Tracking event=\"start\"", "<Tracking event=\"start\" offset=\"00:00:00\""),
        .vast("quartiles-incomplete", "<Tracking event=\"midpoint\">https://t.example.com/50</Tracking>", ""),
        .vast(
            "clickthrough-missing",
            "<ClickThrough>https://shop.example.com/</ClickThrough>\n<ClickTracking><![CDATA[https://t.example.com/click?at=[CLICKPOS]]]></ClickTracking>",
            ""
        ),
        .vast("clicktracking-idle", "<ClickThrough>https://shop.example.com/</ClickThrough>", ""),
        .vast(
            "adparameters-idle",
            "<MediaFiles>",
            "<AdParameters>a=1</AdParameters><MediaFiles>",
            not: "<AdParameters>a=1</AdParameters><MediaFiles>" + interactive
        ),
        .wrapper(
            "wrapper-tag-missing",
            "<VASTAdTagURI><![CDATA[https://next.example.com/vast?a=1&b=2]]></VASTAdTagURI>",
            ""
        ),
        .wrapper(
            "wrapper-tag-old",
            "<VASTAdTagURI><![CDATA[https://next.example.com/vast?a=1&b=2]]></VASTAdTagURI>",
            "<VASTAdTagURL><URL>https://next.example.com/</URL></VASTAdTagURL>"
        ),
        LintCase(
            rule: "wrapper-tag-self",
            bad: LintSamples.wrapper,
            good: LintSamples.wrapper.replacingFirst("?a=1", with: "?a=2"),
            source: "https://next.example.com/vast?a=1&b=2"
        ),
        .wrapper("wrapper-media", "<Linear>", "<Linear><MediaFiles>" + small + "</MediaFiles>"),
        .wrapper("wrapper-element-idle", "<Linear>", "<Linear><AdParameters>a</AdParameters>"),
        .wrapper("wrapper-element-idle", "<AdSystem>", "<AdTitle>Tea</AdTitle><AdSystem>"),
        .wrapper("element-misplaced", "<AdSystem>", "<Tracking/><AdSystem>", not: "<AdTitle>Tea</AdTitle><AdSystem>"),
        .wrapper(
            "wrapper-follow-false",
            "<Wrapper>",
            "<Wrapper followAdditionalWrappers=\"false\">",
            not: "<Wrapper followAdditionalWrappers=\"true\">"
        ),
    ]

    static let files: [LintCase] = [
        .vast("media-unplayable", both, file("video/x-ms-wmv", "tea.wmv"), not: file("video/webm", "tea.webm")),
        .vast("ad-unplayable", "adType=\"video\"", "adType=\"audio\""),
        .vast(
            "media-file-unplayable",
            "bitrate=\"1500\"",
            "bitrate=\"1500\" codec=\"hev1.1.6\"",
            not: "bitrate=\"1500\" codec=\"H.264\""
        ),
        .vast(
            "media-file-unplayable",
            both,
            both + file("video/x-ms-wmv", "tea.wmv"),
            not: both + file("application/x-mpegURL", "tea.m3u8").replacingFirst("progressive", with: "streaming")
        ),
        .vast(
            "media-codec-unclear",
            "bitrate=\"1500\"",
            "bitrate=\"1500\" codec=\"H.264\"",
            not: "bitrate=\"1500\" codec=\"avc1.42E01E, mp4a.40.2\""
        ),
        .vast(
            "media-delivery-whole",
            "delivery=\"progressive\" type=\"video/mp4\" width=\"640\"",
            "delivery=\"streaming\" type=\"video/mp4\" width=\"640\""
        ),
        .vast("media-no-mp4", both, file("video/webm", "tea.webm"), not: file("video/webm", "tea.webm") + small),
        .vast("media-type-missing", " type=\"video/mp4\" width=\"640\"", " width=\"640\""),
        .vast(
            "media-type-wrong",
            "type=\"video/mp4\" width=\"640\"",
            "type=\"mp4\" width=\"640\"",
            not: "type=\"video/mp4; codecs=avc1\" width=\"640\""
        ),
        .vast(
            "media-type-wrong",
            "type=\"video/mp4\" width=\"640\"",
            "type=\";video/mp4\" width=\"640\"",
            not: "type=\"video/mp4;\" width=\"640\""
        ),
        .vast(
            "media-delivery-missing",
            "delivery=\"progressive\" type=\"video/mp4\" width=\"640\"",
            "type=\"video/mp4\" width=\"640\""
        ),
        .vast(
            "media-delivery-wrong",
            "delivery=\"progressive\" type=\"video/mp4\" width=\"640\"",
            "delivery=\"download\" type=\"video/mp4\" width=\"640\""
        ),
        .vast("media-delivery-mismatch", both, file("application/x-mpegURL", "tea.m3u8")),
        .vast("media-size-missing", " height=\"360\"", ""),
        .vast("media-size-zero", "height=\"360\"", "height=\"0\""),
        .vast(
            "media-extension-mismatch",
            "https://m.example.com/tea.mp4",
            "https://m.example.com/tea.webm",
            not: "https://m.example.com/tea?format=webm"
        ),
        .vast("media-flash", both, both + file("video/x-flv", "tea.flv")),
        .vast("media-api-missing", both, both + file("application/javascript", "tea.js")),
        .vast("media-api-unknown", "bitrate=\"1500\"", "bitrate=\"1500\" apiFramework=\"magic\""),
        .vast("media-api-unknown", "<MediaFiles>", "<MediaFiles>" + interactive.replacingFirst("SIMID", with: "magic")),
        .vast(
            "media-api-measures",
            "bitrate=\"1500\"",
            "bitrate=\"1500\" apiFramework=\"OMID\"",
            not: "bitrate=\"1500\" apiFramework=\"MRAID\""
        ),
        .vast("vpaid-used", "<MediaFiles>", "<MediaFiles>" + interactive.replacingFirst("SIMID", with: "VPAID")),
        .vast("media-bitrate-missing", " bitrate=\"1500\"", "", not: " minBitrate=\"1000\" maxBitrate=\"2000\""),
        .vast("media-bitrate-bits", "bitrate=\"1500\"", "bitrate=\"1500000\""),
        .vast(
            "media-bitrate-range",
            "bitrate=\"1500\"",
            "minBitrate=\"2000\" maxBitrate=\"1000\"",
            not: "minBitrate=\"1000\" maxBitrate=\"2000\""
        ),
        .vast("media-bitrate-heavy", both, large.replacingFirst("3000", with: "9000")),
        .vast("media-twice", both, small + small),
        .vast(
            "media-many",
            both,
            (1...101).map { large.replacingFirst("tea-hd", with: "tea-\($0)") }.joined(),
            not: (1...100).map { large.replacingFirst("tea-hd", with: "tea-\($0)") }.joined()
        ),
        .vast("media-data-address", "https://m.example.com/tea.mp4", "data:video/mp4;base64,AAAA"),
        .vast("mezzanine-attributes-missing", "<Mezzanine delivery=\"progressive\"", "<Mezzanine"),
        LintCase(
            rule: "mezzanine-attributes-missing",
            bad: LintSamples.vast.replacingFirst("<Mezzanine delivery=\"progressive\"", with: "<Mezzanine"),
            good: LintSamples.vast.replacingFirst("<Mezzanine delivery=\"progressive\"", with: "<Mezzanine")
                .replacingFirst("version=\"4.2\"", with: "version=\"4.0\"")
        ),
        .vast(
            "interactive-api-missing",
            "<MediaFiles>",
            "<MediaFiles><InteractiveCreativeFile>https://s.example.com/s.html</InteractiveCreativeFile>",
            not: "<MediaFiles>" + interactive
        ),
        .vast(
            "simid-type-wrong",
            "<MediaFiles>",
            "<MediaFiles>" + interactive.replacingFirst("text/html", with: "video/mp4"),
            not: "<MediaFiles>" + interactive
        ),
        .vast(
            "simid-without-media",
            both,
            interactive,
            not: both + interactive
        ),
        .vast(
            "simid-duration-fixed",
            "<MediaFiles>",
            "<MediaFiles>" + interactive.replacingFirst(" variableDuration=\"true\"", with: ""),
            not: "<MediaFiles>" + interactive
        ),
        .vast("caption-type-missing", " type=\"text/vtt\"", ""),
        .vast("caption-language-missing", " language=\"en\"", ""),
        .vast("vpaid-used", both, both + file("application/javascript", "tea.js", " apiFramework=\"VPAID\"")),
        .vast(
            "vpaid-only",
            both,
            file("application/javascript", "tea.js", " apiFramework=\"VPAID\""),
            not: both + file("application/javascript", "tea.js", " apiFramework=\"VPAID\"")
        ),
        .vast("vpaid-type-wrong", "bitrate=\"1500\"", "bitrate=\"1500\" apiFramework=\"VPAID\""),
        .vast("verification-vendor-missing", " vendor=\"example.com-omid\"", ""),
        .vast(
            "verification-empty",
            "<JavaScriptResource apiFramework=\"omid\" browserOptional=\"true\">https://v.example.com/omid.js</JavaScriptResource>",
            ""
        ),
        .vast("verification-api-missing", " apiFramework=\"omid\"", ""),
        .vast(
            "verification-api-unknown",
            "apiFramework=\"omid\"",
            "apiFramework=\"moat\"",
            not: "apiFramework=\"OMID\""
        ),
        .vast("verification-browser-missing", " browserOptional=\"true\"", ""),
        .vast(
            "verification-failure-untracked",
            "<TrackingEvents>\n<Tracking event=\"verificationNotExecuted\"><![CDATA[https://v.example.com/no?why=[REASON]]]></Tracking>\n</TrackingEvents>",
            ""
        ),
        .vast(
            "verification-in-extension",
            "<Whatever at=\"1\"/>",
            "<AdVerifications><Verification vendor=\"v\"><JavaScriptResource apiFramework=\"omid\">https://v.example.com/2.js</JavaScriptResource></Verification></AdVerifications>"
        ),
        .vast(
            "verification-twice",
            "</AdVerifications>",
            "<Verification vendor=\"v\"><JavaScriptResource apiFramework=\"omid\">https://v.example.com/omid.js</JavaScriptResource></Verification></AdVerifications>"
        ),
    ]
}
