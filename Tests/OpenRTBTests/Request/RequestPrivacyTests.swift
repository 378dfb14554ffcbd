import AdCore
import Testing

@testable import OpenRTB

@Suite("Privacy in bid requests")
struct RequestPrivacyTests {
    private static let identity = BidRequest.Identity(
        ifa: "IFA",
        userID: "user-1",
        geo: BidRequest.Geo(AdContext.Location(latitude: 1, longitude: 2, precision: 3))
    )

    /// Each combination of known and unknown signals.
    private static var consents: [AdContext.Consent] {
        var consents: [AdContext.Consent] = []
        for gdpr in [nil, true, false] as [Bool?] {
            for tcf in [nil, "", "TCF"] as [String?] {
                for (gpp, sections) in [(nil, []), ("GPP", []), ("GPP", [7]), (nil, [7, 7, 8])] as [(String?, [Int])] {
                    for usPrivacy in [nil, "1---"] as [String?] {
                        for coppa in [nil, true, false] as [Bool?] {
                            consents.append(
                                AdContext.Consent(
                                    gdprApplies: gdpr,
                                    tcf: tcf,
                                    gpp: gpp,
                                    gppSections: sections,
                                    usPrivacy: usPrivacy,
                                    coppa: coppa
                                )
                            )
                        }
                    }
                }
            }
        }
        return consents
    }

    /// The fields for a consent, found independently.
    private static func fields(_ consent: AdContext.Consent, _ readers: BidRequest.Readers) -> [String] {
        func number(_ value: Bool) -> String { value ? "1" : "0" }
        var later: [String] = []
        if let gdpr = consent.gdprApplies { later.append("regs.gdpr=\(number(gdpr))") }
        if let text = consent.usPrivacy { later.append("regs.us_privacy=\"\(text)\"") }
        if let text = consent.gpp { later.append("regs.gpp=\"\(text)\"") }
        later += Set(consent.gppSections).map { "regs.gpp_sid=\($0)" }
        if let text = consent.tcf, text != "" { later.append("user.consent=\"\(text)\"") }
        var fields = later
        if readers == .openRTB25And26 {
            fields += later.map { field in
                let object = field.hasPrefix("regs.") ? "regs" : "user"
                return object + ".ext" + field.dropFirst(object.count)
            }
        }
        if let coppa = consent.coppa { fields.append("regs.coppa=\(number(coppa))") }
        return fields.sorted()
    }

    @Test(
        "each combination of consent signals is passed on unchanged, for servers of 2.5 in ext as well",
        arguments: [BidRequest.Readers.openRTB26, .openRTB25And26]
    )
    func consents(readers: BidRequest.Readers) {
        for consent in Self.consents {
            var request = RequestSamples.bare
            request.consent = consent
            request.readers = readers
            let leaves = RequestFieldTests.leaves(request.json)
            let signals = leaves.filter { $0.hasPrefix("regs") || $0.hasPrefix("user") }
            #expect(signals.sorted() == Self.fields(consent, readers), "\(consent)")
        }
    }

    /// Each choice of the user, with whether an identity is sent.
    private static var choices: [(tracking: BidRequest.Tracking, coppa: Bool?, dnt: Bool?, sendsIdentity: Bool)] {
        var choices: [(BidRequest.Tracking, Bool?, Bool?, Bool)] = []
        for tracking in [.unstated(identity), .unrestricted(identity), .limited] as [BidRequest.Tracking] {
            for coppa in [nil, false, true] as [Bool?] {
                for dnt in [nil, false, true] as [Bool?] {
                    choices.append((tracking, coppa, dnt, tracking != .limited && coppa != true && dnt != true))
                }
            }
        }
        return choices
    }

    @Test("neither identifiers nor the location are sent of a child, or when tracking is limited or not wanted")
    func identity() {
        for choice in Self.choices {
            var request = RequestSamples.bare
            request.tracking = choice.tracking
            request.consent.coppa = choice.coppa
            request.device.doesNotTrack = choice.dnt
            let json = request.json
            #expect((json["device"]?["ifa"] != nil) == choice.sendsIdentity, "\(choice)")
            #expect((json["device"]?["geo"] != nil) == choice.sendsIdentity, "\(choice)")
            #expect((json["user"]?["id"] != nil) == choice.sendsIdentity, "\(choice)")
        }
    }

    /// A context with everything that identifies and locates a user.
    private static var context: AdContext {
        var context = AdContext(
            ifa: "IFA",
            userAgent: "Agent/1",
            location: AdContext.Location(latitude: 1, longitude: 2, precision: 3)
        )
        context.requestID = "r1"
        context.network = .cellular
        context.device.os = "Android"
        context.device.language = "en_US"
        return context
    }

    private func json(in context: AdContext) -> AdJSON {
        BidRequest(impression: RequestSamples.bare.impression, app: .init(), in: context).json
    }

    @Test("a request in a context has its device, identifier and location")
    func inContext() {
        let device = self.json(in: Self.context)["device"]?.text(.sorted)
        #expect(
            device == #"{"connectiontype":3,"geo":{"accuracy":3,"lat":1,"lon":2,"type":1},"ifa":"IFA","#
                + #""language":"en","os":"Android","ua":"Agent/1"}"#
        )
    }

    @Test("of a withheld context and of a child's, the device stays and tracking is limited")
    func withheld() {
        var child = Self.context
        child.consent.coppa = true
        for context in [Self.context.withholding(), child, child.withholding()] {
            let device = self.json(in: context)["device"]?.text(.sorted)
            #expect(
                device == #"{"connectiontype":3,"dnt":1,"language":"en","lmt":1,"os":"Android","ua":"Agent/1"}"#
            )
        }
    }

    @Test("each value that a context has of the device is in the request")
    func device() {
        var context = AdContext()
        context.device.os = "iOS"
        context.device.osVersion = "18.1"
        context.device.make = "Apple"
        context.device.model = "iPhone"
        context.device.hardwareVersion = "17,1"
        context.device.width = 1179
        context.device.height = 2556
        context.device.ppi = 460
        context.device.pixelRatio = 3
        context.device.language = "fil-PH"
        context.device.carrier = "Example Mobile"
        context.network = .wifi
        #expect(
            self.json(in: context)["device"]?.text(.sorted)
                == #"{"carrier":"Example Mobile","connectiontype":2,"h":2556,"hwv":"17,1","langb":"fil-PH","#
                + #""make":"Apple","model":"iPhone","os":"iOS","osv":"18.1","ppi":460,"pxratio":3,"w":1179}"#
        )
        context.network = .offline
        context.device = .init()
        #expect(self.json(in: context)["device"] == nil)
    }

    @Test("a load's terms are in the request when they restrict something")
    func terms() {
        var context = AdContext()
        context.terms = .init(
            timeout: .seconds(8),
            allowsInsecure: false,
            container: Size(width: 640.5, height: 360),
            maximumDuration: .seconds(30),
            maximumBitrate: 1200,
            videoTypes: ["video/webm"],
            playsNonLinear: false
        )
        let video = BidRequest.Video(size: nil, for: context.terms)
        #expect(video.size == WholeSize(width: 640, height: 360))
        #expect(video.durations == .atMost(.seconds(30)))
        #expect(video.maximumBitrate == 1200 && video.mimeTypes == ["video/webm"])
        #expect(video.linearity == .linear)
        #expect(BidRequest.Video(size: Size(width: 1, height: 2), for: context.terms).size?.width == 1)
        var impression = BidRequest.Impression(tagID: nil, media: .video(video))
        impression.apply(context.terms)
        #expect(impression.isSecure == true)
        #expect(BidRequest(impression: impression, app: .init(), in: context).timeout == .seconds(8))

        let free = AdContext.LoadTerms(timeout: .seconds(8))
        let open = BidRequest.Video(size: nil, for: free)
        #expect(open == BidRequest.Video(size: nil, for: nil))
        #expect(open.size == nil && open.durations == nil && open.maximumBitrate == nil && open.linearity == nil)
        var unrestricted = BidRequest.Impression(tagID: nil, media: .video(open))
        unrestricted.apply(free)
        #expect(unrestricted.isSecure == nil)
    }
}
