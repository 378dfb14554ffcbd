import AdCore
import Testing

@testable import AdBundle

@Suite("What an ad asks its bundle for")
struct RequestTests {
    private func bundle(_ names: [String]) throws -> AdBundle {
        try Fixtures.read(names.map { .init($0, Array($0.utf8)) }).get()
    }

    private func text(_ file: AdBundle.File?) -> String? { file.map { String(decoding: $0.bytes, as: UTF8.self) } }

    @Test(
        "a path is decoded once, its dots and doubled slashes are resolved, query and fragment are dropped",
        arguments: [
            "/img/a b.png", "/img/a%20b.png", "/img/a%20b.png?x=/../y#z", "/img/a%20b.png#?", "//img//./a%20b.png",
            "/js/../img/a%20b.png", "/js/%2e%2e/img/%61%20b.png", "img/a%20b.png", "./img/a b.png",
        ]
    )
    func found(path: String) throws {
        let bundle = try self.bundle(["index.html", "img/a b.png"])
        #expect(self.text(bundle.file(at: path)) == "img/a b.png")
        #expect(bundle.issue(at: path) == nil)
    }

    @Test(
        "what leads out, does not exist or is decoded twice is not found",
        arguments: [
            "/../index.html", "../index.html", "/img/../../index.html", "/%2e%2e/index.html", "/..%2findex.html",
            "/img", "/a.png", "/index.html/", "/img/a%2520b.png", "/index.html%00", "/img\\a b.png", "/etc/passwd",
            "/%",
            "https://x.example/index.html",
        ]
    )
    func missing(path: String) throws {
        let bundle = try self.bundle(["index.html", "img/a b.png"])
        #expect(bundle.file(at: path) == nil)
        #expect(bundle.issue(at: path) == nil)
    }

    @Test("an accent after a slash does not hide it")
    func accentAfterSlash() throws {
        let bundle = try self.bundle(["index.html", "img/a.png"])
        #expect(bundle.file(at: "/..%2F\u{301}x.html") == nil)
        #expect(bundle.file(at: "/img/\u{301}/../a.png") != nil)
        #expect(BundlePath.parts(of: "a/\u{301}b/c") == ["a", "\u{301}b", "c"])
        guard case .failure(.outside) = BundlePath.path(of: "../\u{301}x.html", within: BundleLimits()) else {
            Issue.record("a name that leads out was accepted")
            return
        }
    }

    @Test("a name with escapes and marks in it is found by its encoded form only")
    func marks() throws {
        let bundle = try self.bundle(["index.html", "a%20b?c#d.js"])
        #expect(self.text(bundle.file(at: "/a%2520b%3Fc%23d.js")) == "a%20b?c#d.js")
        #expect(bundle.file(at: "/a%20b?c#d.js") == nil)
    }

    @Test("without a slash at the beginning it is relative to the page, with one to the top")
    func relative() throws {
        let bundle = try self.bundle(["ad/index.html", "ad/a.js", "shared/b.js"].map { "top/\($0)" })
        #expect(bundle.indexPath == "top/ad/index.html")
        #expect(self.text(bundle.file(at: "a.js")) == "top/ad/a.js")
        #expect(self.text(bundle.file(at: "../shared/b.js")) == "top/shared/b.js")
        #expect(self.text(bundle.file(at: "/top/ad/a.js")) == "top/ad/a.js")
        #expect(bundle.file(at: "/a.js") == nil)
        #expect(bundle.file(at: "../../../a.js") == nil)
    }

    @Test("a folder stands for its page")
    func folders() throws {
        let bundle = try self.bundle(["ad/banner.html", "ad/more/index.html", "ad/img/a.png"])
        #expect(bundle.indexPath == "ad/banner.html")
        for path in ["", ".", "?a=1", "/ad/", "/ad/.", "more/.."] {
            #expect(self.text(bundle.file(at: path)) == "ad/banner.html", "\(path)")
        }
        #expect(self.text(bundle.file(at: "/ad/more/")) == "ad/more/index.html")
        #expect(bundle.file(at: "/") == nil)
        #expect(bundle.file(at: "/ad") == nil)
        #expect(bundle.file(at: "img/") == nil)
    }

    @Test("other letters are not found, and the hint names both spellings")
    func letters() throws {
        let bundle = try self.bundle(["index.html", "img/Logo.PNG", "img/logo.PNG"])
        #expect(bundle.file(at: "/img/logo.png") == nil)
        #expect(
            bundle.issue(at: "/img/logo.png?v=1")?.description
                == "bundle.case (img/logo.png): the ad asks for img/logo.png, and the bundle has img/Logo.PNG, in other "
                + "letters: ad servers do not find it; spell it the same in both places"
        )
        #expect(bundle.issue(at: "/img/logo.PNG") == nil)
    }

    @Test("an accent that macOS wrote as a character of its own is not found, and the hint says so")
    func accents() throws {
        let bundle = try self.bundle(["index.html", "cafe\u{301}.png"])
        #expect(bundle.file(at: "/caf%C3%A9.png") == nil)
        #expect(bundle.file(at: "/cafe%CC%81.png") != nil)
        let hint = bundle.issue(at: "/caf%C3%A9.png")?.message
        #expect(hint?.contains("its accents are written with other characters: ad servers do not find it") == true)
    }

    @Test("each kind of file has its content type, in any letters")
    func types() {
        let expected = [
            "a.html": "text/html; charset=utf-8",
            "a.HTM": "text/html; charset=utf-8",
            "x/a.min.js": "text/javascript; charset=utf-8",
            "a.mjs": "text/javascript; charset=utf-8",
            "a.css": "text/css; charset=utf-8",
            "a.png": "image/png",
            "a.jpg": "image/jpeg",
            "a.JPEG": "image/jpeg",
            "a.gif": "image/gif",
            "a.webp": "image/webp",
            "a.avif": "image/avif",
            "a.svg": "image/svg+xml; charset=utf-8",
            "a.woff": "font/woff",
            "a.woff2": "font/woff2",
            "a.ttf": "font/ttf",
            "a.otf": "font/otf",
            "a.mp4": "video/mp4",
            "a.webm": "video/webm",
            "a.mp3": "audio/mpeg",
            "a.ogg": "audio/ogg",
            "a.wav": "audio/wav",
            "a.json": "application/json; charset=utf-8",
            "a.xml": "text/xml; charset=utf-8",
            "a.txt": "text/plain; charset=utf-8",
            "a.wasm": "application/wasm",
            "a.ico": "image/x-icon",
            "a": "application/octet-stream",
            "png": "application/octet-stream",
            "a.": "application/octet-stream",
            "a.png/b": "application/octet-stream",
            "a.psd": "application/octet-stream",
        ]
        for (path, type) in expected { #expect(ContentType.of(path) == type, "\(path)") }
    }
}
