import AdCore
import AdProviders
import Testing

@Suite("Asking YABBI")
struct YabbiRequestTests {
    @Test("the request has the protocol's seven fields and no other, null and empty where nothing is known")
    func bare() throws {
        let request = try Answers.yabbi.request(for: .banner(unit: "unit-1"), in: AdContext())
        #expect(request.method == .post)
        #expect(request.url == Answers.endpoint)
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.headers["user-agent"] == nil)
        #expect(
            String(decoding: request.body ?? [], as: UTF8.self)
                == #"{"appName":"Пример","bundle":"com.example.app","geo":null,"ifa":"","pubID":"pub-1","#
                + #""unitID":"unit-1","userAgent":""}"#
        )
    }

    @Test("what is known is said")
    func known() throws {
        let context = AdContext(
            ifa: "IFA/1",
            userAgent: "Agent/1",
            location: AdContext.Location(latitude: 42.5, longitude: -23, precision: 100)
        )
        let request = try Answers.yabbi.request(for: .interstitial(unit: "unit-1"), in: context)
        let body = try JSON(parsing: request.body ?? [])
        #expect(body["ifa"]?.string == "IFA/1")
        #expect(String(decoding: request.body ?? [], as: UTF8.self).contains("IFA/1"), "slashes are not escaped")
        #expect(body["geo"]?.text(.sorted) == #"{"latitude":42.5,"longitude":-23,"precision":100}"#)
        #expect(request.headers["user-agent"] == "Agent/1")
    }

    @Test("a placement without an id is refused before anything is sent", arguments: ["", "  "])
    func empty(unit: String) {
        #expect {
            try Answers.yabbi.request(for: .banner(unit: unit), in: AdContext())
        } throws: { error in
            (error as? AdError)?.code == .invalidRequest
        }
        let nobody = YabbiProvider(endpoint: Answers.endpoint, app: YabbiApp(publisherID: unit, bundle: "b", name: "n"))
        #expect(throws: AdError.self) { try nobody.request(for: .banner(unit: "u"), in: AdContext()) }
    }

    @Test("over OpenRTB the same facts stand at their places, without a site")
    func openRTB() throws {
        var context = Answers.context
        context.requestID = "r1"
        let request = try Answers.rtb.request(for: .banner(unit: "u", size: Size(width: 320, height: 50)), in: context)
        let body = try JSON(parsing: request.body ?? [])
        #expect(request.headers["x-openrtb-version"] == "2.6")
        #expect(body["id"]?.string == "r1")
        #expect(body["site"] == nil)
        #expect(body["app"]?["publisher"]?["id"]?.string == "pub-1")
        #expect(body["imp"]?.array?.first?["tagid"]?.string == "u")
        #expect(body["imp"]?.array?.first?["banner"]?.text(.sorted) == #"{"h":50,"w":320}"#)
        #expect(body["device"]?.text(.sorted) == #"{"ua":"Agent/1"}"#)
        #expect(body["regs"] == nil)
    }
}
