import AdCore
import AdProviders
import OpenRTB
import Testing

@Suite("YABBI requests")
struct YabbiRequestTests {
    @Test("the request has exactly the protocol's seven fields, null or empty for unknown values")
    func bare() throws {
        let request = try Responses.yabbi.request(for: .banner(unit: "unit-1"), in: AdContext())
        #expect(request.method == .post)
        #expect(request.url == Responses.endpoint)
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.headers["user-agent"] == nil)
        #expect(
            String(decoding: request.body ?? [], as: UTF8.self)
                == #"{"appName":"Пример","bundle":"com.example.app","geo":null,"ifa":"","pubID":"pub-1","#
                + #""unitID":"unit-1","userAgent":""}"#
        )
    }

    @Test("known context values are sent")
    func known() throws {
        let context = AdContext(
            ifa: "IFA/1",
            userAgent: "Agent/1",
            location: AdContext.Location(latitude: 42.5, longitude: -23, precision: 100)
        )
        let request = try Responses.yabbi.request(for: .interstitial(unit: "unit-1"), in: context)
        let body = try AdJSON(parsing: request.body ?? [])
        #expect(body["ifa"]?.string == "IFA/1")
        #expect(String(decoding: request.body ?? [], as: UTF8.self).contains("IFA/1"), "slashes are not escaped")
        #expect(body["geo"]?.text(.sorted) == #"{"latitude":42.5,"longitude":-23,"precision":100}"#)
        #expect(request.headers["user-agent"] == "Agent/1")
    }

    @Test("a full request matches the protocol byte for byte")
    func full() throws {
        let app = YabbiApp(
            publisherID: "6f2c1e0a-0d3b-4c55-9a51-2a3f3c1d7e10",
            bundle: "com.example.garden",
            name: "Garden"
        )
        let provider = YabbiProvider(endpoint: Responses.endpoint, app: app)
        let context = AdContext(
            ifa: "0b7d3a54-88aa-4f0e-b0a5-7d1f5f8e6c21",
            userAgent: "Mozilla/5.0 (Phone)",
            location: AdContext.Location(latitude: 55.7558, longitude: 37.6173, precision: 12.5)
        )
        let placement: YabbiPlacement = .banner(unit: "d1a7c9f2-5b1e-4f6d-8a0b-9e8d7c6b5a40")
        let request = try provider.request(for: placement, in: context)
        #expect(
            String(decoding: request.body ?? [], as: UTF8.self)
                == #"{"appName":"Garden","bundle":"com.example.garden","#
                + #""geo":{"latitude":55.7558,"longitude":37.6173,"precision":12.5},"#
                + #""ifa":"0b7d3a54-88aa-4f0e-b0a5-7d1f5f8e6c21","pubID":"6f2c1e0a-0d3b-4c55-9a51-2a3f3c1d7e10","#
                + #""unitID":"d1a7c9f2-5b1e-4f6d-8a0b-9e8d7c6b5a40","userAgent":"Mozilla/5.0 (Phone)"}"#
        )
        #expect(request.headers["Accept"] == "application/json")
    }

    @Test("YABBI's own request contains no consent, format or size")
    func nothingElse() throws {
        var context = AdContext(consent: AdContext.Consent(gdprApplies: true, tcf: "TCF", coppa: true))
        context.requestID = "r1"
        let request = try Responses.yabbi.request(
            for: .banner(unit: "u", size: Size(width: 320, height: 50)),
            in: context
        )
        guard case .object(let members) = try AdJSON(parsing: request.body ?? []) else {
            Issue.record("the body is no object")
            return
        }
        #expect(members.map(\.name) == ["appName", "bundle", "geo", "ifa", "pubID", "unitID", "userAgent"])
    }

    @Test(
        "an empty id is refused before sending, with its name, in both protocols",
        arguments: ["", "  "],
        [true, false]
    )
    func empty(id: String, isUnit: Bool) {
        let app = YabbiApp(publisherID: isUnit ? "pub" : id, bundle: "b", name: "n")
        let placement: YabbiPlacement = .banner(unit: isUnit ? id : "unit")
        let wanted = isUnit ? "unitID" : "publisherID"
        let asking: [any AdProvider<YabbiPlacement>] = [
            YabbiProvider(endpoint: Responses.endpoint, app: app),
            YabbiRTBProvider(endpoint: Responses.endpoint, app: app),
        ]
        for provider in asking {
            #expect {
                try provider.request(for: placement, in: AdContext())
            } throws: { error in
                guard let error = error as? AdError else { return false }
                return error.code == .invalidRequest && error.message.contains(wanted)
            }
        }
    }

    @Test("the OpenRTB request of a rewarded placement has a full-screen rewarded video")
    func rewarded() throws {
        let request = try Responses.rtb.request(for: .rewarded(unit: "u"), in: Responses.context)
        let impression = try AdJSON(parsing: request.body ?? [])["imp"]?.array?.first
        #expect(impression?["rwdd"]?.number == 1)
        #expect(impression?["instl"]?.number == 1)
        #expect(impression?["video"] != nil)
        #expect(impression?["banner"] == nil)
    }

    @Test("the OpenRTB request omits an implausible size")
    func impossibleSize() throws {
        let placement: YabbiPlacement = .banner(unit: "u", size: Size(width: 1e300, height: 50))
        let request = try Responses.rtb.request(for: placement, in: Responses.context)
        #expect(try AdJSON(parsing: request.body ?? [])["imp"]?.array?.first?["banner"]?.text() == "{}")
    }

    @Test("the OpenRTB request has the same values in OpenRTB's fields, without a site")
    func openRTB() throws {
        var context = Responses.context
        context.requestID = "r1"
        let request = try Responses.rtb.request(
            for: .banner(unit: "u", size: Size(width: 320, height: 50)),
            in: context
        )
        let body = try AdJSON(parsing: request.body ?? [])
        #expect(request.headers["x-openrtb-version"] == "2.6")
        #expect(body["id"]?.string == "r1")
        #expect(body["site"] == nil)
        #expect(body["app"]?["publisher"]?["id"]?.string == "pub-1")
        #expect(body["imp"]?.array?.first?["tagid"]?.string == "u")
        #expect(body["imp"]?.array?.first?["banner"]?.text(.sorted) == #"{"h":50,"w":320}"#)
        #expect(body["device"]?.text(.sorted) == #"{"ua":"Agent/1"}"#)
        #expect(body["regs"] == nil)
    }

    @Test("the OpenRTB request of a context without device and load has exactly these fields")
    func exact() throws {
        var context = AdContext(
            ifa: "IFA",
            userAgent: "Agent/1",
            location: AdContext.Location(latitude: 42.5, longitude: 23.25, precision: 99.6),
            consent: AdContext.Consent(
                gdprApplies: true,
                tcf: "TCF",
                gpp: "GPP",
                gppSections: [7],
                usPrivacy: "1YNN",
                coppa: false
            )
        )
        context.requestID = "r1"
        let request = try Responses.rtb.request(for: .interstitial(unit: "u"), in: context)
        #expect(
            String(decoding: request.body ?? [], as: UTF8.self)
                == #"{"app":{"bundle":"com.example.app","name":"Пример","publisher":{"id":"pub-1"}},"at":1,"device":"#
                + #"{"geo":{"accuracy":100,"lat":42.5,"lon":23.25,"type":1},"ifa":"IFA","ua":"Agent/1"},"id":"r1","#
                + #""imp":[{"banner":{"pos":7},"id":"1","instl":1,"tagid":"u","#
                + #""video":{"mimes":["video/mp4"],"placement":5,"plcmt":3,"pos":7,"#
                + #""protocols":[2,3,5,6,7,8,11,12,13,14,15,16],"skip":0}}],"regs":{"coppa":0,"gdpr":1,"gpp":"GPP","#
                + #""gpp_sid":[7],"us_privacy":"1YNN"},"user":{"consent":"TCF"}}"#
        )
    }

    @Test("the OpenRTB request of a rewarded video says what the player plays, and what the load allows")
    func video() throws {
        var context = Responses.context
        let placement: YabbiPlacement = .rewarded(unit: "u")
        let bare = try AdJSON(parsing: Responses.rtb.request(for: placement, in: context).body ?? [])
        #expect(
            bare["imp"]?.array?.first?["video"]?.text(.sorted)
                == #"{"linearity":1,"mimes":["video/mp4"],"placement":5,"plcmt":3,"pos":7,"#
                + #""protocols":[2,3,5,6,7,8,11,12,13,14,15,16],"skip":0}"#
        )
        #expect(bare["tmax"] == nil)
        context.terms = AdContext.LoadTerms(
            timeout: .seconds(8),
            allowsInsecure: false,
            container: Size(width: 640, height: 360),
            maximumDuration: .seconds(30),
            maximumBitrate: 1200
        )
        let full = try AdJSON(parsing: Responses.rtb.request(for: placement, in: context).body ?? [])
        let impression = full["imp"]?.array?.first
        #expect(
            impression?["video"]?.text(.sorted)
                == #"{"h":360,"linearity":1,"maxbitrate":1200,"maxduration":30,"mimes":["video/mp4"],"#
                + #""placement":5,"plcmt":3,"pos":7,"protocols":[2,3,5,6,7,8,11,12,13,14,15,16],"skip":0,"w":640}"#
        )
        #expect(impression?["secure"]?.number == 1)
        #expect(full["tmax"]?.number == 8000)
    }

    @Test("the OpenRTB request has the device that the host knows, and the interfaces that the stage has")
    func device() throws {
        var context = Responses.context
        context.device.os = "iOS"
        context.device.osVersion = "18.1"
        context.network = .cellular
        var provider = Responses.rtb
        provider.additions.banner.apis = [.mraid3]
        let body = try AdJSON(parsing: provider.request(for: .banner(unit: "u"), in: context).body ?? [])
        #expect(body["device"]?.text(.sorted) == #"{"connectiontype":3,"os":"iOS","osv":"18.1","ua":"Agent/1"}"#)
        #expect(body["imp"]?.array?.first?["banner"]?.text() == #"{"api":[6]}"#)
    }

    @Test("the OpenRTB request has what the app says of its banners")
    func banners() throws {
        var provider = Responses.rtb
        provider.additions.banner.sizes = [
            Size(width: 320, height: 50), Size(width: 300, height: 250), Size(width: 0, height: 1),
        ]
        provider.additions.banner.expandableDirections = [.fullScreen, .down]
        provider.additions.banner.blockedTypes = [.frame]
        provider.additions.banner.position = .footer
        let small = Size(width: 320, height: 50)
        let request = try provider.request(for: .banner(unit: "u", size: small), in: Responses.context)
        #expect(
            try AdJSON(parsing: request.body ?? [])["imp"]?.array?.first?["banner"]?.text(.sorted)
                == #"{"btype":[4],"expdir":[5,4],"format":[{"h":50,"w":320},{"h":250,"w":300}],"pos":5}"#
        )
        provider.additions.banner = .init()
        provider.additions.banner.sizes = [small]
        let one = try provider.request(for: .banner(unit: "u"), in: Responses.context)
        #expect(
            try AdJSON(parsing: one.body ?? [])["imp"]?.array?.first?["banner"]?.text(.sorted) == #"{"h":50,"w":320}"#
        )
    }

    @Test("the OpenRTB request has what the app says of its videos")
    func videos() throws {
        var provider = Responses.rtb
        provider.additions.video.minimumDuration = .seconds(5)
        provider.additions.video.startDelay = .midRoll(after: .seconds(60))
        provider.additions.video.plcmt = .inStream
        provider.additions.video.placement = .inStream
        provider.additions.video.playback = .automaticMuted
        provider.additions.video.apis = [.omid1]
        var context = Responses.context
        func video() throws -> AdJSON? {
            let request = try provider.request(for: .interstitial(unit: "u"), in: context)
            return try AdJSON(parsing: request.body ?? [])["imp"]?.array?.first?["video"]
        }
        #expect(
            try video()?.text(.sorted)
                == #"{"api":[7],"mimes":["video/mp4"],"minduration":5,"placement":1,"playbackmethod":[2],"plcmt":1,"pos":7,"#
                + #""protocols":[2,3,5,6,7,8,11,12,13,14,15,16],"skip":0,"startdelay":60}"#
        )
        context.terms = .init(timeout: .seconds(1), maximumDuration: .seconds(30), videoTypes: ["video/webm"])
        let limited = try video()
        #expect(limited?["minduration"]?.number == 5 && limited?["maxduration"]?.number == 30)
        #expect(limited?["mimes"]?.text() == #"["video/webm"]"#)
    }

    @Test("a value that the OpenRTB request could not contain is an issue of the response, also without an ad")
    func unwritable() throws {
        var provider = Responses.rtb
        provider.additions.blockedAdvertisers = (0..<20_000).map { "rival\($0).example" }
        for (status, text) in [(204, ""), (200, #"{"id":"r","seatbid":[]}"#)] {
            let response = Responses.response(text, status: status)
            let batch = try provider.offers(from: response, for: .banner(unit: "u"), in: Responses.context)
            #expect(batch.issues.contains { $0.description.contains("badv") }, "\(batch.issues)")
        }
    }

    @Test("the OpenRTB request of a child has no identifier and no location")
    func child() throws {
        var context = AdContext(ifa: "IFA", location: AdContext.Location(latitude: 1, longitude: 2, precision: 3))
        context.consent.coppa = true
        let body = try AdJSON(parsing: Responses.rtb.request(for: .banner(unit: "u"), in: context).body ?? [])
        #expect(body["device"]?.text() == #"{"dnt":1,"lmt":1}"#)
        #expect(body["regs"]?.text() == #"{"coppa":1}"#)
    }
}
