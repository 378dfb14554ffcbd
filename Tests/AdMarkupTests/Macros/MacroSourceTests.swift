import AdCore
import Testing

@testable import AdMarkup

@Suite("Sources of macro values")
struct MacroSourceTests {
    private func values(_ context: AdContext, bundle: String? = "com.example.app") -> MacroValues {
        MacroValues(context, appBundle: bundle, types: ["video/mp4", "video/webm"], transactionID: "t-1")
    }

    private let device = AdContext(
        ifa: "6D92078A-8246-4BA4-AE5B-76104861E7DC",
        userAgent: "Agent/1.0 (x)",
        location: AdContext.Location(latitude: 52.5, longitude: -13.25, precision: 10)
    )

    @Test("values come from the host, and others are unknown")
    func host() {
        let known = self.values(self.device)
        #expect(known[.ifa] == .text("6D92078A-8246-4BA4-AE5B-76104861E7DC"))
        #expect(known[.limitAdTracking] == .text("0"))
        #expect(known[.deviceUA] == .text("Agent/1.0 (x)"))
        #expect(known[.latLong] == .list(["52.5", "-13.25"]))
        #expect(known[.appBundle] == .text("com.example.app"))
        #expect(known[.transactionID] == .text("t-1"))
        #expect(known[.mediaMIME] == .list(["video/mp4", "video/webm"]))
        #expect(known[.serverSide] == .text("0"))

        let bare = MacroValues(AdContext(ifa: "", userAgent: ""), appBundle: "", types: [])
        for macro in [
            VASTMacro.ifa, .deviceUA, .latLong, .appBundle, .transactionID, .regulations, .gdprConsent, .gppString,
            .gppSectionID, .ifaType, .deviceIP, .domain, .pageURL, .contentPlayhead, .mediaPlayhead, .errorCode,
        ] {
            #expect(bare[macro] == nil, "\(macro)")
        }
        #expect(self.values(AdContext())[.limitAdTracking] == nil)
    }

    @Test(
        "an identifier of zeros sets LIMITADTRACKING",
        arguments: [("00000000-0000-0000-0000-000000000000", "1"), ("0000-0001", "0"), ("a", "0"), ("-", "1")]
    )
    func zeros(ifa: String, limited: String) {
        #expect(self.values(AdContext(ifa: ifa))[.limitAdTracking] == .text(limited))
    }

    @Test("a consent string that would make a URL too long is unknown")
    func longConsent() {
        func values(_ count: Int) -> MacroValues {
            let text = String(repeating: "C", count: count)
            return self.values(AdContext(consent: AdContext.Consent(tcf: text, gpp: text)))
        }
        #expect(values(8_192)[.gdprConsent] != nil && values(8_192)[.gppString] != nil)
        #expect(values(8_193)[.gdprConsent] == nil && values(1_048_576)[.gppString] == nil)
    }

    @Test("a withheld value is -2, whether it is known or not")
    func withheld() throws {
        for context in [self.device.withholding(), AdContext().withholding()] {
            let values = self.values(context)
            #expect(values[.ifa] == .withheld)
            #expect(values[.latLong] == .withheld)
            #expect(values[.limitAdTracking] == .text("1"))
            let template = try #require(URLTemplate("https://t.example/?[IFA]&[LATLONG]&[IFATYPE]&[LIMITADTRACKING]"))
            #expect(try values.finished(template).text == "https://t.example/?-2&-2&-1&1")
        }
    }

    @Test("the identifier and the location of a child are withheld")
    func children() {
        var child = self.device
        child.consent.coppa = true
        let values = self.values(child)
        #expect(values[.ifa] == .withheld)
        #expect(values[.latLong] == .withheld)
        #expect(values[.limitAdTracking] == .text("1"))
        #expect(values[.regulations] == .list(["coppa"]))
        child.consent.coppa = false
        #expect(self.values(child)[.ifa] != .withheld)
    }

    @Test(
        "REGULATIONS has those that apply",
        arguments: [
            (nil, nil, nil), (false, false, nil), (true, nil, ["coppa"]), (nil, true, ["gdpr"]),
            (true, true, ["coppa", "gdpr"]), (false, true, ["gdpr"]),
        ] as [(Bool?, Bool?, [String]?)]
    )
    func laws(coppa: Bool?, gdpr: Bool?, wanted: [String]?) {
        let context = AdContext(consent: AdContext.Consent(gdprApplies: gdpr, coppa: coppa))
        #expect(self.values(context)[.regulations] == wanted.map { .list($0) })
    }

    @Test("consent strings are passed on unchanged")
    func consent() throws {
        let consent = AdContext.Consent(tcf: "CO-x_Y", gpp: "DBAA~1YNN", gppSections: [7, 8])
        let template = try #require(URLTemplate("https://t.example/?[GDPRCONSENT]&[GPPSTRING]&[GPPSECTIONID]"))
        let url = try self.values(AdContext(consent: consent)).finished(template)
        #expect(url.text == "https://t.example/?CO-x_Y&DBAA~1YNN&7,8")
    }

    @Test("a call has a time and eight digits", arguments: [0, 1, 89_999_999, 90_000_000, .max] as [UInt64])
    func moment(random: UInt64) {
        let values = MacroValues.moment(at: WallTime(milliseconds: 0), random: random)
        #expect(values[.timestamp] == .text("1970-01-01T00:00:00.000Z"))
        guard case .text(let digits) = values[.cacheBusting] else {
            Testing.Issue.record("no CACHEBUSTING value")
            return
        }
        #expect(digits.utf8.count == 8)
        #expect(digits.utf8.allSatisfy { (0x30...0x39).contains($0) })
    }

    @Test("the values of a tracking event are the ad position, the player state and the code")
    func facts() {
        let failed = MacroValues.trackingEvent(
            TrackingEvent(.error, spot: 0, position: .milliseconds(3_723_004), code: 405, isMuted: true)
        )
        #expect(failed[.adPlayhead] == .text("01:02:03.004"))
        #expect(failed[.playerState] == .list(["muted", "fullscreen"]))
        #expect(failed[.errorCode] == .text("405"))
        #expect(failed[.reason] == nil)
        let unmeasured = MacroValues.trackingEvent(
            TrackingEvent("verificationNotExecuted", spot: 0, part: .verification(0), code: 2)
        )
        #expect(unmeasured[.reason] == .text("2"))
        #expect(unmeasured[.errorCode] == nil)
        #expect(unmeasured[.adPlayhead] == nil)
        #expect(unmeasured[.playerState] == .list(["fullscreen"]))
    }
}
