/// The expected outcome of a tap on a creative.
package enum TapExpectation: Hashable, Sendable {
    /// A billable click with this click-through URL.
    case click(String)
    /// The creative handles the tap, without a click; the text is part of the reason.
    case creative(String)
    /// No click-through URL; the text, if there is one, is part of the reason.
    case nothing(String?)
}

/// The outcome of a tap on each creative of `../shared/field/b` and `h`, outside the project; the same on all stages.
///
/// The tap hits the first link of the creative, or its center. No server answers, so nothing that a creative loads from
/// elsewhere is available.
package enum ClickTable {
    package static let rows: [(file: String, outcome: TapExpectation)] = [
        ("b/b01-dsp-macro.html", .nothing("${CLICK_URL}")),
        ("b/b02-clicktag-ok.html", .click("https://www.contoso.example/coffee")),
        // The tag's script can't be loaded, and it creates the whole creative.
        ("b/b03-dcm-ins.html", .nothing(nil)),
        ("b/b04-docwrite.html", .nothing(nil)),
        ("b/b05-mraid-expand.html", .creative("mraid.expand")),
        ("b/b06-mraid-bad.html", .click("https://shop.example/land")),
        ("b/b07-mraid-video.html", .click("https://game.example/")),
        ("b/b08-responsive.html", .click("https://bank.example/card")),
        ("b/b09-animated.html", .click("https://car.example/testdrive")),
        ("b/b10-nasty.html", .click("http://shop.example/")),
        ("b/b11-noclick.html", .nothing(nil)),
        ("b/b12-iframe.html", .nothing(nil)),
        // The handler calls a function of a script that does not parse.
        ("b/b13-unclosed.html", .nothing(nil)),
        (
            "b/b14-adm.html",
            .click("https://click.exchange.example/c?u=https%3A%2F%2Fbrand.example%2F&p=${AUCTION_PRICE:B64}")
        ),
        ("b/b15-celtra.html", .nothing(nil)),
        ("b/b16-unresolved.html", .nothing(nil)),
        ("b/b17-omid.html", .click("https://brand.example/")),
        ("b/b18-mraid-resize.html", .creative("mraid.resize")),
        ("b/b25-deeplinks.html", .click("tel:+15551234567")),
        ("b/m1.html", .creative("mraid.expand")),
        // The library with the exit function can't be loaded.
        ("h/a1.html", .nothing(nil)),
        ("h/a2.html", .nothing(nil)),
        ("h/a3.html", .click("https://brand.example/")),
        ("h/a4.html", .click("https://brand.example/")),
        ("h/a5.html", .click("https://brand.example/")),
        ("h/a6.html", .nothing(nil)),
        ("h/mis.html", .click("https://brand.example/")),
        ("h/n1.html", .click("https://brand.example/a")),
        ("h/n2.html", .click("https://brand.example/")),
        ("h/n3.html", .nothing("https://shop.example/x")),
        ("h/n4.html", .click("https://brand.example/")),
        ("h/n5.html", .nothing(nil)),
        // A touch listener on the body; the macro comes after the host.
        ("h/n6.html", .click("https://land.example/?x={{CLICK_MACRO}}")),
        ("h/n7.html", .nothing(nil)),
        ("h/n8.html", .click("https://brand.example/a")),
        ("h/n9.html", .click("http://shop.example/")),
        ("h/n10.html", .click("https://shop.example/")),
        ("h/n11.html", .nothing(nil)),
        ("h/n12.html", .nothing("${CLICK_URL}")),
        ("h/n13.html", .nothing("${CLICK_URL}")),
        ("h/n14.html", .click("market://details?id=com.x")),
        ("h/n15.html", .click("https://x.example/")),
        ("h/n16.html", .click("http://shop.example/")),
        ("h/n17.html", .click("http://shop.example/")),
        ("h/n18.html", .click("https://shop.example/")),
        ("h/n19.html", .click("https://a.example/")),
        ("h/resz.html", .creative("mraid.resize")),
        ("h/u16.html", .click("https://bank.example/card")),
    ]

    /// Creatives that can't be shown: empty, binary or not HTML.
    package static let notShown: Set<String> = [
        "b/b19-bidresponse.json", "b/b20-prebid.json", "b/b21-empty.html", "b/b22-random.html", "h/omid.html",
    ]
}
