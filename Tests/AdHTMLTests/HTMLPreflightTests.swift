import AdCore
import AdMarkup
import TestSupport
import Testing

@testable import AdHTML

@Suite("Preflight of a banner")
struct HTMLPreflightTests {
    /// Markup that moves a banner beyond the part that the preflight reads first.
    private static let padding = [
        "", "<!-- \(String(repeating: "a comment ", count: 100))-->", String(repeating: " \n", count: 2000),
        String(repeating: "<div hidden>text</div>", count: 300), String(repeating: "<p></p>", count: 1000),
        "<style>.a{color:red}\(String(repeating: " ", count: 5000))</style>",
        "<title>\(String(repeating: "a title ", count: 200))</title>",
        "<input type=hidden value='\(String(repeating: "<p>text</p>", count: 500))'>",
    ]

    @Test("the preflight agrees with the full document", arguments: Banners.all, HTMLPreflightTests.padding)
    func agrees(banner: String, padding: String) throws {
        for markup in [padding + banner, banner + padding] {
            let preflight = try HTMLPreflight(parsing: markup)
            let document = try HTMLDocument(parsing: markup)
            #expect(preflight.hasVisibleContent == document.hasVisibleContent)
            #expect(preflight.isFragment == document.isFragment)
            #expect(preflight.stageDocument() == document.stageDocument())
            #expect(preflight.markup == document.markup)
        }
    }

    @Test("the result is the same wherever the preflight cuts the markup")
    func torn() throws {
        let words = [
            "&nbsp;", "&#8203;", "<i></i>", "<b title='a > b'></b>", "<!-- - > -->", "\u{A0}", "\u{200B}", "é</title >",
        ]
        for shift in 0..<40 {
            for word in words {
                let markup = String(repeating: " ", count: shift) + "<title>" + String(repeating: word, count: 3000)
                let document = try HTMLDocument(parsing: markup)
                #expect(
                    try HTMLPreflight(parsing: markup).hasVisibleContent == document.hasVisibleContent,
                    "\(shift) \(word)"
                )
            }
        }
    }

    @Test("document tags after the part that is read first are found")
    func lateFrame() throws {
        let script = "<script>\(String(repeating: "draw();", count: 500))</script>"
        for (rest, isFragment) in [
            ("<!DOCTYPE html><p>x", false), ("<BODY>", false), ("<!-- <html> -->", true), ("", true),
        ] {
            let preflight = try HTMLPreflight(parsing: script + rest)
            #expect(preflight.hasVisibleContent)
            #expect(preflight.isFragment == isFragment, "\(rest)")
        }
    }

    @Test("a limit that is exceeded before any visible content is an error")
    func bounds() {
        #expect(throws: MarkupError.self) { try HTMLPreflight(parsing: String(repeating: "<div>", count: 200_000)) }
        var limits = HTMLLimits()
        limits.bytes = 10
        #expect(throws: MarkupError.self) { try HTMLPreflight(parsing: "more than ten bytes", limits: limits) }
    }
}
