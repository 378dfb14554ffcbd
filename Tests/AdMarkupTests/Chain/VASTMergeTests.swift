import AdCore
import TestSupport
import Testing

@testable import AdMarkup

/// An ad `ad` behind the wrappers `w1` (outermost) and `w2`.
private func behind(_ first: String, _ second: String, _ ad: String) -> (first: String, scene: PlanScene) {
    let several = "allowMultipleAds=\"true\""
    var scene = PlanScene()
    scene.answers = [
        "https://s.example/1": Text.document(Text.wrapper("w2", to: "https://s.example/2", nil, several, second)),
        "https://s.example/2": Text.document(ad),
    ]
    return (Text.document(Text.wrapper("w1", to: "https://s.example/1", nil, several, first)), scene)
}

private func creatives(_ inside: String) -> String { "<Creatives>\(Text.creative(inside))</Creatives>" }

private func linear(_ inside: String) -> String { creatives("<Linear>\(inside)</Linear>") }

private func tracking(_ event: String, _ url: String, _ attributes: String = "") -> String {
    "<TrackingEvents><Tracking event=\"\(event)\" \(attributes)>\(url)</Tracking></TrackingEvents>"
}

@Suite("What an ad and its wrappers say together")
struct VASTMergeTests {
    @Test("impressions and errors of all, the outermost first")
    func impressions() throws {
        let more = "<Impression>https://w1.example/i2</Impression><Impression>about:blank</Impression>"
        let (first, scene) = behind(more, "<Error>ABOUT:BLANK</Error>", Text.document(Text.inline("ad")))
        let outcome = try scene.plan(first)
        #expect(
            outcome.tells(.impression) == [
                "0 https://w1.example/i", "0 https://w1.example/i2", "1 https://w2.example/i", "2 https://ad.example/i",
            ]
        )
        #expect(
            outcome.tells(.error) == [
                "0 https://w1.example/e?c=[ERRORCODE]", "1 https://w2.example/e?c=[ERRORCODE]",
                "2 https://ad.example/e?c=[ERRORCODE]",
            ]
        )
        #expect(outcome.plan?.beacons.contains { $0.url.text.lowercased() == "about:blank" } == false)
    }

    @Test("viewable impressions of all")
    func viewable() throws {
        func viewable(_ host: String) -> String {
            """
            <ViewableImpression><Viewable>https://\(host).example/y</Viewable><NotViewable>https://\(host).example/n</NotViewable>
            <ViewUndetermined>https://\(host).example/u</ViewUndetermined><Viewable>about:blank</Viewable></ViewableImpression>
            """
        }
        let (first, scene) = behind(viewable("w1"), viewable("w2"), Text.inline("ad", nil, viewable("ad")))
        let outcome = try scene.plan(first)
        for (event, path) in [("viewable", "y"), ("notViewable", "n"), ("viewUndetermined", "u")] {
            let wanted = [
                "0 https://w1.example/\(path)", "1 https://w2.example/\(path)", "2 https://ad.example/\(path)",
            ]
            #expect(outcome.tells(BeaconEvent(event)) == wanted)
        }
    }

    @Test("tracking and clicks of the same kind of creative, and of no other")
    func tracking() throws {
        func said(_ host: String) -> String {
            """
            \(AdMarkupTests.tracking("start", "https://\(host).example/s"))
            \(AdMarkupTests.tracking("progress", "https://\(host).example/p", "offset='00:00:0\(host.utf8.count)'"))
            <VideoClicks><ClickTracking>https://\(host).example/ct</ClickTracking><CustomClick>https://\(host).example/cc</CustomClick></VideoClicks>
            """
        }
        let overlay = creatives(
            "<NonLinearAds>\(AdMarkupTests.tracking("start", "https://other.example/"))</NonLinearAds>"
        )
        let ad = Text.inline("adv", creatives: Text.linear(said("adv")))
        let (first, scene) = behind(linear(said("w1")) + overlay, linear(said("w2")), ad)
        let outcome = try scene.plan(first)
        #expect(
            outcome.tells("start") == ["0 https://w1.example/s", "1 https://w2.example/s", "2 https://adv.example/s"]
        )
        #expect(
            outcome.tells("clickTracking") == [
                "0 https://w1.example/ct", "1 https://w2.example/ct", "2 https://adv.example/ct",
            ]
        )
        #expect(
            outcome.tells("customClick") == [
                "0 https://w1.example/cc", "1 https://w2.example/cc", "2 https://adv.example/cc",
            ]
        )
        #expect(outcome.tells("progress-2") == ["0 https://w1.example/p", "1 https://w2.example/p"])
        #expect(outcome.tells("progress-3") == ["2 https://adv.example/p"])
        #expect(outcome.spots.first?.terms.progress == [.time(.seconds(2)), .time(.seconds(3))])
    }

    @Test("a wrapper's tracking is added to every ad of the pod behind it, and to those that stand in")
    func pods() throws {
        let ads = Text.inline("a", 1) + Text.inline("b", 2) + Text.inline("c")
        let (first, scene) = behind(linear(AdMarkupTests.tracking("start", "https://w1.example/s")), "", ads)
        let outcome = try scene.plan(first)
        #expect(outcome.titles == ["a", "b", "c"])
        #expect(outcome.plan?.creative.standIns == 1)
        for (spot, name) in ["a", "b", "c"].enumerated() {
            #expect(outcome.tells("start", spot: spot) == ["0 https://w1.example/s"])
            #expect(
                outcome.tells(.impression, spot: spot) == [
                    "0 https://w1.example/i", "1 https://w2.example/i", "2 https://\(name).example/i",
                ]
            )
        }
    }

    @Test(
        "a click leads where the ad says, else where the nearest wrapper says",
        arguments: [
            ("i", "b", "a", "i"), (nil, "b", "a", "b"), (nil, nil, "a", "a"), (nil, nil, nil, nil),
            ("i", nil, nil, "i"),
        ] as [(String?, String?, String?, String?)]
    )
    func clickThrough(ad: String?, near: String?, far: String?, wanted: String?) throws {
        func link(_ name: String?) -> String {
            name.map { "<VideoClicks><ClickThrough>https://\($0).example/</ClickThrough></VideoClicks>" } ?? ""
        }
        let (first, scene) = behind(
            linear(link(far)),
            linear(link(near)),
            Text.inline("ad", creatives: Text.linear(link(ad)))
        )
        let terms = try #require(scene.plan(first).spots.first?.terms)
        #expect(terms.clickThrough?.text == wanted.map { "https://\($0).example/" })
    }

    @Test("clicks on an overlay tell those whom wrappers name for theirs, and lead where the nearest says")
    func overlays() throws {
        func overlay(_ host: String, _ resource: String = "") -> String {
            """
            <NonLinearAds>\(AdMarkupTests.tracking("creativeView", "https://\(host).example/v"))<NonLinear>\(resource)
            <NonLinearClickTracking>https://\(host).example/c</NonLinearClickTracking></NonLinear></NonLinearAds>
            """
        }
        let picture = "<StaticResource creativeType=\"image/png\">https://m.example/o.png</StaticResource>"
        func linked(_ host: String) -> String {
            let link = "<NonLinearClickThrough>https://\(host).example/</NonLinearClickThrough>"
            return overlay(host).replacing("</NonLinear>", with: link + "</NonLinear>")
        }
        let (first, scene) = behind(
            creatives(linked("w1")) + linear(AdMarkupTests.tracking("creativeView", "https://other.example/")),
            creatives(linked("w2")),
            Text.inline("ad", creatives: Text.creative(overlay("ad", picture)))
        )
        let outcome = try scene.plan(first)
        #expect(
            outcome.tells("clickTracking") == [
                "0 https://w1.example/c", "1 https://w2.example/c", "2 https://ad.example/c",
            ]
        )
        #expect(
            outcome.tells("creativeView") == [
                "0 https://w1.example/v", "1 https://w2.example/v", "2 https://ad.example/v",
            ]
        )
        #expect(outcome.spots.first?.terms.clickThrough?.text == "https://w2.example/")
    }

    @Test("icons are one for each program, the inner one winning in the place of the outer one")
    func icons() throws {
        func icon(_ program: String?, _ host: String) -> String {
            """
            <Icon \(program.map { "program=\"\($0)\"" } ?? "")><IconViewTracking>https://\(host).example/v</IconViewTracking>
            <StaticResource creativeType="image/png">https://\(host).example/i.png</StaticResource></Icon>
            """
        }
        let (first, scene) = behind(
            linear("<Icons>\(icon("AdChoices", "w1"))\(icon("One", "one"))\(icon(nil, "none1"))</Icons>"),
            linear("<Icons>\(icon("AdChoices", "w2"))\(icon(nil, "none2"))</Icons>"),
            Text.inline("ad", creatives: Text.linear("<Icons>\(icon("Own", "own"))\(icon("AdChoices", "ad"))</Icons>"))
        )
        let outcome = try scene.plan(first)
        let parts = try #require(outcome.spots.first?.parts)
        #expect((0..<6).map { parts[.icon($0)]?.program } == ["AdChoices", "One", nil, nil, "Own", nil])
        #expect(parts.count == 5)
        #expect(
            (0..<5).flatMap { outcome.tells("iconView", .icon($0)) } == [
                "2 https://ad.example/v", "0 https://one.example/v", "0 https://none1.example/v",
                "1 https://none2.example/v", "2 https://own.example/v",
            ]
        )
    }

    private func companion(_ host: String, _ resource: Bool = true) -> String {
        let page = resource ? "<IFrameResource>https://\(host).example/page</IFrameResource>" : ""
        return """
            <CompanionAds><Companion width="300" height="250">\(page)
            <CompanionClickTracking>https://\(host).example/c</CompanionClickTracking>
            \(AdMarkupTests.tracking("creativeView", "https://\(host).example/v"))</Companion></CompanionAds>
            """
    }

    private func page(_ outcome: PlanScene.Outcome) -> VideoPart.Content? {
        outcome.spots.first?.parts[.companion(0)]?.content
    }

    @Test("a companion's views and clicks are told to those whom wrappers name for theirs")
    func companions() throws {
        let ad = Text.inline("ad", creatives: Text.linear() + Text.creative(self.companion("ad")))
        let (first, scene) = behind(creatives(self.companion("w1")), creatives(self.companion("w2", false)), ad)
        let outcome = try scene.plan(first)
        #expect(self.page(outcome) == HTTPURL("https://ad.example/page").map { .page($0) })
        #expect(outcome.spots.first?.parts.count == 1)
        #expect(
            outcome.tells("creativeView", .companion(0)) == [
                "0 https://w1.example/v", "1 https://w2.example/v", "2 https://ad.example/v",
            ]
        )
        #expect(
            outcome.tells("companionClick", .companion(0)) == [
                "0 https://w1.example/c", "1 https://w2.example/c", "2 https://ad.example/c",
            ]
        )
    }

    @Test("a wrapper's companions are shown where the ad has none: the nearest that has any")
    func wrapperCompanions() throws {
        let ad = Text.inline("ad")
        let (first, scene) = behind(creatives(self.companion("w1")), creatives(self.companion("w2")), ad)
        let near = try scene.plan(first)
        #expect(self.page(near) == HTTPURL("https://w2.example/page").map { .page($0) })
        #expect(near.tells("creativeView", .companion(0)) == ["0 https://w1.example/v", "1 https://w2.example/v"])
        // One that only says whom to tell of others is none.
        let (second, other) = behind(creatives(self.companion("w1")), creatives(self.companion("w2", false)), ad)
        let far = try other.plan(second)
        #expect(self.page(far) == HTTPURL("https://w1.example/page").map { .page($0) })
        #expect(far.tells("creativeView", .companion(0)) == ["0 https://w1.example/v"])
        #expect(far.issues.isEmpty)
    }

    @Test("verifications of all are counted, and their senders told by their numbers")
    func verifications() throws {
        func verification(_ host: String) -> String {
            """
            <AdVerifications><Verification vendor="\(host)"><JavaScriptResource>https://\(host).example/s.js</JavaScriptResource>
            \(AdMarkupTests.tracking("verificationNotExecuted", "https://\(host).example/n?[REASON]"))
            \(AdMarkupTests.tracking("other", "https://\(host).example/o"))</Verification></AdVerifications>
            """
        }
        let (first, scene) = behind(
            verification("w1"),
            "<Extensions><Extension type=\"AdVerifications\">\(verification("w2"))</Extension></Extensions>",
            Text.inline("ad", nil, verification("ad"))
        )
        let outcome = try scene.plan(first)
        #expect(outcome.spots.first?.terms.verifications == 3)
        for (number, host) in ["w1", "w2", "ad"].enumerated() {
            #expect(
                outcome.tells("verificationNotExecuted", .verification(number)) == [
                    "\(number) https://\(host).example/n?[REASON]"
                ]
            )
        }
        #expect(outcome.plan?.beacons.contains { $0.event == "other" } == false)
    }

    @Test(
        "what any wrapper blocks may not be shown behind it",
        arguments: [
            ("IAB7-39", "IAB7-39", true), ("IAB1, IAB7-39", "iab7-39", true), ("IAB1 IAB7-39", "IAB7-39", true),
            ("IAB1,\n IAB7-39\n", "IAB7-39", true), ("Food and Drink, Toys", "Food and Drink", true),
            ("IAB7", "IAB7-39", false), ("", "IAB7-39", false), ("IAB7-390", "IAB7-39", false),
        ]
    )
    func blocked(list: String, category: String, isBlocked: Bool) throws {
        let block = "<BlockedAdCategories>\(list)</BlockedAdCategories>"
        let ad = Text.inline("ad", nil, "<Category>\(category)</Category>")
        for (outer, inner) in [(block, ""), ("", block)] {
            let (first, scene) = behind(outer, inner, ad)
            let outcome = try scene.plan(first)
            #expect(outcome.code == (isBlocked ? 205 : nil))
            #expect(outcome.told == (isBlocked ? ["w1 205", "w2 205", "ad 205"] : []))
            #expect(outcome.failure?.wrapperDepth == (isBlocked ? 2 : nil))
        }
    }

    @Test("the nearest serving id and the number of the ad stand for their macros")
    func macros() throws {
        let ad = Text.inline(
            "ad",
            3,
            "<AdServingId>inner id</AdServingId><Impression>https://t.example/[ADSERVINGID]/[PODSEQUENCE]/[ADTYPE]</Impression>"
        )
        let (first, scene) = behind("<AdServingId>outer</AdServingId>", "", ad)
        #expect(try scene.plan(first).tells(.impression).last == "2 https://t.example/inner%20id/3/video")
    }

    @Test("thousands of icons and offsets are merged soon")
    func many() throws {
        let icons = (0..<20_000).map {
            "<Icon program=\"p\($0)\"><IFrameResource>https://i.example/</IFrameResource></Icon>"
        }
        let progress = (0..<20_000).map {
            "<Tracking event=\"progress\" offset=\"\($0)\">https://t.example/</Tracking>"
        }
        let text = "<Icons>\(icons.joined())</Icons><TrackingEvents>\(progress.joined())</TrackingEvents>"
        let start = ContinuousClock.now
        let outcome = try PlanScene.plan(Text.linear(text))
        #expect(outcome.spots.first?.parts.count == 20_000)
        #expect(outcome.spots.first?.terms.progress.count == 20_000)
        #expect(ContinuousClock.now - start < .patience(20))
    }
}
