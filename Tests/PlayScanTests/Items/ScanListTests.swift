import AdCore
import LibC
import TestSupport
import Testing

@testable import PlayScan

@Suite("The creatives that a scan is given")
struct ScanListTests {
    private func items(_ sources: [String]) throws -> [ScanItem] {
        let list = ScanList(sources)
        var items: [ScanItem] = []
        while let item = try list.next() { items.append(item) }
        return items
    }

    @Test("a folder is searched in the order of names; one with an index.html is a creative, other files are none")
    func folders() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        for name in ["b", "c", "d", "d/e"] { mkdir("\(folder.path)/\(name)", 0o755) }
        for name in ["a.html", "b/index.html", "b/other.html", "c/x.XML", "c/notes.md", "d/e/z.zip", ".hidden.html"] {
            _ = folder.write("<p>", name)
        }
        symlink(folder.path, folder.path + "/d/circle")
        let found = try self.items([folder.path + "/"]).map { $0.id.dropFirst(folder.path.count) }
        #expect(found == ["/a.html", "/b", "/c/x.XML", "/d/e/z.zip"])
        #expect(try ScanList.count([folder.path]) == 4)
    }

    @Test("a list has paths and URLs, empty lines and comments; a URL's secrets are not in its id")
    func lists() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let text = "# comment\n\n/a/b.html\nhttps://ads.example/tag?token=abcdefghijklmnop\r\n"
        let items = try self.items([#require(folder.write(text, "list.txt"))])
        #expect(items.map(\.content) == [.path("/a/b.html"), .url("https://ads.example/tag?token=abcdefghijklmnop")])
        #expect(!items[1].id.contains("abcdefghijklmnop") && !items[1].source.contains("abcdefghijklmnop"))
    }

    @Test("tags whose difference is a secret have ids of their own, which stay when lines are added, and their lines")
    func secrets() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let lines = (1...3).map { "https://ads.example/tag?token=abcdefghijklmno\($0)" }
        let first = try self.items([#require(folder.write(lines.joined(separator: "\n"), "list.txt"))])
        let second = try self.items([#require(folder.write("/a.html\n" + lines.joined(separator: "\n"), "list.txt"))])
        #expect(Set(first.map(\.id)).count == 3 && first.map(\.id) == second.dropFirst().map(\.id))
        #expect(first.map { String($0.source.suffix(10)) } == ["list.txt:1", "list.txt:2", "list.txt:3"])
    }

    @Test("a hundred thousand equal lines are numbered in time that grows with them")
    func equal() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let text = String(repeating: "https://ads.example/tag\n", count: 100_000)
        let list = ScanList([try #require(folder.write(text, "list.txt"))])
        var last: ScanItem?
        while let item = try list.next() { last = item }
        #expect(last?.id == "https://ads.example/tag~100000")
    }

    @Test("a text file with a tag is a creative, and no list")
    func tag() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let path = try #require(folder.write("\n <script src=\"https://ads.example/a.js\"></script>\n", "tag.txt"))
        #expect(try self.items([path]).map(\.content) == [.path(path)])
    }

    @Test("an object has one source, and may have an id, a format and a size")
    func objects() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let lines = [
            #"{"id": "one", "url": "https://ads.example/vast", "format": "rewarded"}"#,
            #"{"id": 7, "markup": "<b>hi</b>", "size": "300x250"}"#,
            #"{"tag": "https://ads.example/js", "size": [320, 50]}"#,
            #"{"tag": "<img src='https://ads.example/x.png'>"}"#,
            #"{"file": "/a.html"}"#,
        ]
        let items = try self.items([#require(folder.write(lines.joined(separator: "\n"), "list.jsonl"))])
        #expect(items.map(\.id.description).prefix(2) == ["one", "7"])
        #expect(items[0].content == .url("https://ads.example/vast") && items[0].format == .rewarded)
        #expect(items[1].content == .markup(Array("<b>hi</b>".utf8)) && items[1].size == Size(width: 300, height: 250))
        #expect(items[2].content == .url("https://ads.example/js") && items[2].size == Size(width: 320, height: 50))
        #expect(items[2].id.hasSuffix("list.jsonl:3"))
        #expect(items[3].content == .markup(Array("<img src='https://ads.example/x.png'>".utf8)))
        #expect(items[4].content == .path("/a.html") && items[4].source == "/a.html")
    }

    @Test(
        "a line that names no creative is one that fails, with its place",
        arguments: [
            ("{", "list.jsonl:1 is no JSON"),
            ("{}", "list.jsonl:1 has no source; give one of file, url, markup or tag"),
            (#"{"url": "u", "markup": "m"}"#, "list.jsonl:1 has several sources (url, markup)"),
            (#"{"url": "https://x.example", "format": "popup"}"#, "list.jsonl:1: unknown format popup"),
            (#"{"url": "ads.example/tag"}"#, "list.jsonl:1: ads.example/tag is no URL; begin it with https://"),
            (#"{"file": "-"}"#, "list.jsonl:1: - is no file and no folder"),
            (#"{"file": "/dev/zero"}"#, "list.jsonl:1: /dev/zero is no file and no folder"),
            (#"{"url": "https://x.example", "size": "big"}"#, "list.jsonl:1: the size is not as in \"300x250\""),
        ]
    )
    func invalid(line: String, message: String) throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let items = try self.items([#require(folder.write(line, "list.jsonl"))])
        guard case .invalid(let reason)? = items.first?.content else { return #expect(Bool(false), "\(items)") }
        #expect(reason.contains(message))
    }

    @Test("creatives with the same id are told apart")
    func duplicates() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let lines = ["a", "a", "a~2", "a"].map { #"{"id": "\#($0)", "url": "https://ads.example/"}"# }
        let path = try #require(folder.write(lines.joined(separator: "\n"), "list.jsonl"))
        #expect(try self.items([path]).map(\.id) == ["a", "a~2", "a~2~2", "a~3"])
    }

    @Test("a missing source and a folder without creatives are errors")
    func missing() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let missing = #expect(throws: ScanList.Failure.self) { try self.items(["/does/not/exist.html"]) }
        #expect(missing?.message == "/does/not/exist.html can't be read: No such file or directory")
        let empty = #expect(throws: ScanList.Failure.self) { try self.items([folder.path]) }
        #expect(empty?.message.contains("has no creatives; files end in .htm, .html") == true)
    }

    @Test("a list of a hundred thousand lines, and of a million in the long form, is not held in memory")
    func long() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let count = LongForm.either(1_000_000, short: 100_000)
        let file = try #require(fopen(folder.path + "/list.txt", "w"))
        for number in 0..<count { fputs("https://ads.example/creatives/number-\(number)/tag\n", file) }
        fclose(file)
        #expect(try ScanList.count([folder.path + "/list.txt"]) == count)
    }

    @Test("the digest of a creative changes with its bytes, and that of a bundle with its files")
    func digests() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let path = try #require(folder.write("one", "a.html"))
        let item = ScanItem("a", .path(path), from: path)
        let first = item.digest
        #expect(item.digest == first)
        _ = folder.write("two", "a.html")
        #expect(item.digest != first)
        var sized = item
        sized.size = Size(width: 300, height: 250)
        #expect(sized.digest != item.digest)
        mkdir(folder.path + "/b", 0o755)
        let bundle = ScanItem("b", .path(folder.path + "/b"), from: "b")
        let empty = bundle.digest
        _ = folder.write("x", "b/index.html")
        #expect(bundle.digest != empty)
    }
}
