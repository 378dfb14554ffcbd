import Testing

@testable import AdBundle

@Suite("The page that a bundle begins with")
struct IndexTests {
    @Test(
        "it is the index at the top, else the only page, else the same in the only folder",
        arguments: [
            (["index.html", "a.html", "b/index.html"], "index.html"),
            (["a.html", "index.htm"], "index.htm"),
            (["index.htm", "index.html"], "index.html"),
            (["a.html", "Index.HTML"], "Index.HTML"),
            (["Index.html", "index.html"], "index.html"),
            (["banner.html", "b/index.html", "a.js"], "banner.html"),
            (["ad/index.html", "ad/a.html", "ad/a.js"], "ad/index.html"),
            (["ad/en/index.html", "ad/en/img/b.html"], "ad/en/index.html"),
            (["ad/banner.HTM", "ad/img/a.png"], "ad/banner.HTM"),
            (["a.js", "html/banner.html"], "html/banner.html"),
            (["ad/js/a.js", "ad/html/banner.html"], "ad/html/banner.html"),
        ] as [([String], String)]
    )
    func rules(names: [String], index: String) throws {
        // Of what order the files are makes no difference.
        for entries in [names, names.reversed()] {
            let bundle = try Fixtures.read(entries.map { .init($0) }).get()
            #expect(bundle.indexPath == index)
            #expect(bundle.indexBytes == 1)
        }
    }

    @Test("of several pages without an index none is guessed, and they are named")
    func several() {
        #expect(
            Fixtures.read([.init("de/index.html"), .init("en/index.html")]).message
                == "ad.zip has 2 pages, and it can't be told which comes first (de/index.html, en/index.html); name that "
                + "one index.html, at the top, or use only its folder"
        )
        let many = (1...8).map { ZipWriter.Entry("\($0).html") }
        #expect(Fixtures.read(many).message?.contains("(1.html, 2.html, 3.html, 4.html, 5.html and 3 more)") == true)
    }

    @Test("without a page the error says so, and why one was left out")
    func none() {
        #expect(
            Fixtures.read([.init("a.js"), .init("html")]).message
                == "ad.zip has no page to begin with: none of its 2 files is .html or .htm; add an index.html"
        )
        let encrypted = ZipWriter.Entry("index.html").with { $0.flags = 1 }
        #expect(
            Fixtures.read([.init("a.js"), encrypted]).message
                == "ad.zip has no page to begin with: none of its 1 file is .html or .htm; left out: index.html: "
                + EntryFault.encrypted.message
        )
    }
}
