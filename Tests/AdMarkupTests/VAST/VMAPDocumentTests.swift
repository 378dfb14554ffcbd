import AdCore
import Testing

@testable import AdMarkup

@Suite("VMAP documents")
struct VMAPDocumentTests {
    private let plan = """
        <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">
        <vmap:Extensions><vmap:Extension type="x">of the plan</vmap:Extension></vmap:Extensions>
        <vmap:AdBreak timeOffset="start" breakType="linear" breakId="pre">
          <vmap:AdSource id="s1" allowMultipleAds="true" followRedirects="false">
            <vmap:VASTAdData><VAST version="3.0"><Error>https://e.example/</Error><Ad id="a"><InLine>
              <Impression>https://i.example/</Impression></InLine></Ad></VAST></vmap:VASTAdData>
          </vmap:AdSource>
          <vmap:TrackingEvents>
            <vmap:Tracking event="breakStart">https://t.example/s</vmap:Tracking>
            <vmap:Tracking event="error">https://t.example/e?c=[ERRORCODE]</vmap:Tracking>
          </vmap:TrackingEvents>
          <vmap:Extensions><vmap:Extension>of the break</vmap:Extension></vmap:Extensions>
        </vmap:AdBreak>
        <vmap:AdBreak timeOffset="00:10:23.125" breakType="linear, nonlinear" repeatAfter="00:05:00">
          <vmap:AdSource><vmap:AdTagURI templateType="vast3"><![CDATA[https://tag.example/?a=1&b=2]]></vmap:AdTagURI></vmap:AdSource>
        </vmap:AdBreak>
        <vmap:AdBreak timeOffset="50%" breakType="display"><vmap:AdSource>
          <vmap:CustomAdData templateType="proprietary">{"x": 1}</vmap:CustomAdData></vmap:AdSource></vmap:AdBreak>
        <vmap:AdBreak timeOffset="#2" breakType="linear"/>
        <vmap:AdBreak timeOffset="end" breakType="linear"/>
        </vmap:VMAP>
        """

    @Test("every break has its offset, types, source and trackers")
    func breaks() throws {
        let plan = try VMAPDocument(parsing: self.plan)
        #expect(plan.version == "1.0" && plan.issues.isEmpty, "\(plan.issues)")
        #expect(plan.extensions.map(\.text) == ["of the plan"])
        let offsets: [VMAPOffset] = [.start, .time(.milliseconds(623_125)), .percent(50), .position(2), .end]
        #expect(plan.breaks.map(\.offset) == offsets)
        #expect(plan.breaks.compactMap { $0.offset?.text } == ["start", "00:10:23.125", "50%", "#2", "end"])
        #expect(plan.breaks[1].kinds == ["linear", "nonlinear"] && plan.breaks[1].repeatAfter == .seconds(300))
        let first = plan.breaks[0]
        #expect(first.id == "pre" && first.line == 3)
        #expect(first.tracking.map(\.event) == ["breakStart", "error"])
        #expect(first.extensions.map(\.text) == ["of the break"])
        #expect(first.source?.id == "s1" && first.source?.allowsMultipleAds == true)
        #expect(first.source?.followsRedirects == false)
        guard case .vast(let document)? = first.source?.content else {
            Testing.Issue.record("no VAST in the first break")
            return
        }
        #expect(document.ads.map(\.id) == ["a"] && document.errorURLs.count == 1 && document.version == "3.0")
        let tag = try #require(URLTemplate("https://tag.example/?a=1&b=2"))
        #expect(plan.breaks[1].source?.content == .tag(tag, type: "vast3"))
        #expect(plan.breaks[2].source?.content == .custom("{\"x\": 1}", type: "proprietary"))
        #expect(plan.breaks[3].source == nil)
    }

    @Test("a break is due at its offset, then after each interval, until the content ends")
    func due() throws {
        let plan = try VMAPDocument(parsing: self.plan)
        func times(_ start: Int, _ end: Int, _ length: Int?) -> [Double] {
            plan.due(from: .seconds(start), to: .seconds(end), of: length.map { .seconds($0) }).map(\.at.inSeconds)
        }
        #expect(times(0, 1, 1800) == [0])
        #expect(times(1, 623, 1800).isEmpty)
        #expect(times(0, 1800, 1800) == [0, 623.125, 900, 923.125, 1223.125, 1523.125, 1800])
        #expect(times(900, 901, 1800) == [900])
        #expect(times(901, 1000, 1800) == [923.125])
        #expect(times(0, 700, nil) == [0, 623.125], "a percentage needs a duration")
        #expect(times(1799, 1799, 1800).isEmpty)
    }

    @Test("of many breaks the first thousand by time are due, whatever their order in the document")
    func manyAreDue() throws {
        let often = (0..<4).map { "<AdBreak breakId='b\($0)' timeOffset='00:00:10' repeatAfter='00:00:01'/>" }.joined()
        let late = "<AdBreak breakId='late' timeOffset='00:00:02'/><AdBreak breakId='first' timeOffset='start'/>"
        let plan = try VMAPDocument(parsing: "<VMAP version='1.0'>\(often)\(late)</VMAP>")
        let due = plan.due(from: .zero, to: .seconds(36_000), of: .seconds(36_000))
        #expect(due.count == 1000)
        #expect(due.prefix(6).map { $0.adBreak.id } == ["first", "late", "b0", "b1", "b2", "b3"])
        #expect(due.map(\.at) == due.map(\.at).sorted())
        #expect(due.last?.at == .seconds(259) && due.last?.adBreak.id == "b1")
    }

    @Test(
        "an invalid offset is ignored, with an issue",
        arguments: [
            ("#0", "wrong"), ("#x", "wrong"), ("soon", "wrong"), ("101%", "wrong"), ("-1", "wrong"), ("90", "odd"),
        ]
    )
    func offsets(text: String, issue: String) throws {
        let plan = try VMAPDocument(
            parsing: "<VMAP version='1.0'><AdBreak timeOffset='\(text)' breakType='linear'/></VMAP>"
        )
        #expect(
            plan.issues.map(\.code) == ["vast.timeOffset.\(issue)"]
        )
        #expect((plan.breaks.first?.offset == nil) == (issue == "wrong"))
    }

    @Test("VAST is rejected as VMAP, and VMAP as VAST")
    func roots() {
        #expect(throws: VASTError.self) { try VMAPDocument(parsing: "<VAST version='3.0'/>") }
        #expect(throws: VASTError.self) { try VASTDocument(parsing: self.plan) }
        #expect(throws: VASTError.self) { try VMAPDocument(parsing: "[]") }
    }

    @Test("a truncated VMAP document keeps its complete breaks")
    func truncated() throws {
        let cut = String(self.plan.prefix { $0 != "%" })
        let plan = try VMAPDocument(parsing: cut)
        #expect(plan.breaks.count == 2)
        #expect(!plan.issues.isEmpty)
    }
}
