/// Tags of ad servers before and after trafficking, and creatives that use MRAID.
extension CleanCreative {
    static let tags: [CleanCreative] = [
        CleanCreative(
            "Ad Manager third-party tag before trafficking",
            "<a href=\"%%CLICK_URL_UNESC%%https://tea.example/\" target=\"_blank\">"
                + "<img src=\"https://img.tea.example/a.png?c=%%CACHEBUSTER%%\" width=\"300\" height=\"250\" alt=\"Tea\"></a>"
        ),
        CleanCreative(
            "the same after trafficking",
            "<a href=\"https://adclick.g.example/pcs/click?xai=A&adurl=https://tea.example/\" target=\"_blank\">"
                + "<img src=\"https://img.tea.example/a.png?c=123456\" width=\"300\" height=\"250\" alt=\"Tea\"></a>"
        ),
        CleanCreative(
            "Ad Manager script tag before trafficking",
            "<script src=\"https://ads.tea.example/js?click=%%CLICK_URL_ESC%%&site=%%SITE%%&p=%%PATTERN:url%%&c=%%CACHEBUSTER%%\"></script>"
        ),
        CleanCreative(
            "Ad Manager macros in a script",
            "<div id=\"ad\">Tea</div><script>var click = \"%%CLICK_URL_UNESC%%\", cb = %%CACHEBUSTER%%;\n"
                + "document.getElementById('ad').onclick = function () { window.open(click + 'https://tea.example/'); };</script>"
        ),
        CleanCreative(
            "Campaign Manager ins tag before trafficking",
            """
            <ins class='dcmads' style='display:inline-block;width:300px;height:250px'
                data-dcm-placement='N1.2TEA/B3.4'
                data-dcm-rendering-mode='iframe'
                data-dcm-gdpr-applies='gdpr=${GDPR}'
                data-dcm-gdpr-consent='gdpr_consent=${GDPR_CONSENT_755}'
                data-dcm-addtl-consent='addtl_consent=${ADDTL_CONSENT}'
                data-dcm-click-tracker='%%CLICK_URL_UNESC%%'>
              <script src='https://www.googletagservices.example/dcm/dcmads.js'></script>
            </ins>
            """
        ),
        CleanCreative(
            "the same after trafficking",
            """
            <ins class='dcmads' style='display:inline-block;width:300px;height:250px'
                data-dcm-placement='N1.2TEA/B3.4' data-dcm-gdpr-applies='gdpr=1' data-dcm-click-tracker='https://c.example/x?'>
              <script src='https://www.googletagservices.example/dcm/dcmads.js'></script>
            </ins>
            """
        ),
        CleanCreative(
            "Campaign Manager internal redirect",
            "<iframe src=\"https://ad.dc.example/ddm/adi/N1/B2;sz=300x250;click=%c;ord=%n;pid=%epid!;dc_lat=?\" width=\"300\" height=\"250\"></iframe>"
        ),
        CleanCreative(
            "Campaign Manager standard tag with its timestamp",
            "<a href=\"https://ad.dc.example/ddm/jump/N1/B2;sz=300x250;ord=[timestamp]?\">"
                + "<img src=\"https://ad.dc.example/ddm/ad/N1/B2;sz=300x250;ord=[timestamp]?\" alt=\"Tea\" width=\"300\" height=\"250\"></a>"
        ),
        CleanCreative(
            "Display & Video 360 before trafficking",
            """
            <div id="ad">Tea</div>
            <script>
            var clickTag = "${CLICK_URL}https%3A%2F%2Ftea.example%2F%3Fcb%3D${CACHEBUSTER}";
            document.getElementById('ad').addEventListener('click', function () { window.open(clickTag); });
            </script>
            <img src="https://imp.tea.example/i?p=${AUCTION_PRICE}&cb=${CACHEBUSTER}&s=${SOURCE_URL_ENC}" width="1" height="1" alt="">
            """
        ),
        CleanCreative(
            "Display & Video 360 after trafficking",
            """
            <div id="ad">Tea</div>
            <script>
            var clickTag = "https://bid.g.example/dbm/clk?sa=L&adurl=https%3A%2F%2Ftea.example%2F";
            document.getElementById('ad').addEventListener('click', function () { window.open(clickTag); });
            </script>
            """
        ),
        CleanCreative(
            "OpenRTB macros of an exchange",
            "<a href=\"https://c.dsp.example/c?id=${AUCTION_ID}&p=${AUCTION_PRICE:B64}\"><b>Tea</b></a>"
                + "<img src=\"https://i.dsp.example/i?b=${AUCTION_BID_ID}&c=${AUCTION_CURRENCY}\" width=\"1\" height=\"1\" alt=\"\">"
        ),
        CleanCreative(
            "consent macros",
            "<script src=\"https://tag.vendor.example/t.js?gdpr=${GDPR}&c=${GDPR_CONSENT_52}&us=${US_PRIVACY}&gpp=${GPP_STRING_52}\"></script>"
        ),
        CleanCreative(
            "code that looks like macros",
            "<b onclick=\"window.open(u)\">Tea</b><script>var list = ['A', 'B'], u = 'https://tea.example/?f[name]=' + list[0];\n"
                + "var t = `<p class=\"${u}\">${list.map(x => `${x}`).join('')}</p>`; var d = __DEV__; var s = '[data-id]';</script>"
        ),
    ]

    private static func mraid(_ code: String) -> String {
        """
        <script src="mraid.js"></script>
        <div id="b" style="width:320px;height:50px">Tea</div>
        <script>
        function tap(f) { document.getElementById('b').addEventListener('click', f); }
        function begin() {
        \(code)
        }
        if (mraid.getState() === 'loading') { mraid.addEventListener('ready', begin); } else { begin(); }
        </script>
        """
    }

    static let hosts: [CleanCreative] = [
        CleanCreative("MRAID open", mraid("tap(function () { mraid.open('https://tea.example/'); });")),
        CleanCreative(
            "MRAID 2 expand",
            mraid(
                "mraid.setExpandProperties({width: 320, height: 480});\ntap(function () { mraid.expand(); });\n"
                    + "document.body.ondblclick = function () { mraid.open('https://tea.example/'); };"
            )
        ),
        CleanCreative(
            "MRAID 2 two-part expand",
            mraid("tap(function () { mraid.expand('https://cdn.tea.example/two.html'); mraid.open('tel:+49123'); });")
        ),
        CleanCreative(
            "MRAID 2 resize",
            mraid(
                "mraid.setResizeProperties({width: 320, height: 250, offsetX: 0, offsetY: 0, customClosePosition: 'top-right',"
                    + " allowOffscreen: false});\ntap(function () {\n"
                    + "if (mraid.getState() === 'default') { mraid.resize(); } else { mraid.open('https://tea.example/'); } });"
            )
        ),
        CleanCreative(
            "MRAID orientation",
            mraid(
                "mraid.setOrientationProperties({allowOrientationChange: false, forceOrientation: 'landscape'});\n"
                    + "tap(function () { mraid.open('https://tea.example/'); });"
            )
        ),
        CleanCreative(
            "MRAID 3 exposure",
            mraid(
                "mraid.addEventListener('exposureChange', function (part) { document.body.className = part > 50 ? 'on' : 'off'; });\n"
                    + "mraid.addEventListener('audioVolumeChange', function () {});\ntap(function () { mraid.open('https://tea.example/'); });"
            )
        ),
        CleanCreative(
            "MRAID 3 unload",
            mraid(
                "mraid.addEventListener('error', function () { mraid.unload(); });\n"
                    + "tap(function () { mraid.open('https://tea.example/'); });"
            )
        ),
        CleanCreative(
            "MRAID storePicture after mraid.supports",
            mraid(
                "tap(function () { if (mraid.supports('storePicture')) { mraid.storePicture('https://img.tea.example/p.png'); }\n"
                    + "else { mraid.open('https://tea.example/'); } });"
            )
        ),
        CleanCreative(
            "MRAID video",
            mraid("tap(function () { mraid.playVideo('https://cdn.tea.example/v.mp4'); mraid.open(document.URL); });")
        ),
        CleanCreative(
            "MRAID with a fallback to window.open",
            "<script src=\"mraid.js\"></script><b id=\"b\">Tea</b><script>document.getElementById('b').onclick = function () {\n"
                + "if (window.mraid) { mraid.open('https://tea.example/'); } else { window.open('https://tea.example/'); } };</script>"
        ),
    ]
}
