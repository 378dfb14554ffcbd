import AdCore
import AdHTML
import AdMarkup
import Testing

@testable import AdLint

@Suite("Places and numbers of lint findings")
struct LintPlacesTests {
    private func places(_ text: String, _ rule: String) -> [String] {
        Lint.check(text).findings.filter { $0.rule.id == rule }.map {
            "\($0.line ?? 0):\($0.column.map(String.init) ?? "-")"
        }
    }

    private func column(of part: String, in text: String) -> Int {
        text.firstRange(of: part).map { text[..<$0.lowerBound].unicodeScalars.count + 1 } ?? 0
    }

    /// A document on one line, as ad servers send it.
    private static let flat = LintSamples.vast.split(separator: "\n").joined(separator: "")
    private static let file =
        "<MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"640\" height=\"360\" bitrate=\"1500\">"

    @Test(
        "a finding about a media file has its column, even in a document of one line",
        arguments: [
            (
                "media-delivery-whole",
                "delivery=\"streaming\" type=\"video/mp4\" width=\"640\" height=\"360\" bitrate=\"1500\"",
                "delivery=\"streaming"
            ),
            (
                "media-codec-unclear",
                "delivery=\"progressive\" type=\"video/mp4\" width=\"640\" height=\"360\" codec=\"H.264\"", "codec="
            ),
            ("media-type-wrong", "delivery=\"progressive\" type=\"mp4\" width=\"640\" height=\"360\"", "type=\"mp4\""),
            ("media-type-missing", "delivery=\"progressive\" width=\"640\" height=\"360\"", "<MediaFile d"),
            (
                "media-size-zero", "delivery=\"progressive\" type=\"video/mp4\" width=\"640\" height=\"0\"",
                "height=\"0\""
            ),
            (
                "media-bitrate-bits",
                "delivery=\"progressive\" type=\"video/mp4\" width=\"640\" height=\"360\" bitrate=\"1500000\"",
                "bitrate=\"15000"
            ),
            (
                "media-file-unplayable",
                "delivery=\"progressive\" type=\"video/x-ms-wmv\" width=\"640\" height=\"360\"", "<MediaFile d"
            ),
        ]
    )
    func media(rule: String, attributes: String, part: String) throws {
        let text = Self.flat.replacingFirst(Self.file, with: "<MediaFile \(attributes)>")
        #expect(self.places(text, rule) == ["1:\(self.column(of: part, in: text))"])
    }

    @Test("an unplayable ad is reported at its files, at their missing place, or at the ad")
    func ads() {
        let start = self.column(of: "<MediaFile d", in: Self.flat)
        let only = Self.flat.replacingFirst(
            "type=\"video/mp4\" width=\"1280\"",
            with: "type=\"video/x-ms-wmv\" width=\"1280\""
        )
        .replacingFirst("type=\"video/mp4\" width=\"640\"", with: "type=\"video/x-ms-wmv\" width=\"640\"")
        #expect(self.places(only, "media-unplayable") == ["1:\(start)"])
        let bare = LintSamples.vast.split(separator: "\n").filter { !$0.contains("<MediaFile ") }.joined()
        #expect(self.places(bare, "mediafiles-missing") == ["1:\(self.column(of: "<MediaFiles>", in: bare))"])
        let audio = Self.flat.replacingFirst("adType=\"video\"", with: "adType=\"audio\"")
        #expect(self.places(audio, "ad-unplayable") == ["1:\(self.column(of: "<Ad ", in: audio))"])
        let body = Self.flat.replacingFirst("adType=\"video\"", with: "adType=\"audio\"").replacingFirst(
            "id=\"1\"",
            with: "id=\"2\""
        )
        let first = self.column(of: "<Ad ", in: body)
        let inner = body.firstRange(of: "<Ad ").map { String(body[$0.lowerBound...]) } ?? ""
        let second = String(inner.dropLast("</VAST>".count))
        let pod = body.replacingFirst("</VAST>", with: "") + second + "</VAST>"
        #expect(self.places(pod, "ad-unplayable").first == "1:\(first)")
        #expect(self.places(pod, "ad-unplayable").count == 2)
    }

    @Test("an invalid ad.size is reported at its value")
    func adSize() {
        let page =
            "<meta charset=utf-8><meta name=\"ad.size\" content=\"320x50\"><a href=\"https://shop.example.com/\">Tea</a>"
        #expect(self.places(page, "html-size-unreadable") == ["1:\(self.column(of: "320x50", in: page))"])
    }

    @Test(
        "URLs are reported at their place, even with character references or on another line than their tag"
    )
    func addresses() {
        let page =
            "<a href=\"https://shop.example.com/\">Tea</a><img alt=\"\" src=\"http://a.example/?a=1&amp;b=2\">\n"
            + "<img alt=\"\"\n src=\"http://a.example/b\">"
        let column = self.column(of: "http://a.example/?", in: page)
        #expect(self.places(page, "html-resource-insecure") == ["1:\(column)", "3:7"])
    }

    @Test("a document in a JSON string has the findings of the document, and one more", arguments: ["/", "\\/"])
    func json(slash: String) {
        let tag = LintSamples.vast.replacingFirst("https://t.example.com/25", with: "http://t.example.com/25")
        let text = LintSamples.json(tag, slash: slash)
        #expect(Lint.check(text).findings.map(\.rule.id) == ["xml-quotes-escaped", "tracker-insecure"])
        let address = "http:" + slash + slash + "t.example.com"
        #expect(self.places(text, "tracker-insecure") == ["1:\(self.column(of: address, in: text))"])
        let unwrapped = String(text.dropFirst().dropLast())
        #expect(Lint.check(unwrapped).findings.map(\.rule.id) == ["xml-quotes-escaped", "tracker-insecure"])
    }

    @Test("a JSON string with escaped brackets is parsed and linted as the document in it")
    func brackets() throws {
        let text = LintSamples.json(LintSamples.wrapper).split(separator: "<", omittingEmptySubsequences: false)
            .joined(separator: "\\u003c")
        #expect(Lint.check(text).findings.map(\.rule.id) == ["xml-quotes-escaped"])
        let document = try VASTDocument(parsing: text)
        #expect(document.ads.count == 1 && document.issues.map(\.code) == ["xml.json"])
    }

    @Test("a rule's count includes the findings that are not listed")
    func counts() {
        let files = (1...3000).map { "<MediaFile>https://m.example.com/\($0 % 7)</MediaFile>" }.joined()
        let text =
            "<VAST version=\"4.2\"><Ad id=\"1\"><InLine><Creatives><Creative><Linear><MediaFiles>\(files)</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>"
        let report = Lint.check(text)
        func count(_ id: String) -> Int { report.groups.first { $0.rule.id == id }?.count ?? 0 }
        #expect(count("media-type-missing") == 3000)
        #expect(count("media-delivery-missing") == 3000)
        #expect(count("media-twice") == 2993)
        let all = report.groups.reduce(0) { $0 + $1.count }
        #expect(all == report.findings.count + report.unlisted)
        #expect(all == LintRule.Severity.allCases.reduce(0) { $0 + report.count($1) })
    }

    @Test("with few findings, all that are counted are listed", arguments: LintCase.all)
    func nothingUnlisted(_ sample: LintCase) {
        let report = Lint.check(Array(sample.bad.utf8), from: sample.source.flatMap { HTTPURL($0) })
        #expect(
            report.unlisted == 0 || report.findings.count >= 100,
            "\(sample.rule): \(report.groups.filter { $0.count > $0.findings.count }.map(\.rule.id))"
        )
    }
}

@Suite("Messages of lint findings")
struct LintMessagesTests {
    private func messages(_ text: String, _ rule: String) -> [String] {
        Lint.check(text).findings.filter { $0.rule.id == rule }.map(\.message)
    }

    @Test(
        "a message names the macro, in an attribute and in a script",
        arguments: ["{{CLICK_MACRO}}", "__CLICK__", "##CLICK##", "[CLICK]", "@@CLICK@@"]
    )
    func macros(macro: String) {
        let link = "<a href=\"\(macro)https://shop.example.com/\">Tea</a>"
        let script = LintSamples.script(
            "document.onclick = function () { window.open('\(macro)https://s.example.com/'); };"
        )
        for text in [link, script] {
            #expect(self.messages(text, "html-macro-click").first?.contains(macro) == true, "\(text)")
        }
    }

    @Test("a suggestion for a misspelt word depends on the kind of name")
    func slips() {
        let code = "mraid.exposureChanged(); mraid.addEventListener(\"exposureChanged\", begin);"
        let messages = self.messages(LintSamples.mraid(code), "mraid-event-unknown")
        #expect(messages == ["the event is \u{201C}exposureChanged\u{201D}; did you mean exposureChange?"])
    }

    @Test("a NUL does not end the document")
    func nul() {
        let text = LintSamples.vast.replacingFirst("<AdTitle>Tea", with: "<AdTitle>T\0ea")
        let report = Lint.check(text)
        #expect(report.findings.map(\.rule.id) == ["xml-not-well-formed"])
        #expect(report.findings.first?.line == 10 && report.findings.first?.message.contains("NUL") == true)
    }

    @Test("a shortened codec ends with an ellipsis")
    func codec() {
        let text = LintSamples.vast.replacingFirst(
            "bitrate=\"1500\"",
            with: "bitrate=\"1500\" codec=\"\(String(repeating: "a codec ", count: 10))\""
        )
        #expect(self.messages(text, "media-codec-unclear").first?.contains("…\u{201D}") == true)
    }

    @Test("a closeTimeout above the limit names the limit")
    func timeout() {
        func message(_ time: String) -> String? {
            self.messages(LintSamples.answer.replacingFirst("5000", with: time), "answer-timeout-long").first
        }
        #expect(message("1e12")?.contains("ten minutes (600000)") == true)
        #expect(message("90000")?.contains("ten minutes") == false)
    }

    @Test("the linter and the reader agree on which CDATA sections are not closed")
    func sections() throws {
        for text in [
            "<VAST version=\"3.0\"><Ad id=\"1\"><InLine><Error>x <![CDATA[https://t.example.com/</Error></InLine></Ad></VAST>",
            "<VAST version=\"3.0\"><Error><![CDATA[https://t.example.com/</Error><Error><![CDATA[x]]></Error></VAST>",
            "<VAST version=\"3.0\"><Error><![CDATA[https://t.example.com/]]></Error></VAST",
            "<VAST version=\"3.0\"><Error><![CDATA[https://t.example.com/",
        ] {
            let isReported = Lint.check(text).findings.contains { $0.rule.id == "xml-cdata-unclosed" }
            let isIssue: Bool
            do throws(VASTError) {
                isIssue = try VASTDocument(parsing: text).issues.contains { $0.code == "xml.cdata.unclosed" }
            } catch {
                isIssue = error.message == XMLRepair.unclosedCDATAText
            }
            #expect(isReported == isIssue, "\(text)")
        }
    }
}
