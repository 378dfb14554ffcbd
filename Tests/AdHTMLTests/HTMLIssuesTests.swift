import AdCore
import TestSupport
import Testing

@testable import AdHTML
@testable import AdMarkup

@Suite("Issues of banner HTML")
struct HTMLIssuesTests {
    @Test(
        "markup that a browser repairs is an issue with its line",
        arguments: [
            ("<p>\n<b>x", "html.element.unclosed", 2),
            ("\n<b><i>x</b>", "html.element.unclosed", 2),
            ("x\n</b>", "html.endTag.stray", 2),
            ("\n</img>", "html.endTag.stray", 2),
            ("\n<div/></div>", "html.tag.selfClosed", 2),
            ("\n<script src=x/></script>\n<script src='y'/></script>", "html.tag.selfClosed", 3),
            ("<script>\n<script>", "html.content.unclosed", 1),
            ("\n<style>a{}", "html.content.unclosed", 2),
            ("x\n<a href='y>z", "html.tag.truncated", 2),
            ("x\n</a", "html.tag.truncated", 2),
            ("\n<!-- x", "html.comment.unclosed", 2),
            ("<p>\n<!doctype html>", "html.doctype.misplaced", 2),
            ("<body>\n<body>", "html.element.misplaced", 2),
            ("<p></p>\n<html>", "html.element.misplaced", 2),
            ("x\n\0\u{1}", "html.character.control", 2),
            ("\n<meta name=ad.size content=big>", "html.adSize.unreadable", 2),
        ]
    )
    func issue(markup: String, code: String, line: Int) throws {
        let issues = try HTMLDocument(parsing: markup).issues
        #expect(issues.map(\.code) == [code])
        #expect(issues.first?.place == .line(line))
    }

    @Test(
        "errors that libxml2 reports are issues with their line",
        .enabled(if: HTMLDriver.agreesWithScan, "libxml2 2.14 and later report other errors"),
        arguments: [
            ("\n<p a=1 b a=2></p>", "html.attribute.duplicate", 2),
            ("\n<p \"x\">", "html.attribute.name", 2),
            ("\n<p></p x=y>", "html.endTag.attributes", 2),
            ("\n&copy 2026", "html.entity.unterminated", 2),
            ("\n&#65 x", "html.entity.unterminated", 2),
            ("\n<p title='&#x110000;'>", "html.entity.invalid", 2),
            ("\n&#xD800;", "html.entity.invalid", 2),
        ]
    )
    func parserIssue(markup: String, code: String, line: Int) throws {
        try self.issue(markup: markup, code: code, line: line)
    }

    @Test(
        "markup that browsers accept has no issues",
        arguments: [
            "<section><main><custom-tag></custom-tag></main></section>", "<svg><path d=''/></svg>",
            "<br/><img src=x />",
            "<p>a<p>b<ul><li>1<li>2</ul>", "<table><tr><td>1<td>2<tr><td>3</table>",
            "<select><option>1<option>2</select>",
            "<a href='?a=1&b=2&copy=3&amp;c'>x</a>", "a & b", "a < b", "<p hidden data-x>", "<html><body>x",
            "<head></head>",
            "<video><source src=x><track src=y></video>", "<script>'</b>'</script>", "<p>x</p></body></html>",
            "<html><body><p>x</p></body></html>\n<!-- behind --><script></script>", "\r\n\u{C}",
        ]
    )
    func noIssue(markup: String) throws {
        #expect(try HTMLDocument(parsing: markup).issues == [])
    }

    @Test(
        "the issue of an invalid ad.size quotes the value and the reason",
        arguments: [
            ("320x50", "write width=320,height=50"), ("big", "write width=300,height=250"),
            ("width=100%,height=250", "a percentage is no size"),
            ("width=20000,height=20000", "longer than 16384 pixels"),
            ("width=1,height=1", "that is a pixel"),
        ]
    )
    func adSize(content: String, problem: String) throws {
        let issues = try HTMLDocument(parsing: "<meta name=ad.size content=\"\(content)\">").issues
        #expect(issues.map(\.code) == ["html.adSize.unreadable"])
        let message = try #require(issues.first?.message)
        #expect(message.hasPrefix("ad.size is \u{201C}\(content)\u{201D}") && message.contains(problem), "\(message)")
    }

    @Test("a limited number of issues is listed by line, and a last one counts the others")
    func bounded() throws {
        let markup = String(repeating: "</i>\n", count: 100) + String(repeating: "<b/></b>\n", count: 100)
        let issues = try HTMLDocument(parsing: markup).issues
        #expect(issues.count == 51)
        #expect(issues.prefix(50).map(\.place) == (1...50).map { .line($0) })
        #expect(issues.last == AdIssue("html.issues.more", at: .whole, "150 more issues are not listed"))
    }

    @Test("the issue of a limited list has the number of dropped items")
    func cut() throws {
        var limits = HTMLLimits()
        limits.listed = 2
        let markup = String(repeating: "<a href=x></a><img src=http:x><script src=x></script>[MACRO]", count: 5)
        let banner = try HTMLDocument(parsing: markup, limits: limits)
        #expect(banner.links.count == 2)
        #expect(banner.images.count == 2)
        #expect(banner.placeholders.count == 2)
        #expect(
            banner.issues.map(\.code) == [
                "html.links.cut", "html.images.cut", "html.scripts.cut", "html.insecureResources.cut",
                "html.placeholders.cut",
            ]
        )
        #expect(banner.issues.first?.message == "3 more links are not listed")
    }

    @Test("broken markup still has its recognizable parts")
    func broken() throws {
        let banner = try HTMLDocument(parsing: Banners.broken)
        #expect(banner.links.map(\.template.text) == ["https://a.example/?x=1&y=2&copy=3"])
        #expect(banner.callsMRAID)
        #expect(banner.pixels == [])
        #expect(banner.images.map(\.role) == [.background])
        #expect(banner.placeholders == [])
        let codes = Set(banner.issues.map(\.code))
        #expect(
            codes.isSuperset(of: [
                "html.element.unclosed", "html.endTag.stray", "html.tag.selfClosed", "html.tag.truncated",
            ])
        )
    }

    @Test(
        "errors that libxml2 reports in broken markup are issues",
        .enabled(if: HTMLDriver.agreesWithScan, "libxml2 2.14 and later report other errors")
    )
    func brokenForParser() throws {
        let codes = Set(try HTMLDocument(parsing: Banners.broken).issues.map(\.code))
        #expect(
            codes.isSuperset(of: [
                "html.attribute.duplicate", "html.attribute.name", "html.endTag.attributes", "html.entity.invalid",
                "html.entity.unterminated",
            ])
        )
    }
}
