import AdCore
import AdHTML
import AdMarkup
import TestSupport
import Testing

@Suite("Limits of banner HTML")
struct HTMLBoundsTests {
    @Test("the error of an exceeded limit has the limit and the line")
    func bounds() {
        #expect(throws: MarkupError.self) { try HTMLDocument(parsing: [UInt8](repeating: 0x20, count: 6_291_457)) }
        var limits = HTMLLimits()
        limits.bytes = 10
        self.expect(.bytes, 10, nil, String(repeating: "x", count: 11), limits)
        limits = HTMLLimits()
        self.expect(.depth, 200, 2, "<p>\n" + String(repeating: "<b>", count: 300), limits)
        self.expect(.attributes, 256, 2, "\n<a" + String(repeating: " x", count: 257) + ">", limits)
        self.expect(.attributes, 256, 1, "<a" + String(repeating: " \"", count: 257) + ">", limits)
        self.expect(.attributes, 256, 1, "<" + String(repeating: "a", count: 30_000) + ">", limits)
        limits.parts = 10
        for part in ["<b></b>", "<br>", "<!-- -->", "<? ?>", "&amp;", "& ", "<p x=1>", "</p>", "<script></script>"] {
            self.expect(.parts, 10, nil, String(repeating: part, count: 11), limits)
        }
        self.expect(.parts, 10, nil, "<p title='" + String(repeating: "&#0;", count: 11) + "'>", limits)
    }

    private func expect(
        _ bound: MarkupError.Limit,
        _ limit: Int,
        _ line: Int?,
        _ markup: String,
        _ limits: HTMLLimits,
        at location: SourceLocation = #_sourceLocation
    ) {
        do throws(MarkupError) {
            let banner = try HTMLDocument(parsing: markup, limits: limits)
            Issue.record("\(banner.markup.prefix(40)) was read", sourceLocation: location)
        } catch {
            #expect(error.reason == .exceeds(bound, limit: limit), sourceLocation: location)
            if let line { #expect(error.line == line, sourceLocation: location) }
            #expect(error.description.contains("\(limit)"), sourceLocation: location)
        }
    }

    @Test("a playable of five megabytes fits into the markup and into an ad response")
    func playable() throws {
        let script = String(repeating: "play(\"x\");", count: 524_288)
        let banner = try HTMLDocument(parsing: "<script>\(script)</script>")
        #expect(banner.markup.utf8.count > 5 << 20)
        #expect(AdJSON.object([.init("adm", .string(banner.markup))]).bytes().count < AdHTTPRequest.Limits().body)
    }

    @Test("markup just within the limits is parsed")
    func within() throws {
        var limits = HTMLLimits()
        let attributes = (0..<256).map { " x\($0)=\($0)" }.joined()
        #expect(try HTMLDocument(parsing: "<a href=x><b\(attributes)></b></a>").issues == [])
        // The parser adds html and body.
        let deep = String(repeating: "<b>", count: 198)
        #expect(try HTMLDocument(parsing: deep).issues.count == 51)
        limits.parts = 4
        limits.bytes = 20
        #expect(try HTMLDocument(parsing: "<a href=x>&amp;</a>_", limits: limits).links.count == 1)
    }

    @Test("the text before the URLs of a style is not read again for each URL")
    func blanks() throws {
        let style = String(repeating: " ", count: 60_000) + String(repeating: "url(a)", count: 10_000)
        for markup in ["<style>a{\(style)</style>", "<p style='\(style)'>x</p>"] {
            let time = try ProcessorTime.measure { _ = try HTMLDocument(parsing: markup) }
            #expect(time < .timeout(10), "\(time)")
        }
    }

    @Test("invalid limits are corrected", arguments: [0, -1, Int.min, Int.max])
    func senseless(value: Int) throws {
        var limits = HTMLLimits()
        limits.depth = value
        limits.listed = value
        limits.issues = value
        let banner = try HTMLDocument(parsing: "<a href=x></b><i>", limits: limits)
        #expect(banner.links.count == (value > 0 ? 1 : 0))
        limits.bytes = value
        limits.parts = value
        limits.attributes = value
        let outcome = Result { try HTMLDocument(parsing: "<a href=x></b><i>", limits: limits) }
        #expect((try? outcome.get()) != nil || value <= 0)
    }

    @Test(
        "hostile markup results in a document or an error",
        arguments: [
            ("", "<", ""), ("", "<a", ""), ("", "</", ""), ("", "</i>", ""),
            ("<i><div>" + String(repeating: "<b>", count: 150), "</i>", ""),
            ("", "<div>", ""), ("", "<!--", ""), ("", "<!---->", ""), ("<!--", ">", ""), ("", "<!", ""), ("", "<?", ""),
            ("", "<script>", ""),
            ("<script><!--", "<", ""), ("<script><!--", "<script>", ""), ("", "<script></script>", ""),
            ("<svg>", "<![CDATA[", ""),
            ("<a href='", "<a href='", ""), ("<a href=\"", "x ", ""), ("<a ", "\" ", ">"), ("<a ", "x", ">"),
            ("", "&", ""), ("", "&a;", ""),
            ("", "&#xD800;", ""), ("<a href='", "&#xD800;", "'>"), ("", "\0", ""), ("<a href='", "\u{1}", "'>"),
            ("", "\u{FFFE}", ""),
            ("<style>", "url(", "</style>"), ("<style>", "gradient(", "</style>"), ("<p style='", ";:(", "'>"),
            ("<script>", "mraid.", "</script>"),
            ("", "[ABC", ""), ("", "${A", ""), ("", "%%", ""), ("", "<wbr>", ""), ("", "<source>", ""),
            ("", "<div/>", ""), ("", "<body>", ""),
            ("", "<table><tr><td>", ""), ("", "<li>", ""), ("", "\n", ""), ("<title>", "x", ""),
            ("<img srcset='", ",", "'>"),
            ("<meta name=viewport content='", "a=b,", "'>"), ("<meta http-equiv=refresh content='0;url", "=", "'>"),
            ("", "\u{A0}", ""),
        ]
    )
    func shapes(opening: String, middle: String, closing: String) {
        let markup = opening + String(repeating: middle, count: 100_000 / middle.utf8.count) + closing
        let outcome = Result { try HTMLDocument(parsing: markup) }
        switch outcome {
        case .success(let banner): #expect(banner.issues.count <= 51)
        case .failure(let error): #expect(error is MarkupError)
        }
        _ = MarkupKind(sniffing: markup)
    }

    @Test(
        "bytes that are not text result in a document or an error",
        arguments: [0x00, 0x80, 0xC3, 0xD8, 0xEF, 0xF4, 0xFF]
    )
    func bytes(byte: UInt8) throws {
        let bytes = [UInt8](repeating: byte, count: 50_000)
        #expect(try HTMLDocument(parsing: bytes).links == [])
        for charset in ["gbk", "shift_jis", "iso-2022-jp", "windows-1252", "utf-16"] {
            #expect(try HTMLDocument(parsing: bytes, charset: charset).links == [])
        }
    }
}
