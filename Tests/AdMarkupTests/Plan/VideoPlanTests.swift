import AdCore
import Testing

@testable import AdMarkup

@Suite("The plan of one ad")
struct VideoPlanTests {
    @Test("a plan contains everything of a complete ad")
    func whole() throws {
        var scene = PlanScene()
        scene.policy.container = Size(width: 640, height: 360)
        let outcome = try scene.plan(VASTSamples.whole)
        let plan = try #require(outcome.plan)
        let spot = try #require(plan.creative.spots.first)
        #expect(plan.creative.spots.count == 1 && plan.creative.fallbackCount == 0)
        #expect(plan.lifetime == .seconds(3600))
        #expect(spot.title == "Three teas")
        guard case .media(let files) = spot.content else {
            Testing.Issue.record("no media")
            return
        }
        #expect(files.map(\.url.text) == ["https://m.example/v.mp4?a=1&b=2"])
        #expect(files.first?.size == Size(width: 640, height: 360))
        #expect(files.first?.bitrate == 500)
        #expect(
            spot.captions == [HTTPURL("https://m.example/c.vtt").map { .init($0, type: "text/vtt", language: "en") }]
        )
        #expect(spot.rules.form == .linear)
        #expect(spot.rules.duration == .seconds(30))
        #expect(spot.rules.skipOffset == .time(.milliseconds(5250)))
        #expect(spot.rules.progress == [.time(.milliseconds(2500)), .percent(25)])
        #expect(spot.rules.clickThrough?.text == "https://shop.example/teas")
        #expect(spot.rules.verifications == 1)
        #expect(spot.rules.hasEndCard && spot.endCard == .companion(0))

        let icon = try #require(spot.parts[.icon(0)])
        #expect(icon.content == HTTPURL("https://i.example/i.png").map { .image($0) })
        #expect(icon.size == Size(width: 60, height: 20))
        #expect(icon.x == .start && icon.y == .points(10))
        #expect(icon.program == "AdChoices" && icon.altText == "Choices")
        let iconTerms = try #require(spot.rules.parts.first { $0.id == .icon(0) })
        #expect(iconTerms.time == PartRules.Time(start: .seconds(1), length: .seconds(10)))
        #expect(iconTerms.clickThrough?.text == "https://i.example/why")

        let card = try #require(spot.parts[.companion(0)])
        #expect(card.content == HTTPURL("https://k.example/f.html").map { .page($0) })
        #expect(card.altText == "Tea")
        let cardTerms = try #require(spot.rules.parts.first { $0.id == .companion(0) })
        #expect(cardTerms.time == nil)
        #expect(cardTerms.clickThrough?.text == "https://shop.example/k")

        #expect(outcome.trackers("start") == ["0 https://t.example/start", "0 https://t.example/start2"])
        #expect(outcome.trackers("progress-2.5") == ["0 https://t.example/p1"])
        #expect(outcome.trackers("progress-25%") == ["0 https://t.example/p2"])
        #expect(outcome.trackers("iconView", .icon(0)) == ["0 https://i.example/view"])
        #expect(outcome.trackers("iconClick", .icon(0)) == ["0 https://i.example/click"])
        #expect(outcome.trackers("companionClick", .companion(0)) == ["0 https://t.example/kc"])
        #expect(outcome.trackers("creativeView", .companion(0)) == ["0 https://t.example/kv"])
        #expect(outcome.trackers("creativeView").isEmpty)
        #expect(spot.interactive?.api == .simid && spot.rules.interactive == .besideVideo)
        // An issue reports the file that is left out.
        #expect(outcome.errorCalls.isEmpty)
        #expect(outcome.issues == ["vast.media.901"])
    }

    @Test("macros known to the plan are replaced, those of the call remain")
    func macros() throws {
        var scene = PlanScene()
        scene.values[.appBundle] = .text("com.example")
        let tag = "[APPBUNDLE]/[ASSETURI]/[UNIVERSALADID]/[ERRORCODE]/[TIMESTAMP]/[FOO]/[ADTYPE]/[PODSEQUENCE]"
        let creative = """
            <Creative><UniversalAdId idRegistry="ad-id.org">A B</UniversalAdId><UniversalAdId>C</UniversalAdId>
            <Linear><MediaFiles>\(Text.media)</MediaFiles></Linear></Creative>
            """
        let text = Text.inline(
            "ad",
            nil,
            ad: "adType=\"hybrid\"",
            "<Impression>https://t.example/\(tag)</Impression>",
            creatives: creative
        )
        let url = try scene.plan(Text.document(text)).trackers(.impression).last
        #expect(
            url
                == "0 https://t.example/com.example/https%3A%2F%2Fm.example%2Fv.mp4/ad-id.org%20A%20B,C/[ERRORCODE]/[TIMESTAMP]/[FOO]/hybrid/[PODSEQUENCE]"
        )
    }

    @Test(
        "a video is skippable by its skipoffset, a rewarded one never",
        arguments: [
            ("00:00:05", MediaOffset.time(.seconds(5))), ("25%", .percent(25)), ("soon", nil),
            ("00:01:00", .time(.seconds(60))),
        ] as [(String, MediaOffset?)]
    )
    func skipping(text: String, offset: MediaOffset?) throws {
        let creative = Text.linear(attributes: "skipoffset=\"\(text)\"")
        #expect(try PlanScene.plan(creative).spots.first?.rules.skipOffset == offset)
        #expect(try PlanScene.plan(creative) { $0.isRewarded = true }.spots.first?.rules.skipOffset == nil)
    }

    @Test("of several linear creatives the first playable one is played")
    func severalLinears() throws {
        let flash = Text.linear(media: "<MediaFile type=\"video/x-flv\">https://m.example/v.flv</MediaFile>")
        let outcome = try PlanScene.plan(flash + Text.linear(attributes: "skipoffset=\"5\"") + Text.linear())
        #expect(outcome.spots.count == 1)
        #expect(outcome.spots.first?.rules.skipOffset == .time(.seconds(5)))
        #expect(outcome.errorCalls.isEmpty)
        #expect(outcome.issues.contains("vast.media.403"))
        let none = try PlanScene.plan(flash + Text.linear(media: ""))
        #expect(none.code == 403)
        #expect(none.errorCalls == ["ad 403"])
    }

    @Test("a caption file with an invalid URL is left out")
    func captions() throws {
        let files =
            Text.media + """
                <ClosedCaptionFiles><ClosedCaptionFile language="de">https://m.example/de.vtt</ClosedCaptionFile>
                <ClosedCaptionFile>nowhere</ClosedCaptionFile></ClosedCaptionFiles>
                """
        let outcome = try PlanScene.plan(Text.linear(media: files))
        let captions = try #require(outcome.spots.first?.captions)
        #expect(captions.map(\.language) == ["de"])
        #expect(captions.first?.type == nil)
        #expect(outcome.issues == ["vast.caption.address"])
    }

    @Test("an icon without visible content is left out, and later icons keep their numbers")
    func icons() throws {
        let good = "<IFrameResource>https://i.example/</IFrameResource>"
        let html = "<HTMLResource><![CDATA[<b>Ad</b>]]></HTMLResource>"
        let flash =
            "<StaticResource creativeType=\"application/x-shockwave-flash\">https://i.example/i.swf</StaticResource>"
        let icons =
            "<Icons><Icon program=\"a\"></Icon><Icon xPosition=\"right\" yPosition=\"bottom\">\(flash)\(good)</Icon><Icon>\(html)</Icon></Icons>"
        let outcome = try PlanScene.plan(Text.linear(icons))
        let parts = try #require(outcome.spots.first?.parts)
        #expect(Set(parts.keys) == [.icon(1), .icon(2)])
        #expect(parts[.icon(1)]?.content == HTTPURL("https://i.example/").map { .page($0) })
        #expect(parts[.icon(1)]?.x == .end && parts[.icon(1)]?.y == .end)
        #expect(outcome.spots.first?.rules.parts.map(\.id) == [.icon(1), .icon(2)])
        #expect(outcome.spots.first?.rules.parts.map(\.time) == [PartRules.Time(), PartRules.Time()])
        guard case .html(let creative) = parts[.icon(2)]?.content else {
            Testing.Issue.record("no HTML")
            return
        }
        #expect(creative.markup == "<b>Ad</b>")
        #expect(outcome.issues == ["vast.icon.empty"])
    }

    @Test("an invalid click-through URL is ignored", arguments: ["about:blank", "javascript:alert(1)", "nowhere"])
    func links(text: String) throws {
        let clicks = "<VideoClicks><ClickThrough>\(text)</ClickThrough></VideoClicks>"
        let outcome = try PlanScene.plan(Text.linear(clicks))
        #expect(outcome.spots.count == 1)
        #expect(outcome.spots.first?.rules.clickThrough == nil)
        #expect(outcome.issues == (text == "about:blank" ? [] : ["vast.click.nowhere"]))
    }

    @Test("a click-through URL may have an app's scheme, and its macros are replaced")
    func appLinks() throws {
        let clicks = "<VideoClicks><ClickThrough>market://details?id=[APPBUNDLE]</ClickThrough></VideoClicks>"
        let outcome = try PlanScene.plan(Text.linear(clicks)) { $0.values[.appBundle] = .text("com.example") }
        #expect(outcome.spots.first?.rules.clickThrough?.scheme == "market")
    }

    @Test("a conditional ad, an audio ad and an empty ad are refused")
    func refusals() throws {
        #expect(try PlanScene.plan(Text.linear(), ad: "conditionalAd=\"true\"").code == 408)
        #expect(try PlanScene.plan(Text.linear(), ad: "conditionalAd=\"false\"").code == nil)
        #expect(try PlanScene.plan(Text.linear(), ad: "adType=\"Audio\"").code == 200)
        #expect(try PlanScene.plan("").code == 200)
        #expect(try PlanScene.plan(Text.creative("<CompanionAds/>")).code == 200)
    }

    @Test("blocked categories and durations are refused")
    func wishes() throws {
        let category = "<Category>IAB8</Category><Category> IAB9 </Category>"
        #expect(try PlanScene.plan(Text.linear(), category) { $0.policy.blockedCategories = ["iab9"] }.code == 205)
        #expect(try PlanScene.plan(Text.linear(), category) { $0.policy.blockedCategories = ["IAB7"] }.code == nil)
        #expect(try PlanScene.plan(Text.linear(), category) { $0.policy.requiresCategory = true }.code == nil)
        #expect(try PlanScene.plan(Text.linear()) { $0.policy.requiresCategory = true }.code == 204)
        #expect(try PlanScene.plan(Text.linear()) { $0.policy.maximumDuration = .seconds(10) }.code == nil)
        let long = try PlanScene.plan(Text.linear()) { $0.policy.maximumDuration = .milliseconds(9999) }
        #expect(long.code == 202)
        #expect(long.failure?.message.contains("9.999") == true)
    }

    @Test(
        "a required mezzanine must be complete",
        arguments: [
            ("", 406), ("<Mezzanine type=\"video/mp4\" width=\"1\" height=\"1\">https://m.example/z</Mezzanine>", nil),
            ("<Mezzanine width=\"1\" height=\"1\">https://m.example/z</Mezzanine>", 411),
            ("<Mezzanine type=\"video/mp4\" height=\"1\">https://m.example/z</Mezzanine>", 411),
            ("<Mezzanine type=\"video/mp4\" width=\"x\" height=\"1\">https://m.example/z</Mezzanine>", 411),
            ("<Mezzanine type=\"video/mp4\" width=\"1\" height=\"1\"></Mezzanine>", 406),
        ] as [(String, Int?)]
    )
    func mezzanine(text: String, code: Int?) throws {
        let creative = Text.linear(media: Text.media + text)
        #expect(try PlanScene.plan(creative) { $0.policy.requiresMezzanine = true }.code == code)
        #expect(try PlanScene.plan(creative).code == nil)
    }

    @Test("a mezzanine is never played, also if there is nothing else")
    func mezzanineAlone() throws {
        let mezzanine =
            "<Mezzanine delivery=\"progressive\" type=\"video/mp4\" width=\"640\" height=\"360\">https://m.example/z.mp4</Mezzanine>"
        let alone = try PlanScene.plan(Text.linear(media: mezzanine))
        #expect(alone.spots.isEmpty && alone.code == 401, "\(alone.failure?.message ?? "")")
        let both = try PlanScene.plan(Text.linear(media: mezzanine + Text.media))
        guard case .media(let files)? = both.spots.first?.content else {
            Issue.record("there is no media")
            return
        }
        #expect(!files.contains { $0.url.text.contains("z.mp4") })
    }

    private static func interactiveFile(_ framework: String, _ host: String = "m") -> String {
        "<InteractiveCreativeFile apiFramework=\"\(framework)\" variableDuration=\"true\">"
            + "https://\(host).example/s.html</InteractiveCreativeFile>"
    }

    @Test("an interactive file of an unknown API is left out with 409, and the video is played; alone it is 902")
    func unknownProgram() throws {
        let program = VideoPlanTests.interactiveFile("other")
        let outcome = try PlanScene.plan(Text.linear(media: Text.media + program))
        #expect(outcome.spots.count == 1 && outcome.spots[0].interactive == nil)
        #expect(outcome.errorCalls == ["ad 409"] && outcome.issues == ["vast.interactive.409"])
        let alone = try PlanScene.plan(Text.linear(media: program))
        #expect(alone.code == 902)
    }

    @Test("a SIMID file is planned with its video, or alone; a stage decides whether it is run")
    func simid() throws {
        let program = VideoPlanTests.interactiveFile("SIMID")
        let outcome = try PlanScene.plan(Text.linear(media: Text.media + program))
        let interactive = try #require(outcome.spots.first?.interactive)
        #expect(interactive.api == .simid && interactive.changesDuration)
        #expect(interactive.url.text == "https://m.example/s.html")
        #expect(outcome.spots[0].rules.interactive == .besideVideo && outcome.errorCalls.isEmpty)
        let alone = try PlanScene.plan(Text.linear(media: program))
        #expect(alone.spots.first?.rules.interactive == .alone(vastCode: 902))
        #expect(
            alone.spots.first?.content == (HTTPURL("https://m.example/s.html").map { .overlay(VideoPart(.page($0))) })
        )
    }

    @Test("a VPAID program is planned only if the policy allows it, and then in place of a video")
    func vpaid() throws {
        let program =
            "<MediaFile type=\"application/javascript\" apiFramework=\"VPAID\">https://m.example/p.js</MediaFile>"
        #expect(try PlanScene.plan(Text.linear(media: program)).code == 901)
        let outcome = try PlanScene.plan(Text.linear(media: program + Text.media)) { $0.policy.runsVPAID = true }
        #expect(outcome.spots.first?.interactive?.url.text == "https://m.example/p.js")
        #expect(outcome.spots.first?.rules.interactive == .alone(vastCode: 901) && outcome.issues.isEmpty)
    }

    @Test(
        "<Expires> is in seconds",
        arguments: [("60", 60), ("0", nil), ("soon", nil), ("", nil)]
    )
    func lifetime(text: String, seconds: Int?) throws {
        let outcome = try PlanScene.plan(Text.linear(), "<Expires>\(text)</Expires>")
        #expect(outcome.plan?.lifetime == seconds.map { .seconds($0) })
    }

    @Test("an error of the plan names the ad, its line and its wrapper depth")
    func place() throws {
        let first = Text.document(Text.wrapper("w", to: "https://s.example/1"))
        let ad = "\n\n" + Text.document("\n" + Text.inline("ad", creatives: ""))
        let outcome = try PlanScene(answers: ["https://s.example/1": ad]).plan(first)
        #expect(outcome.failure?.line == 4)
        #expect(outcome.failure?.wrapperDepth == 1)
        let issue = try #require(outcome.planning.issues.last)
        #expect(issue.code == "vast.ad.200")
        #expect(issue.place == .field("wrapper 1, line 4"))
        #expect(issue.message.contains("the ad ad"))
        #expect(outcome.planning.errorCalls.map(\.depth) == [0, 1])
    }
}

@Suite("Overlays")
struct OverlayPlanTests {
    private func overlay(_ inside: String, _ attributes: String = "", beside: String = "") -> String {
        Text.creative("<NonLinearAds>\(beside)<NonLinear \(attributes)>\(inside)</NonLinear></NonLinearAds>")
    }

    private let picture = "<StaticResource creativeType=\"image/png\">https://m.example/o.png</StaticResource>"
    private let flash =
        "<StaticResource creativeType=\"application/x-shockwave-flash\">https://m.example/o.swf</StaticResource>"

    @Test("an overlay is a spot with its own duration")
    func overlay() throws {
        let clicks = "<NonLinearClickThrough>https://shop.example/</NonLinearClickThrough>"
        let outcome = try PlanScene.plan(
            self.overlay(self.picture + clicks, "width=\"300\" height=\"50\" minSuggestedDuration=\"00:00:08\"")
        )
        let spot = try #require(outcome.spots.first)
        guard case .overlay(let part) = spot.content else {
            Testing.Issue.record("no overlay")
            return
        }
        #expect(part.content == HTTPURL("https://m.example/o.png").map { .image($0) })
        #expect(part.size == Size(width: 300, height: 50))
        #expect(spot.rules.form == .overlay(minimum: .seconds(8)))
        #expect(spot.rules.duration == nil && spot.rules.skipOffset == nil)
        #expect(spot.rules.clickThrough?.text == "https://shop.example/")
        #expect(outcome.trackers(.impression) == ["0 https://ad.example/i"])
    }

    @Test("of several overlays the first displayable one is shown")
    func several() throws {
        let text = """
            <NonLinearAds><NonLinear>\(self.flash)</NonLinear><NonLinear id="2"><IFrameResource>https://m.example/2</IFrameResource>
            </NonLinear><NonLinear>\(self.picture)</NonLinear></NonLinearAds>
            """
        let outcome = try PlanScene.plan(Text.creative(text))
        #expect(outcome.spots.first?.content == HTTPURL("https://m.example/2").map { .overlay(VideoPart(.page($0))) })
        #expect(outcome.errorCalls.isEmpty)
    }

    @Test("a linear creative is preferred to an overlay")
    func video() throws {
        let outcome = try PlanScene.plan(self.overlay(self.picture) + Text.linear())
        #expect(outcome.spots.first?.rules.form == .linear)
    }

    @Test("an overlay is refused where a linear ad is required")
    func linearity() throws {
        let text = self.overlay(self.picture)
        #expect(try PlanScene.plan(text) { $0.isRewarded = true }.code == 201)
        #expect(try PlanScene.plan(text) { $0.policy.playsNonLinear = false }.code == 201)
    }

    @Test("an overlay that can't be displayed has a reason and a code")
    func refusals() throws {
        func code(_ inside: String, _ attributes: String = "") throws -> Int? {
            try PlanScene.plan(self.overlay(inside, attributes)) { $0.policy.container = Size(width: 320, height: 180) }
                .code
        }
        #expect(try code("") == 500)
        #expect(try code("<HTMLResource> <![CDATA[<!-- -->]]></HTMLResource>") == 500)
        #expect(try code(self.picture, "width=\"400\" height=\"50\"") == 501)
        #expect(try code(self.picture, "width=\"300\" height=\"200\" scalable=\"false\"") == 501)
        #expect(try code(self.picture, "width=\"400\" height=\"50\" scalable=\"true\"") == nil)
        #expect(try code(self.picture, "width=\"320\" height=\"180\"") == nil)
        #expect(try code("<IFrameResource>nowhere</IFrameResource>") == 502)
        #expect(try code(self.flash) == 503)
        #expect(try code(self.picture, "apiFramework=\"VPAID\"") == 901)
        // Of several reasons the first counts.
        #expect(try code(self.flash + "<IFrameResource>nowhere</IFrameResource>") == 503)
    }
}

@Suite("Companions")
struct CompanionPlanTests {
    private func companion(
        _ name: String,
        _ attributes: String = "width=\"300\" height=\"250\"",
        _ inside: String? = nil
    ) -> String {
        let page = inside ?? "<IFrameResource>https://\(name).example/</IFrameResource>"
        return "<Companion id=\"\(name)\" \(attributes)>\(page)</Companion>"
    }

    private func plan(_ companions: String, required: String? = nil) throws -> PlanScene.Outcome {
        let required = required.map { "required=\"\($0)\"" } ?? ""
        return try PlanScene.plan(
            Text.linear() + Text.creative("<CompanionAds \(required)>\(companions)</CompanionAds>")
        ) {
            $0.policy.container = Size(width: 320, height: 480)
        }
    }

    private func name(_ part: VideoPart?) -> String? {
        if case .page(let url) = part?.content { url.host.split(separator: ".").first.map(String.init) } else { nil }
    }

    @Test("the end card is the companion with renderingMode end-card, or else the one that fits best")
    func endCard() throws {
        let small = self.companion("small", "width=\"100\" height=\"50\"")
        let full = self.companion("full", "width=\"320\" height=\"480\"")
        let wish = self.companion("wish", "width=\"10\" height=\"10\" renderingMode=\"End-Card\"")
        let silent = self.companion("silent", "")
        for (companions, wanted) in [
            (small, "small"), (small + full, "full"), (full + small, "full"), (small + full + wish, "wish"),
            (silent + small, "small"), (silent, "silent"),
        ] {
            let outcome = try self.plan(companions)
            let spot = try #require(outcome.spots.first)
            #expect(spot.parts.count == 1)
            #expect(spot.endCard == .companion(0))
            #expect(spot.rules.hasEndCard)
            #expect(self.name(spot.parts[.companion(0)]) == wanted)
            #expect(spot.rules.parts.map(\.time) == [nil])
        }
    }

    @Test("all concurrent companions are shown with the video, and none is the end card")
    func beside() throws {
        let side = { self.companion($0, "renderingMode=\"concurrent\"") }
        let outcome = try self.plan(side("a") + self.companion("card") + side("b"))
        let spot = try #require(outcome.spots.first)
        #expect((0..<3).map { self.name(spot.parts[.companion($0)]) } == ["a", "b", "card"])
        #expect(spot.rules.parts.map(\.time) == [PartRules.Time(), PartRules.Time(), nil])
        #expect(spot.endCard == .companion(2))
        let none = try #require(self.plan(side("a")).spots.first)
        #expect(none.endCard == nil && !none.rules.hasEndCard)
        // Their number is limited, because each has the wrappers' trackers.
        #expect(try self.plan((0..<100).map { side("c\($0)") }.joined()).spots.first?.parts.count == 20)
    }

    @Test(
        "required companions that can't be displayed refuse the ad",
        arguments: [
            ("", "", 600), ("", "<HTMLResource><![CDATA[<p></p>]]></HTMLResource>", 600),
            ("width=\"4000\" height=\"4000\"", nil, 601), ("width=\"4000\" height=\"50\"", nil, nil),
            ("", "<IFrameResource>nowhere</IFrameResource>", 603),
            (
                "",
                "<StaticResource creativeType=\"application/x-shockwave-flash\">https://m.example/</StaticResource>",
                604
            ),
            ("apiFramework=\"VPAID\"", nil, 604), ("", nil, nil),
        ] as [(String, String?, Int?)]
    )
    func required(attributes: String, inside: String?, code: Int?) throws {
        let companion = self.companion("c", attributes, inside)
        for required in ["all", "any", "ALL"] {
            let outcome = try self.plan(companion, required: required)
            #expect(outcome.code == code)
            #expect(outcome.errorCalls == (code.map { ["ad \($0)"] } ?? []))
        }
        for required in ["none", nil, "some"] {
            let outcome = try self.plan(companion, required: required)
            #expect(outcome.code == nil)
            #expect(outcome.spots.first?.parts.isEmpty == (code != nil))
            if let code { #expect(outcome.issues.contains("vast.companion.\(code)")) }
        }
    }

    @Test("required=all refuses an ad with two end cards, and required=any needs only one")
    func allOrAny() throws {
        let both = self.companion("a") + self.companion("b")
        let outcome = try self.plan(both, required: "all")
        #expect(outcome.code == 602)
        #expect(outcome.failure?.message.contains("only 1 of 2") == true)
        #expect(try self.plan(both, required: "any").code == nil)
        let besides = self.companion("a", "renderingMode=\"concurrent\"") + self.companion("b")
        #expect(try self.plan(besides, required: "all").code == nil)
        let broken = self.companion("a") + self.companion("b", "", "")
        #expect(try self.plan(broken, required: "any").code == nil)
        #expect(try self.plan(broken, required: "all").code == 600)
        #expect(try self.plan("", required: "all").code == nil)
    }

    @Test("each companion list has its own required attribute")
    func lists() throws {
        func list(_ required: String, _ companions: String) -> String {
            Text.creative("<CompanionAds required=\"\(required)\">\(companions)</CompanionAds>")
        }
        let broken = self.companion("broken", "", "")
        let side = self.companion("side", "renderingMode=\"concurrent\"")
        for (lists, code) in [
            (list("none", broken) + list("all", side), nil), (list("none", side) + list("all", broken), 600),
            (list("any", side) + list("any", broken), 600), (list("all", side) + list("any", self.companion("a")), nil),
            (list("any", self.companion("a")) + list("any", self.companion("b")), 602),
        ] as [(String, Int?)] {
            let outcome = try PlanScene.plan(Text.linear() + lists)
            #expect(outcome.code == code)
            if code == nil { #expect(outcome.issues.count == (outcome.spots[0].parts.count == 2 ? 0 : 1)) }
        }
    }
}
