import AdCore
import AdHTML
import TestSupport
import Testing

@Suite("Documents for a stage")
struct StageDocumentTests {
    @Test(
        "a fragment is unchanged between the opening and the closing",
        arguments: [
            Banners.boots, Banners.tag, Banners.media, Banners.broken, "", "x", "<!-- x", "\0", "é\u{301}",
            "</body></html>",
        ]
    )
    func fragment(markup: String) throws {
        let page = try HTMLDocument(parsing: markup).stageDocument()
        #expect(Array(page.utf8) == Array((HTMLDocument.stageOpening + markup + HTMLDocument.stageClosing).utf8))
    }

    @Test(
        "a whole document is unchanged",
        arguments: [
            Banners.tea, "<!DOCTYPE html>x", "<body>x", "<html>x", "<HEAD></HEAD>x", "x<html>",
            "<!-- c -->\n<html>\r\n",
        ]
    )
    func document(markup: String) throws {
        #expect(Array(try HTMLDocument(parsing: markup).stageDocument().utf8) == Array(markup.utf8))
    }

    @Test(
        "text that only looks like an html tag does not make a document",
        arguments: [
            "<!-- <html> -->", "<script>'<html>'</script>", "<htmlx>", "</html>", "<style><body></style>",
            "<header>x</header>",
        ]
    )
    func noDocument(markup: String) throws {
        #expect(try HTMLDocument(parsing: markup).isFragment)
    }

    @Test("the opening and the closing are a valid document, and the opening is one line")
    func frame() throws {
        let page = try HTMLDocument(parsing: HTMLDocument.stageOpening + HTMLDocument.stageClosing)
        #expect(page.issues == [])
        #expect(!page.isFragment)
        #expect(page.viewport?.width == .device)
        #expect(!page.hasVisibleContent)
        #expect(!HTMLDocument.stageOpening.contains("\n"))
    }

    @Test("the page of a fragment has the same parts as the fragment, on the same lines")
    func sameLines() throws {
        let fragment = try HTMLDocument(parsing: Banners.boots)
        let page = try HTMLDocument(parsing: fragment.stageDocument())
        #expect(page.links == fragment.links)
        #expect(page.pixels == fragment.pixels)
        #expect(page.scripts == fragment.scripts)
        #expect(page.declaredSize == fragment.declaredSize)
        #expect(page.placeholders == fragment.placeholders)
    }
}
