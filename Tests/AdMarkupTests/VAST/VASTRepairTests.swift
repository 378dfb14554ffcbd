import AdCore
import AdLint
import TestSupport
import Testing

@testable import AdMarkup

@Suite("Repairs of a document")
struct VASTRepairTests {
    private func codes(_ issues: [AdCore.AdIssue]) -> [String] { issues.map(\.code) }

    // MARK: Repeated elements

    @Test("of two elements where only one is allowed, the first is used")
    func twice() throws {
        let text = """
            <VAST version="4.2"><Ad><InLine><AdSystem>S1</AdSystem><AdSystem>S2</AdSystem><AdTitle>T1</AdTitle><AdTitle>T2</AdTitle>
            <Impression>https://i.example/</Impression><Creatives><Creative><Linear>
            <Duration>00:00:10</Duration><Duration>00:00:20</Duration><AdParameters>p1</AdParameters><AdParameters>p2</AdParameters>
            <VideoClicks><ClickThrough>https://c.example/1</ClickThrough><ClickThrough>https://c.example/2</ClickThrough></VideoClicks>
            <Icons><Icon><IconClicks><IconClickThrough>https://i.example/1</IconClickThrough>
            <IconClickThrough>https://i.example/2</IconClickThrough></IconClicks></Icon></Icons></Linear></Creative>
            <Creative><CompanionAds><Companion><CompanionClickThrough>https://k.example/1</CompanionClickThrough>
            <CompanionClickThrough>https://k.example/2</CompanionClickThrough></Companion></CompanionAds></Creative>
            <Creative><NonLinearAds><NonLinear><NonLinearClickThrough>https://n.example/1</NonLinearClickThrough>
            <NonLinearClickThrough>https://n.example/2</NonLinearClickThrough></NonLinear></NonLinearAds></Creative>
            </Creatives></InLine></Ad></VAST>
            """
        let document = try VASTDocument(parsing: text)
        let ad = try #require(document.ads.first)
        let linear = try #require(ad.creatives.first?.linear)
        #expect(ad.system?.name == "S1" && ad.inline?.title == "T1")
        #expect(linear.duration == .seconds(10) && linear.parameters == "p1")
        #expect(linear.clickThrough?.text == "https://c.example/1")
        #expect(linear.icons.first?.clicks.through?.text == "https://i.example/1")
        #expect(ad.creatives[1].companions?.items.first?.clicks.through?.text == "https://k.example/1")
        #expect(ad.creatives[2].nonLinear?.items.first?.clicks.through?.text == "https://n.example/1")
        #expect(self.codes(document.issues) == Array(repeating: "vast.element.twice", count: 8))
        #expect(document.issues.first?.message.contains("<AdSystem>") == true)
    }

    @Test("if the first of two such elements is empty or invalid, the second is used")
    func emptyFirst() throws {
        let text = VASTSamples.linear("<Duration>soon</Duration><Duration>00:00:20</Duration>")
        let document = try VASTDocument(parsing: text)
        #expect(document.ads.first?.creatives.first?.linear?.duration == .seconds(20))
        #expect(self.codes(document.issues) == ["vast.duration.wrong"])
    }

    // MARK: Attributes and quotation marks

    @Test(
        "attributes without quotation marks are accepted",
        arguments: ["4.0", "4.0 ", "4.0 xmlns=http://x.example/a?b=1&c=2"]
    )
    func unquoted(version: String) throws {
        let media = "<MediaFiles><MediaFile type=video/mp4 width=640 height='360' id=a/b/>x</MediaFiles>"
        let text = VASTSamples.linear(media).replacing("version=\"3.0\"", with: "version=\(version)")
        let document = try VASTDocument(parsing: text)
        #expect(document.version == "4.0")
        #expect(document.ads.count == 1)
        #expect(self.codes(document.issues).contains("xml.repaired"))
        #expect(!Lint.check(text).findings.contains { $0.rule.id == "version-missing" })
        let file = VASTSamples.linear(
            "<MediaFiles><MediaFile type=video/mp4 width=640>https://m.example/</MediaFile></MediaFiles>"
        )
        let linear = try VASTDocument(parsing: file).ads.first?.creatives.first?.linear
        #expect(linear?.mediaFiles.map(\.width) == [640] && linear?.mediaFiles.map(\.type) == ["video/mp4"])
    }

    @Test(
        "many missing quotation marks take linear time",
        arguments: ["<a b=c ", "<a b=\"c ", "<a b= \n", "<a ="]
    )
    func manyUnquoted(part: String) {
        let start = ProcessorTime.now
        let bytes = Array(("<VAST version=4.0>" + String(repeating: part, count: 100_000)).utf8)
        _ = bytes.withUnsafeBufferPointer(XMLRepair.escaped)
        _ = bytes.withUnsafeBufferPointer(XMLRepair.unclosedCDATA)
        #expect(ProcessorTime.now - start < .timeout(20))
    }

    @Test("a document inside a JSON string is parsed if all quotation marks are escaped")
    func json() throws {
        let plain = VASTSamples.linear(
            "<Duration>00:00:10</Duration><AdParameters><![CDATA[{\"a\": \"b\\\\c\"}]]></AdParameters>"
        )
        let escaped = plain.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            .replacing("</", with: "<\\/").replacing("<Linear", with: "\\u003cLinear")
        for text in [escaped, "\"\(escaped)\"", escaped + "\""] {
            let document = try VASTDocument(parsing: text)
            #expect(document.version == "3.0")
            let linear = try #require(document.ads.first?.creatives.first?.linear, "\(text.prefix(30))")
            #expect(linear.duration == .seconds(10) && linear.parameters == "{\"a\": \"b\\\\c\"}")
            let issue = try #require(document.issues.first { $0.code == "xml.json" })
            #expect(issue.message.contains("escaped as in JSON"))
        }
    }

    @Test("a document in which some quotation marks are escaped has an issue, and is repaired as any other")
    func someJSON() throws {
        let text =
            "<VAST version=\\\"3.0\\\"><Ad id=\"a\"><InLine><Impression>https://i.example/</Impression></InLine></Ad></VAST>"
        let document = try VASTDocument(parsing: text)
        #expect(document.issues.contains { $0.code == "xml.json" && $0.message.hasPrefix("some") })
    }

    // MARK: Misplaced elements

    @Test("misplaced verifications and companions are accepted, with an issue")
    func misplaced() throws {
        let verifications =
            "<AdVerifications><Verification vendor=\"v\"><JavaScriptResource>https://v.example/</JavaScriptResource></Verification></AdVerifications>"
        let text = """
            <VAST version="4.2"><Ad><InLine><Impression>https://i.example/</Impression><Creatives><Creative><Linear>
            <CompanionAds><Companion>
            \(verifications)</Companion></CompanionAds></Linear></Creative></Creatives></InLine></Ad></VAST>
            """
        let document = try VASTDocument(parsing: text)
        #expect(document.ads.first?.verifications.count == 1)
        #expect(document.ads.first?.creatives.contains { $0.companions != nil } == true)
        #expect(self.codes(document.issues) == ["vast.element.misplaced", "vast.element.misplaced"])
        #expect(document.issues.map(\.place) == [.line(2), .line(3)])
        let right = """
            <VAST version="4.2"><Ad><InLine>\(verifications)<Impression>https://i.example/</Impression><Extensions><Extension>
            \(verifications)</Extension></Extensions></InLine></Ad></VAST>
            """
        #expect(try VASTDocument(parsing: right).issues.isEmpty)
    }

    @Test("a root with the wrong case and an empty <InLine> are issues")
    func root() throws {
        let small = try VASTDocument(parsing: "<vast version=\"3.0\"></vast>")
        #expect(self.codes(small.issues) == ["vast.element.case"])
        let plan = try VMAPDocument(parsing: "<vmap version=\"1.0\"></vmap>")
        #expect(self.codes(plan.issues) == ["vast.element.case"])
        let empty = try VASTDocument(parsing: "<VAST version=\"3.0\"><Ad><InLine/></Ad></VAST>")
        #expect(self.codes(empty.issues) == ["vast.inline.empty"] && empty.ads.count == 1)
        #expect(try VASTDocument(parsing: "<VAST version=\"3.0\"></VAST>").issues.isEmpty)
        let none = try VASTDocument(parsing: "<VAST version=\" \"></VAST>")
        #expect(none.version == nil && self.codes(none.issues) == ["vast.version.missing"])
    }

    // MARK: VMAP

    private func plan(_ data: String) throws -> VMAPDocument {
        try VMAPDocument(
            parsing: """
                <VMAP version="1.0"><AdBreak timeOffset="start" breakType="linear"><AdSource id="s">
                <VASTAdData>\(data)</VASTAdData></AdSource></AdBreak></VMAP>
                """
        )
    }

    @Test("VAST as text in VMAP is parsed, with the lines of the VMAP document")
    func text() throws {
        let vast =
            "<VAST version=\"3.0\"><Ad id=\"a\">\n<InLine><Impression>https://i.example/</Impression>\n<Foo/></InLine></Ad></VAST>"
        let escaped = vast.replacing("<", with: "&lt;")
        for data in ["<![CDATA[\(vast)]]>", "\n  <![CDATA[\n\(vast)]]>\n", escaped] {
            let plan = try self.plan(data)
            guard case .vast(let document)? = plan.breaks.first?.source?.content else {
                Testing.Issue.record("no VAST in \(data)")
                continue
            }
            #expect(document.ads.map(\.id) == ["a"])
            #expect(self.codes(plan.issues).contains("vmap.vast.text"))
            let before = data.prefix { $0 != "<" && $0 != "&" }.count { $0 == "\n" } + (data.contains("[\n") ? 1 : 0)
            let unknown = try #require(plan.issues.first { $0.code == "vast.element.unknown" })
            #expect(unknown.place == .line(4 + before))
        }
    }

    @Test(
        "text in VMAP that is not VAST affects only its break, with an issue",
        arguments: ["<![CDATA[soon]]>", "{}", "<![CDATA[<html/>]]>"]
    )
    func noText(data: String) throws {
        let plan = try self.plan(data)
        #expect(plan.breaks.count == 1 && plan.breaks.first?.source?.content == nil)
        #expect(self.codes(plan.issues).contains("vmap.vast.unreadable"))
    }

    // MARK: CDATA

    private let unclosed = """
        <?xml version="1.0"?>
        <VAST version="3.0"><Ad id="whole"><InLine><Impression>https://i.example/</Impression></InLine></Ad>
        <Ad id="a"><InLine><Error>https://t.example/whole</Error>
        <Impression><![CDATA[https://t.example/i]]></Impression>
        <Error><![CDATA[https://t.example/e?c=[ERRORCODE]</Error>
        <Creatives><Creative><Linear><TrackingEvents>
        <Tracking event="start"><![CDATA[https://t.example/s]]></Tracking></TrackingEvents></Linear></Creative></Creatives>
        </InLine></Ad></VAST>
        """

    @Test("an unclosed CDATA section is error 100 at its line, and no URL contains the rest of the document")
    func cdata() throws {
        let document = try VASTDocument(parsing: self.unclosed)
        #expect(document.ads.map(\.id) == ["whole"])
        let broken = try #require(document.broken.first)
        #expect(broken.code == 100 && broken.line == 5)
        #expect(broken.errors.map(\.text) == ["https://t.example/whole"])
        let issue = try #require(document.issues.first { $0.code == "xml.cdata.unclosed" })
        #expect(issue.place == .line(5))
        let alone = self.unclosed.replacing(
            "<Ad id=\"whole\"><InLine><Impression>https://i.example/</Impression></InLine></Ad>",
            with: ""
        )
        let error = #expect(throws: VASTError.self) { try VASTDocument(parsing: alone) }
        #expect(error?.code == 100 && error?.line == 5 && error?.message.contains("]]>") == true)
    }

    @Test("a section without any end is found too, and one that only mentions another is complete")
    func cdataEnds() throws {
        let last =
            "<VAST version='3.0'><Ad><InLine><Impression><![CDATA[https://i.example/</Impression></InLine></Ad></VAST>"
        #expect(throws: VASTError.self) { try VASTDocument(parsing: last) }
        let script = VASTSamples.linear(
            "<AdParameters><![CDATA[<a><![CDATA[x]]]]><![CDATA[></a>]]></AdParameters><Duration>00:00:10</Duration>&"
        )
        let document = try VASTDocument(parsing: script)
        #expect(document.ads.first?.creatives.first?.linear?.parameters == "<a><![CDATA[x]]></a>")
    }

    @Test(
        "many sections take linear time",
        arguments: ["<![CDATA[", "<![CDATA[]]>", "<a><![CDATA[</a>", "<a><![CDATA[</a><![CDATA[]]>"]
    )
    func manySections(part: String) {
        let start = ProcessorTime.now
        let count = 1_000_000 / part.utf8.count
        _ = try? VASTDocument(parsing: "<VAST version='3.0'>&" + String(repeating: part, count: count))
        #expect(ProcessorTime.now - start < .timeout(30))
    }
}
