import AdCore
import Testing

@testable import AdMarkup

@Suite("VAST documents")
struct VASTDocumentTests {
    private func texts(_ urls: [URLTemplate]) -> [String] { urls.map(\.text) }

    @Test("every element of an inline ad is parsed without repairs")
    func ad() throws {
        let document = try VASTDocument(parsing: VASTSamples.whole)
        #expect(document.version == "4.2")
        #expect(self.texts(document.errorURLs) == ["https://e.example/none?c=[ERRORCODE]"])
        #expect(document.issues.isEmpty, "\(document.issues)")
        let ad = try #require(document.ads.first)
        #expect(ad.id == "a-1" && ad.sequence == 1 && ad.adType == "video" && ad.isConditional == false)
        #expect(ad.line == 4)
        #expect(ad.system == VASTSystem(name: "Example Server", version: "2.1"))
        #expect(ad.servingID == "s-77")
        #expect(ad.impressions.map(\.id) == ["i-1", nil])
        #expect(
            self.texts(ad.impressions.map(\.url)) == ["https://t.example/i?ts=[TIMESTAMP]&x=1", "https://t.example/i2"]
        )
        #expect(ad.pricing == VASTPricing(value: 25.5, model: "cpm", currency: "EUR"))
        #expect(self.texts(ad.errors) == ["https://e.example/ad?c=[ERRORCODE]"])
        let inline = try #require(ad.inline)
        #expect(inline.title == "Three teas" && inline.description == "Tea for long evenings" && inline.expires == 3600)
        #expect(inline.advertiser == VASTNamed(name: "Tea House", id: "adv-9"))
        #expect(inline.categories == [VASTCategory(value: "IAB8-1", authority: "https://c.example/list")])
        #expect(inline.surveys.map(\.type) == ["text/javascript"])
        let viewable = try #require(ad.viewable.first)
        #expect(viewable.id == "v-1")
        #expect(self.texts(viewable.viewable + viewable.notViewable + viewable.undetermined).count == 3)
        #expect(ad.creatives.map(\.id) == ["c-1", "c-2", "c-3"])
    }

    @Test("verifications have resources, parameters and trackers")
    func verifications() throws {
        let ad = try #require(try VASTDocument(parsing: VASTSamples.whole).ads.first)
        let one = try #require(ad.verifications.first)
        #expect(one.vendor == "company.example-omid" && !one.isInExtension)
        #expect(one.resources.map(\.apiFramework) == ["omid", "x"])
        #expect(one.resources.map(\.isExecutable) == [false, true])
        #expect(one.parameters == #"{"a": "<b>"}"#)
        #expect(one.tracking.map(\.event) == ["verificationNotExecuted"])
    }

    @Test("extensions are kept unchanged, and verifications in them are found")
    func extensions() throws {
        let ad = try #require(try VASTDocument(parsing: VASTSamples.whole).ads.first)
        let node = try #require(ad.extensions.first)
        #expect(node.name == "Extension")
        #expect(node.attributes.map(\.name) == ["type", "fallback"])
        let level = try #require(node.children.first)
        #expect(level.text == "firstlast" && level.children.map(\.text) == ["bold"])
        let old = VASTSamples.linear("<Duration>00:00:10</Duration>").replacing(
            "<Creatives>",
            with: """
                <Extensions><Extension type="AdVerifications"><AdVerifications><Verification vendor="v">
                <JavaScriptResource>https://v.example/v.js</JavaScriptResource></Verification></AdVerifications>
                </Extension></Extensions><Creatives>
                """
        )
        let measured = try #require(try VASTDocument(parsing: old).ads.first)
        #expect(measured.verifications.map(\.vendor) == ["v"])
        #expect(measured.verifications.first?.isInExtension == true)
        #expect(measured.verifications.first?.resources.map(\.url.text) == ["https://v.example/v.js"])
        #expect(measured.extensions.count == 1)
        #expect(measured.creatives.first?.linear?.duration == .seconds(10))
    }

    @Test("a linear creative has its times, files, clicks, events and icons")
    func linear() throws {
        let creative = try #require(try VASTDocument(parsing: VASTSamples.whole).ads.first?.creatives.first)
        #expect(creative.adID == "ad-1" && creative.apiFramework == "SIMID" && creative.sequence == 1)
        #expect(creative.universalAdIDs.map(\.value) == ["CNPA0484000H", "77"])
        #expect(creative.extensions.map(\.text) == ["kept"])
        let linear = try #require(creative.linear)
        #expect(linear.duration == .seconds(30))
        #expect(linear.skipOffset == .time(.milliseconds(5250)))
        #expect(linear.parameters == "a=1&b=2")
        #expect(linear.mezzanines.map(\.codec) == ["h264"])
        #expect(linear.interactiveFiles.map(\.hasVariableDuration) == [true])
        #expect(linear.captions.map(\.language) == ["en"])
        let media = try #require(linear.mediaFiles.first)
        #expect(media.url.text == "https://m.example/v.mp4?a=1&b=2")
        #expect(media.width == 640 && media.height == 360 && media.bitrate == 500 && media.minBitrate == 400)
        #expect(media.maxBitrate == 600 && media.fileSize == 123_456 && media.mediaType == "2D")
        #expect(media.isScalable == true && media.keepsAspectRatio == false && media.codec == "avc1.42E01E")
        #expect(linear.mediaFiles.map(\.isVPAID) == [false, true])
        #expect(linear.clickThrough?.text == "https://shop.example/teas")
        #expect(linear.clickTracking.count == 1 && linear.customClickTracking.count == 1)
        #expect(linear.tracking.map(\.event) == ["start", "start", "progress", "progress"])
        #expect(linear.tracking.map(\.offset) == [nil, nil, .time(.milliseconds(2500)), .percent(25)])
        let icon = try #require(linear.icons.first)
        #expect(icon.program == "AdChoices" && icon.x == .start && icon.y == .points(10) && icon.pixelRatio == 2)
        #expect(icon.offset == .seconds(1) && icon.duration == .seconds(10))
        #expect(icon.fallbackImages.map(\.text) == ["https://i.example/f.png"])
        #expect(icon.resources.count == 1 && icon.views.count == 1 && icon.clicks.tracking.count == 1)
    }

    @Test("overlays and companions have their sizes, resources and clicks")
    func beside() throws {
        let creatives = try #require(try VASTDocument(parsing: VASTSamples.whole).ads.first?.creatives)
        let overlay = try #require(creatives[1].nonLinear?.items.first)
        #expect(overlay.id == "n-1" && overlay.width == 300 && overlay.expandedHeight == 100)
        #expect(overlay.minimum == .seconds(8) && overlay.resources.count == 2 && overlay.parameters == "q=1")
        #expect(overlay.clicks.through?.text == "https://shop.example/nl")
        #expect(creatives[1].nonLinear?.tracking.map(\.event) == ["creativeView"])
        #expect(creatives[2].companions?.required == .any)
        let companion = try #require(creatives[2].companions?.items.first)
        #expect(companion.assetWidth == 250 && companion.adSlotID == "side" && companion.pixelRatio == 1.5)
        #expect(companion.renderingMode == "end-card" && companion.altText == "Tea")
        #expect(companion.clicks.tracking.map(\.text) == ["https://t.example/kc"])
        #expect(companion.tracking.map(\.event) == ["creativeView"])
    }

    @Test("a wrapper has its URL and attributes")
    func wrapper() throws {
        let ad = try #require(try VASTDocument(parsing: VASTSamples.wrapper).ads.first)
        let wrapper = try #require(ad.wrapper)
        #expect(wrapper.tagURL?.text == "https://next.example/?a=1&b=[CACHEBUSTING]")
        #expect(wrapper.followsAdditionalWrappers == false && wrapper.allowsMultipleAds == true)
        #expect(wrapper.fallsBackOnNoAd == true)
        #expect(wrapper.blockedCategories.map(\.value) == ["IAB7"])
        #expect(ad.inline == nil)
        #expect(ad.creatives.first?.linear?.tracking.map(\.event) == ["complete"])
    }

    @Test("a document without an ad has error URLs")
    func empty() throws {
        let document = try VASTDocument(parsing: "<VAST version='3.0'><Error>https://e.example/</Error></VAST>")
        #expect(document.ads.isEmpty && document.errorURLs.count == 1)
        #expect(try VASTDocument(parsing: "<VAST version='4.0'/>").ads.isEmpty)
    }

    @Test("names are matched without prefixes, and with the wrong case, with an issue")
    func names() throws {
        let prefixed = """
            <vast:VAST xmlns:vast="http://www.iab.net/vast" version="3.0"><vast:Ad id="1"><vast:InLine>
            <vast:Impression>https://i.example/</vast:Impression></vast:InLine></vast:Ad></vast:VAST>
            """
        #expect(try VASTDocument(parsing: prefixed).ads.first?.impressions.count == 1)
        let shouted =
            "<Vast version='3.0'><AD id='1'><Inline><IMPRESSION>https://i.example/</IMPRESSION></Inline></AD></Vast>"
        let document = try VASTDocument(parsing: shouted)
        #expect(document.ads.first?.impressions.count == 1)
        #expect(document.issues.filter { $0.code == "vast.element.case" }.count == 4)
    }
}
