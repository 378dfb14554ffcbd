import AdCore
import AdMarkup
import TestSupport
import Testing

@testable import AdHTML

@Suite("A glance at a banner")
struct HTMLGlanceTests {
    /// What pushes the rest of a banner beyond what is looked at first.
    private static let before = [
        "", "<!-- \(String(repeating: "a comment ", count: 100))-->", String(repeating: " \n", count: 2000),
        String(repeating: "<div hidden>text</div>", count: 300), String(repeating: "<p></p>", count: 1000),
        "<style>.a{color:red}\(String(repeating: " ", count: 5000))</style>",
        "<title>\(String(repeating: "a title ", count: 200))</title>",
        "<input type=hidden value='\(String(repeating: "<p>text</p>", count: 500))'>",
    ]

    @Test("says the same as a whole reading", arguments: Banners.all, HTMLGlanceTests.before)
    func agrees(banner: String, before: String) throws {
        for markup in [before + banner, banner + before] {
            let glance = try HTMLPreflight(at: markup)
            let document = try HTMLDocument(parsing: markup)
            #expect(glance.hasSomethingToSee == document.hasSomethingToSee)
            #expect(glance.isFragment == document.isFragment)
            #expect(glance.stageDocument() == document.stageDocument())
            #expect(glance.markup == document.markup)
        }
    }

    @Test("is not deceived by what is torn at the end of a part")
    func torn() throws {
        let words = [
            "&nbsp;", "&#8203;", "<i></i>", "<b title='a > b'></b>", "<!-- - > -->", "\u{A0}", "\u{200B}", "é</title >",
        ]
        for shift in 0..<40 {
            for word in words {
                let markup = String(repeating: " ", count: shift) + "<title>" + String(repeating: word, count: 3000)
                let document = try HTMLDocument(parsing: markup)
                #expect(
                    try HTMLPreflight(at: markup).hasSomethingToSee == document.hasSomethingToSee,
                    "\(shift) \(word)"
                )
            }
        }
    }

    @Test("finds the document's own frame also far behind what is seen first")
    func lateFrame() throws {
        let script = "<script>\(String(repeating: "draw();", count: 500))</script>"
        for (rest, isFragment) in [
            ("<!DOCTYPE html><p>x", false), ("<BODY>", false), ("<!-- <html> -->", true), ("", true),
        ] {
            let glance = try HTMLPreflight(at: script + rest)
            #expect(glance.hasSomethingToSee)
            #expect(glance.isFragment == isFragment, "\(rest)")
        }
    }

    @Test("a bound that is exceeded before there is anything to see is an error")
    func bounds() {
        #expect(throws: MarkupError.self) { try HTMLPreflight(at: String(repeating: "<div>", count: 200_000)) }
        var limits = HTMLLimits()
        limits.bytes = 10
        #expect(throws: MarkupError.self) { try HTMLPreflight(at: "more than ten bytes", limits: limits) }
    }
}
