/// XML documents, and the structure of VAST.
extension LintCase {
    static let documents: [LintCase] = [
        .whole("document-empty", " \n", not: LintSamples.html),
        .whole("document-binary", "\u{0}\u{1}\u{2}PNG", not: LintSamples.html),
        .whole(
            "document-too-large",
            "<VAST version=\"4.2\">" + String(repeating: "<a>", count: 200),
            not: LintSamples.vast
        ),
        .whole(
            "root-unknown",
            "<?xml version=\"1.0\"?><Plan/>",
            not: "<VAST version=\"4.2\"><Error>https://t.example.com/[ERRORCODE]</Error></VAST>"
        ),
        .html("encoding-wrong", "<meta charset=\"utf-8\">", "<meta charset=\"klingon\">"),
        .vast("xml-not-well-formed", "<Duration>", "<1/><Duration>"),
        .vast(
            "xml-ampersand-raw",
            "https://shop.example.com/<",
            "https://shop.example.com/?a=1&b=2<",
            not: "https://shop.example.com/?a=1&amp;b=2<"
        ),
        .vast("xml-entity", "<AdTitle>Tea<", "<AdTitle>Tea&nbsp;&hellip;<", not: "<AdTitle>Tea&#160;&lt;<"),
        .vast("xml-declaration-late", "<?xml", "\n<?xml"),
        .whole("xml-text-before-root", "Warning: late <VAST version=\"4.2\"></VAST>", not: LintSamples.vast),
        .whole(
            "xml-text-before-root",
            "<br />\n<b>Notice</b>: Undefined index<br />\n<VAST version=\"4.2\"></VAST>\n",
            not:
                "<a href=\"https://shop.example.com/\">Tea</a><script>var tag = '<VAST version=\"4.2\"></VAST>'</script>"
        ),
        .vast("xml-text-after-root", "</VAST>", "</VAST><VAST/>", not: "</VAST><!-- served by 7 -->"),
        .vast("xml-doctype", "<VAST", "<!DOCTYPE VAST [<!ENTITY a \"b\">]><VAST"),
        .whole("xml-truncated", String(LintSamples.vast.prefix(2000)), not: LintSamples.vast),
        .whole("xml-truncated", "<VAST version=\"4.2\"><Ad id=\"1\"><InL", not: "<VAST version=\"4.2\"></Ad></VAST>"),
        .whole("xml-truncated", LintSamples.vmap.replacingFirst("</vmap:VMAP>", with: ""), not: LintSamples.vmap),
        .vast("xml-tag-mismatch", "</AdTitle>", "</AdTitel>"),
        .vast("xml-attribute-twice", "<Ad id=\"1\"", "<Ad id=\"1\" id=\"1\""),
        .vast(
            "xml-prefix-undeclared",
            "<Ad id",
            "<Ad xsi:type=\"x\" id",
            not: "<Ad xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"x\" id"
        ),
        .vast("xml-encoding-wrong", "encoding=\"UTF-8\"", "encoding=\"klingon\""),
    ]

    static let structure: [LintCase] = [
        .vast("version-one", "version=\"4.2\"", "version=\"1.0\""),
        .vast("version-missing", " version=\"4.2\"", ""),
        .vast("version-unknown", "version=\"4.2\"", "version=\"4.9\"", not: "version=\"4.1\""),
        .vast("element-unknown", "<Expires>", "<Beverage>x</Beverage><Expires>", not: "<!--<Beverage/>--><Expires>"),
        .vast("element-misspelt", "<AdSystem version=\"1\">Server</AdSystem>", "<AdSystm>Server</AdSystm>"),
        .vast("element-case", "<AdTitle>Tea</AdTitle>", "<Adtitle>Tea</Adtitle>"),
        .whole(
            "element-case",
            "<vast version=\"4.2\"><Error>https://t.example.com/[ERRORCODE]</Error></vast>",
            not: "<VAST version=\"4.2\"><Error>https://t.example.com/[ERRORCODE]</Error></VAST>"
        ),
        .whole(
            "element-escaped",
            "<VAST version=\"4.2\">&lt;Ad id=\"1\"&gt;&lt;/Ad&gt;</VAST>",
            not: "<VAST version=\"4.2\">nothing<Error>https://t.example.com/[ERRORCODE]</Error></VAST>"
        ),
        .vast("element-misplaced", "<Expires>", "<Duration>00:00:30</Duration><Expires>"),
        .vast("element-not-yet", "version=\"4.2\"", "version=\"3.0\""),
        .vast(
            "element-no-more",
            "<JavaScriptResource",
            "<FlashResource>https://v.example.com/v</FlashResource><JavaScriptResource"
        ),
        .vast("element-twice", "<Duration>", "<Duration>00:00:30</Duration><Duration>"),
        .vast("element-empty", "<AdTitle>Tea</AdTitle>", "<AdTitle/>", not: "<AdTitle><![CDATA[Tea]]></AdTitle>"),
        .vast("attribute-unknown", "<Duration>", "<Duration flavour=\"mint\">"),
        .vast("attribute-misspelt", "skipoffset", "skipOffset"),
        .vast("attribute-not-yet", "version=\"4.2\"", "version=\"4.0\""),
        .vast(
            "boolean-wrong",
            "<MediaFile delivery",
            "<MediaFile scalable=\"maybe\" delivery",
            not: "<MediaFile scalable=\"true\" delivery"
        ),
        .vast("number-wrong", "width=\"640\"", "width=\"640px\""),
    ]

    static let ads: [LintCase] = [
        .whole(
            "ad-none",
            "<VAST version=\"4.2\"/>",
            not: "<VAST version=\"4.2\"><Error>https://t.example.com/[ERRORCODE]</Error></VAST>"
        ),
        .whole("ad-empty", "<VAST version=\"4.2\"><Ad id=\"1\"></Ad></VAST>", not: LintSamples.vast),
        .vast("ad-two-kinds", "</InLine>", "</InLine><Wrapper/>"),
        .wrapper("ad-id-missing", " id=\"w\"", ""),
        .vast("ad-id-twice", "</Ad>", "</Ad><Ad id=\"1\"/>", not: "</Ad><Ad id=\"2\"/>"),
        .vast("ad-sequence-wrong", "<Ad id=\"1\"", "<Ad id=\"1\" sequence=\"first\""),
        .whole("ad-sequence-twice", pod(1, 1), not: pod(1, 2)),
        .whole("ad-sequence-gap", pod(1, 3), not: pod(2, 1)),
        .vast("ad-sequence-lone", "<Ad id=\"1\"", "<Ad id=\"1\" sequence=\"1\""),
        .wrapper("ad-sequence-lone-wrapper", " id=\"w\"", " id=\"w\" sequence=\"1\""),
        .vast("ad-conditional", "<Ad id=\"1\"", "<Ad id=\"1\" conditionalAd=\"false\""),
        .vast("ad-type-wrong", "adType=\"video\"", "adType=\"film\"", not: "adType=\"hybrid\""),
        .vast("error-beside-ad", "<Ad ", "<Error>https://t.example.com/[ERRORCODE]</Error><Ad "),
        .vast("error-missing", "<Error><![CDATA[https://t.example.com/error?code=[ERRORCODE]]]></Error>", ""),
        .vast("adsystem-missing", "<AdSystem version=\"1\">Server</AdSystem>", ""),
        .vast("adtitle-missing", "<AdTitle>Tea</AdTitle>", ""),
        .vast("adservingid-missing", "<AdServingId>a532d16d-4d7f-4440-bd29-2ec0e693fc80</AdServingId>", ""),
        .vast(
            "impression-missing",
            "<Impression id=\"a\"><![CDATA[https://t.example.com/view?r=[CACHEBUSTING]]]></Impression>",
            ""
        ),
        .wrapper("impression-missing-wrapper", "<Impression>https://w.example.com/view</Impression>", ""),
        .whole(
            "creatives-missing",
            "<VAST version=\"4.2\"><Ad><InLine><Creatives/></InLine></Ad></VAST>",
            not: LintSamples.vast
        ),
        .vast("creative-empty", "<Creative>", "<Creative id=\"9\"></Creative><Creative>"),
        .vast("creative-two-kinds", "</Linear>", "</Linear><CompanionAds/>"),
        .vast("creative-linear-twice", "<Creative>", "<Creative><Linear/></Creative><Creative>"),
        .vast("universaladid-missing", "<UniversalAdId idRegistry=\"ad-id.org\">8465</UniversalAdId>", ""),
        .vast("universaladid-registry-missing", " idRegistry=\"ad-id.org\"", ""),
        .vast("universaladid-empty", "8465", "", not: "<![CDATA[8465]]>"),
        .vast("category-authority-missing", " authority=\"iabtechlab.com\"", ""),
        .vast("pricing-model-wrong", "model=\"CPM\"", "model=\"flat\"", not: "model=\"cpm\""),
        .vast("pricing-currency-wrong", "currency=\"USD\"", "currency=\"$\""),
        .vast("pricing-value-wrong", "25.00", "25 dollars", not: "25"),
        .vast("expires-wrong", "3600", "1h"),
        .vast("survey-old", "<Expires>", "<Survey>https://s.example.com/</Survey><Expires>"),
        .vast("viewable-empty", "<Viewable>https://t.example.com/seen</Viewable>", ""),
    ]

    /// A pod of two ads.
    private static func pod(_ first: Int, _ second: Int) -> String {
        "<VAST version=\"4.2\"><Ad id=\"a\" sequence=\"\(first)\"/><Ad id=\"b\" sequence=\"\(second)\"/></VAST>"
    }
}
