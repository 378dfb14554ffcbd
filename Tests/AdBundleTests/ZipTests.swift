import TestSupport
import Testing

@testable import AdBundle

@Suite("Zip files")
struct ZipTests {
    @Test("a zip is recognized by its first bytes, an empty one too")
    func signature() {
        #expect(AdBundle.isZip(ZipWriter([Fixtures.index]).bytes))
        #expect(AdBundle.isZip(ZipWriter([]).bytes))
        #expect(!AdBundle.isZip(Array("PK".utf8)))
        #expect(!AdBundle.isZip([0x50, 0x4B, 1, 2, 0]))
        #expect(!AdBundle.isZip(Array("<html>".utf8)))
    }

    @Test("stored and deflated files are read with their content types, and the bundle has its figures")
    func files() throws {
        let script = Array("let a = 1".utf8)
        let bundle = try Fixtures.read([
            Fixtures.index,
            .init("js/ad.js", deflated: Deflate.stored(script), of: script),
            .init("empty.css", []),
            .init("nothing.txt", deflated: [3, 0], of: []),
        ]).get()
        #expect(bundle.name == "ad.zip")
        #expect(bundle.indexPath == "index.html")
        #expect(bundle.files["js/ad.js"]?.bytes == script)
        #expect(bundle.files["js/ad.js"]?.contentType == "text/javascript; charset=utf-8")
        #expect(bundle.files["empty.css"]?.bytes == [])
        #expect(bundle.files["nothing.txt"]?.bytes == [])
        #expect(bundle.fileCount == 4)
        #expect(bundle.totalBytes == 3 + script.count)
        #expect(bundle.indexBytes == 3)
        #expect(bundle.issues == [])
    }

    @Test("a long file comes out whole")
    func long() throws {
        let zeros = Deflate.zeros(900_000)
        let data = [UInt8](repeating: 0, count: zeros.count)
        let file = ZipWriter.Entry("a.bin", deflated: zeros.packed, of: data)
        let bundle = try Fixtures.read([Fixtures.index, file]).get()
        #expect(bundle.files["a.bin"]?.bytes == data)
        #expect(bundle.issues == [])
    }

    @Test("sizes that follow the data, as in zip files of macOS, are no fault")
    func descriptors() throws {
        let script = Array("PK\u{7}\u{8} let a = 1".utf8)
        let bundle = try Fixtures.read([
            Fixtures.index.withDescriptor, .init("empty.css", []).withDescriptor,
            ZipWriter.Entry("a.js", deflated: Deflate.stored(script), of: script).withDescriptor,
        ]).get()
        #expect(bundle.files["a.js"]?.bytes == script)
        #expect(bundle.fileCount == 3)
        #expect(bundle.issues == [])
    }

    @Test("sizes and places in 64-bit numbers are read, and impossible ones are damage")
    func largeNumbers() throws {
        let large = ZipWriter.Entry("a.js", [1, 2, 3]).with { $0.hasLargeNumbers = true }
        let bundle = try Fixtures.read([Fixtures.index, large]).get()
        #expect(bundle.files["a.js"]?.bytes == [1, 2, 3])
        #expect(bundle.issues == [])
        var bytes = ZipWriter([Fixtures.index, large]).bytes
        // The highest byte of the place, the last one before the end.
        bytes[bytes.count - 23] = 0xFF
        #expect(Fixtures.read(bytes).message?.hasPrefix("ad.zip is damaged: entry 2 of its list of files") == true)
    }

    @Test("the library's version is known")
    func version() { #expect(AdBundle.libraryVersion.hasPrefix("libarchive 3.")) }

    @Test("a comment, 64-bit sizes and bytes before the zip are no fault", arguments: 0..<4)
    func variants(number: Int) throws {
        var writer = ZipWriter([Fixtures.index, .init("a.js")])
        if number == 1 { writer.comment = Array("made by PK".utf8) }
        if number == 2 { writer.isZip64 = true }
        var bytes = writer.bytes
        // A program that unpacks itself stands before its zip; the first bytes must still be those of one.
        if number == 3 { bytes = ZipWriter([.init("x")]).bytes.prefix(40) + bytes }
        let bundle = try Fixtures.read(bytes).get()
        #expect(bundle.files.keys.sorted() == ["a.js", "index.html"])
        #expect(bundle.issues == [])
    }

    @Test("folders are no files, and what file managers leave behind is left out silently")
    func litter() throws {
        let names = ["__MACOSX/", "__MACOSX/ad/._index.html", "ad/.DS_Store", "ad/Thumbs.db", "ad/Desktop.ini"]
        let folder = ZipWriter.Entry("ad", []).with { $0.attributes = 0x10 }
        let unix = ZipWriter.Entry("ad/img", []).of(unixType: 0o040000)
        let others = ["ad/img/", "ad/index.html", "ad/._index.html"]
        let entries = names.map { ZipWriter.Entry($0) } + [folder, unix] + others.map { .init($0) }
        let bundle = try Fixtures.read(entries).get()
        #expect(bundle.files.keys.sorted() == ["ad/index.html"])
        #expect(bundle.issues == [])
    }

    @Test("names in UTF-8 are read with and without the bit for it")
    func unicode() throws {
        let marked = ZipWriter.Entry("bild-größe.png").with { $0.flags = 1 << 11 }
        let bundle = try Fixtures.read([Fixtures.index, marked, .init("картинка.png")]).get()
        #expect(bundle.files.keys.sorted() == ["bild-größe.png", "index.html", "картинка.png"])
        #expect(bundle.issues == [])
    }

    @Test("other names are code page 437, or have replacements, with an issue")
    func codePage() throws {
        let old = ZipWriter.Entry(name: [0x67, 0x72, 0x94, 0xE1, 0x65, 0x2E, 0x70, 0x6E, 0x67])
        let wrong = ZipWriter.Entry(name: [0x61, 0xFF, 0x2E, 0x6A, 0x73]).with { $0.flags = 1 << 11 }
        let result = Fixtures.read([Fixtures.index, old, wrong])
        #expect(result.paths == ["a\u{FFFD}.js", "größe.png", "index.html"])
        #expect(result.issues.count == 2)
        #expect(result.issues.first?.hasPrefix("bundle.encoding (größe.png): its name is not UTF-8, and was") == true)
        #expect(result.issues.last?.contains("the wrong bytes were replaced") == true)
    }

    @Test("a zip in a zip is a file like any other")
    func nested() throws {
        let inner = ZipWriter([.init("../outside.html")]).bytes
        let bundle = try Fixtures.read([Fixtures.index, .init("inner.zip", inner)]).get()
        #expect(bundle.files["inner.zip"]?.bytes == inner)
        #expect(bundle.issues == [])
    }
}
