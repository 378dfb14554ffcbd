import AdCore
import TestSupport
import Testing

@testable import AdMarkup

/// An ad `ad` in the wrappers `w1` (outermost) and `w2`.
private func wrapped(_ first: String, _ second: String, _ ad: String) -> (first: String, scene: PlanScene) {
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

@Suite("Merging an ad with its wrappers")
struct VASTMergeTests {
    @Test("impressions and errors of all layers are called, outermost first")
    func impressions() throws {
        let more = "<Impression>https://w1.example/i2</Impression><Impression>about:blank</Impression>"
        let (first, scene) = wrapped(more, "<Error>ABOUT:BLANK</Error>", Text.document(Text.inline("ad")))
        let outcome = try scene.plan(first)
        #expect(
            outcome.trackers(.impression) == [
                "0 https://w1.example/i", "0 https://w1.example/i2", "1 https://w2.example/i", "2 https://ad.example/i",
            ]
        )
        #expect(
            outcome.trackers(.error) == [
                "0 https://w1.example/e?c=[ERRORCODE]", "1 https://w2.example/e?c=[ERRORCODE]",
                "2 https://ad.example/e?c=[ERRORCODE]",
            ]
        )
        #expect(outcome.plan?.beacons.contains { $0.url.text.lowercased() == "about:blank" } == false)
    }

    @Test("viewability trackers of all layers are called")
    func viewable() throws {
        func viewable(_ host: String) -> String {
            """
            <ViewableImpression><Viewable>https://\(host).example/y</Viewable><NotViewable>https://\(host).example/n</NotViewable>
            <ViewUndetermined>https://\(host).example/u</ViewUndetermined><Viewable>about:blank</Viewable></ViewableImpression>
            """
        }
        let (first, scene) = wrapped(viewable("w1"), viewable("w2"), Text.inline("ad", nil, viewable("ad")))
        let outcome = try scene.plan(first)
        for (event, path) in [("viewable", "y"), ("notViewable", "n"), ("viewUndetermined", "u")] {
            let wanted = [
                "0 https://w1.example/\(path)", "1 https://w2.example/\(path)", "2 https://ad.example/\(path)",
            ]
            #expect(outcome.trackers(BeaconEvent(event)) == wanted)
        }
    }

    @Test("tracking events and clicks of the same kind of creative are merged, and of no other")
    func tracking() throws {
        func elements(_ host: String) -> String {
            """
            \(AdMarkupTests.tracking("start", "https://\(host).example/s"))
            \(AdMarkupTests.tracking("progress", "https://\(host).example/p", "offset='00:00:0\(host.utf8.count)'"))
            <VideoClicks><ClickTracking>https://\(host).example/ct</ClickTracking><CustomClick>https://\(host).example/cc</CustomClick></VideoClicks>
            """
        }
        let overlay = creatives(
            "<NonLinearAds>\(AdMarkupTests.tracking("start", "https://other.example/"))</NonLinearAds>"
        )
        let ad = Text.inline("adv", creatives: Text.linear(elements("adv")))
        let (first, scene) = wrapped(linear(elements("w1")) + overlay, linear(elements("w2")), ad)
        let outcome = try scene.plan(first)
        #expect(
            outcome.trackers("start") == [
                "0 https://w1.example/s", "1 https://w2.example/s", "2 https://adv.example/s",
            ]
        )
        #expect(
            outcome.trackers("clickTracking") == [
                "0 https://w1.example/ct", "1 https://w2.example/ct", "2 https://adv.example/ct",
            ]
        )
        #expect(
            outcome.trackers("customClick") == [
                "0 https://w1.example/cc", "1 https://w2.example/cc", "2 https://adv.example/cc",
            ]
        )
        #expect(outcome.trackers("progress-2") == ["0 https://w1.example/p", "1 https://w2.example/p"])
        #expect(outcome.trackers("progress-3") == ["2 https://adv.example/p"])
        #expect(outcome.spots.first?.rules.progress == [.time(.seconds(2)), .time(.seconds(3))])
    }

    @Test("a wrapper's trackers are added to every ad of its pod, and to fallback ads")
    func pods() throws {
        let ads = Text.inline("a", 1) + Text.inline("b", 2) + Text.inline("c")
        let (first, scene) = wrapped(linear(AdMarkupTests.tracking("start", "https://w1.example/s")), "", ads)
        let outcome = try scene.plan(first)
        #expect(outcome.titles == ["a", "b", "c"])
        #expect(outcome.plan?.creative.fallbackCount == 1)
        for (spot, name) in ["a", "b", "c"].enumerated() {
            #expect(outcome.trackers("start", spot: spot) == ["0 https://w1.example/s"])
            #expect(
                outcome.trackers(.impression, spot: spot) == [
                    "0 https://w1.example/i", "1 https://w2.example/i", "2 https://\(name).example/i",
                ]
            )
        }
    }

    @Test(
        "the click-through URL is the ad's, or else the nearest wrapper's",
        arguments: [
            ("i", "b", "a", "i"), (nil, "b", "a", "b"), (nil, nil, "a", "a"), (nil, nil, nil, nil),
            ("i", nil, nil, "i"),
        ] as [(String?, String?, String?, String?)]
    )
    func clickThrough(ad: String?, near: String?, far: String?, wanted: String?) throws {
        func link(_ name: String?) -> String {
            name.map { "<VideoClicks><ClickThrough>https://\($0).example/</ClickThrough></VideoClicks>" } ?? ""
        }
        let (first, scene) = wrapped(
            linear(link(far)),
            linear(link(near)),
            Text.inline("ad", creatives: Text.linear(link(ad)))
        )
        let rules = try #require(scene.plan(first).spots.first?.rules)
        #expect(rules.clickThrough?.text == wanted.map { "https://\($0).example/" })
    }

    @Test("clicks on an overlay call the wrappers' NonLinearClickTracking, and open the nearest click-through URL")
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
        let (first, scene) = wrapped(
            creatives(linked("w1")) + linear(AdMarkupTests.tracking("creativeView", "https://other.example/")),
            creatives(linked("w2")),
            Text.inline("ad", creatives: Text.creative(overlay("ad", picture)))
        )
        let outcome = try scene.plan(first)
        #expect(
            outcome.trackers("clickTracking") == [
                "0 https://w1.example/c", "1 https://w2.example/c", "2 https://ad.example/c",
            ]
        )
        #expect(
            outcome.trackers("creativeView") == [
                "0 https://w1.example/v", "1 https://w2.example/v", "2 https://ad.example/v",
            ]
        )
        #expect(outcome.spots.first?.rules.clickThrough?.text == "https://w2.example/")
    }

    @Test("there is one icon for each program: the innermost, in the position of the outermost")
    func icons() throws {
        func icon(_ program: String?, _ host: String) -> String {
            """
            <Icon \(program.map { "program=\"\($0)\"" } ?? "")><IconViewTracking>https://\(host).example/v</IconViewTracking>
            <StaticResource creativeType="image/png">https://\(host).example/i.png</StaticResource></Icon>
            """
        }
        let (first, scene) = wrapped(
            linear("<Icons>\(icon("AdChoices", "w1"))\(icon("One", "one"))\(icon(nil, "none1"))</Icons>"),
            linear("<Icons>\(icon("AdChoices", "w2"))\(icon(nil, "none2"))</Icons>"),
            Text.inline("ad", creatives: Text.linear("<Icons>\(icon("Own", "own"))\(icon("AdChoices", "ad"))</Icons>"))
        )
        let outcome = try scene.plan(first)
        let parts = try #require(outcome.spots.first?.parts)
        #expect((0..<6).map { parts[.icon($0)]?.program } == ["AdChoices", "One", nil, nil, "Own", nil])
        #expect(parts.count == 5)
        #expect(
            (0..<5).flatMap { outcome.trackers("iconView", .icon($0)) } == [
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

    @Test("a companion's views and clicks call the trackers of the wrappers' companions")
    func companions() throws {
        let ad = Text.inline("ad", creatives: Text.linear() + Text.creative(self.companion("ad")))
        let (first, scene) = wrapped(creatives(self.companion("w1")), creatives(self.companion("w2", false)), ad)
        let outcome = try scene.plan(first)
        #expect(self.page(outcome) == HTTPURL("https://ad.example/page").map { .page($0) })
        #expect(outcome.spots.first?.parts.count == 1)
        #expect(
            outcome.trackers("creativeView", .companion(0)) == [
                "0 https://w1.example/v", "1 https://w2.example/v", "2 https://ad.example/v",
            ]
        )
        #expect(
            outcome.trackers("companionClick", .companion(0)) == [
                "0 https://w1.example/c", "1 https://w2.example/c", "2 https://ad.example/c",
            ]
        )
    }

    @Test("the nearest wrapper's companions are shown when the ad has none")
    func wrapperCompanions() throws {
        let ad = Text.inline("ad")
        let (first, scene) = wrapped(creatives(self.companion("w1")), creatives(self.companion("w2")), ad)
        let near = try scene.plan(first)
        #expect(self.page(near) == HTTPURL("https://w2.example/page").map { .page($0) })
        #expect(near.trackers("creativeView", .companion(0)) == ["0 https://w1.example/v", "1 https://w2.example/v"])
        // A companion without a resource only has trackers.
        let (second, other) = wrapped(creatives(self.companion("w1")), creatives(self.companion("w2", false)), ad)
        let far = try other.plan(second)
        #expect(self.page(far) == HTTPURL("https://w1.example/page").map { .page($0) })
        #expect(far.trackers("creativeView", .companion(0)) == ["0 https://w1.example/v"])
        #expect(far.issues.isEmpty)
    }

    @Test("verifications of all layers are numbered, and have their own trackers")
    func verifications() throws {
        func verification(_ host: String) -> String {
            """
            <AdVerifications><Verification vendor="\(host)"><JavaScriptResource>https://\(host).example/s.js</JavaScriptResource>
            \(AdMarkupTests.tracking("verificationNotExecuted", "https://\(host).example/n?[REASON]"))
            \(AdMarkupTests.tracking("other", "https://\(host).example/o"))</Verification></AdVerifications>
            """
        }
        let (first, scene) = wrapped(
            verification("w1"),
            "<Extensions><Extension type=\"AdVerifications\">\(verification("w2"))</Extension></Extensions>",
            Text.inline("ad", nil, verification("ad"))
        )
        let outcome = try scene.plan(first)
        #expect(outcome.spots.first?.rules.verifications == 3)
        for (number, host) in ["w1", "w2", "ad"].enumerated() {
            #expect(
                outcome.trackers("verificationNotExecuted", .verification(number)) == [
                    "\(number) https://\(host).example/n?[REASON]"
                ]
            )
        }
        #expect(outcome.plan?.beacons.contains { $0.event == "other" } == false)
    }

    @Test(
        "a category that any wrapper blocks is refused",
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
            let (first, scene) = wrapped(outer, inner, ad)
            let outcome = try scene.plan(first)
            #expect(outcome.code == (isBlocked ? 205 : nil))
            #expect(outcome.errorCalls == (isBlocked ? ["w1 205", "w2 205", "ad 205"] : []))
            #expect(outcome.failure?.wrapperDepth == (isBlocked ? 2 : nil))
        }
    }

    @Test("the nearest AdServingId and the ad's sequence are macro values")
    func macros() throws {
        let ad = Text.inline(
            "ad",
            3,
            "<AdServingId>inner id</AdServingId><Impression>https://t.example/[ADSERVINGID]/[PODSEQUENCE]/[ADTYPE]</Impression>"
        )
        let (first, scene) = wrapped("<AdServingId>outer</AdServingId>", "", ad)
        #expect(try scene.plan(first).trackers(.impression).last == "2 https://t.example/inner%20id/3/video")
    }

    @Test("thousands of icons and offsets are merged fast")
    func many() throws {
        let icons = (0..<20_000).map {
            "<Icon program=\"p\($0)\"><IFrameResource>https://i.example/</IFrameResource></Icon>"
        }
        let progress = (0..<20_000).map {
            "<Tracking event=\"progress\" offset=\"\($0)\">https://t.example/</Tracking>"
        }
        let text = "<Icons>\(icons.joined())</Icons><TrackingEvents>\(progress.joined())</TrackingEvents>"
        let start = ProcessorTime.now
        let outcome = try PlanScene.plan(Text.linear(text))
        #expect(outcome.spots.first?.parts.count == 20_000)
        #expect(outcome.spots.first?.rules.progress.count == 20_000)
        #expect(ProcessorTime.now - start < .timeout(20))
    }
}
