import AdCore
import LibC
import LoopbackServer
import Testing

@testable import SandboxSSP

@Suite("Creatives, over HTTP")
struct CreativeServingTests {
    @Test("a file is served with its media type, text files with the sandbox's URL")
    func served() {
        var state = Samples.state()
        let drawing = state.request("GET", "/creatives/leaf.svg")
        #expect(drawing.headers["content-type"] == "image/svg+xml")
        #expect(drawing.text.contains(#"href="http://127.0.0.1:9/landing""#))
        let bytes = state.request("GET", "/creatives/assets/ten.bin")
        #expect(bytes.headers["content-type"] == "application/octet-stream")
        #expect(bytes.bytes == Array(0..<10))
        #expect(state.request("GET", "/creatives/two%20words.txt").text == "two words")
    }

    @Test(
        "no path gives access to files outside the catalogue",
        arguments: [
            "/creatives/", "/creatives", "/creatives/assets", "/creatives/assets/", "/creatives/../leaf.svg",
            "/creatives/../../../../etc/passwd", "/creatives/%2e%2e/%2e%2e/etc/passwd",
            "/creatives/..%2f..%2fetc%2fpasswd",
            "/creatives//etc/passwd", "/creatives/%2Fetc%2Fpasswd", "/creatives/leaf.svg/", "/creatives/./leaf.svg",
            "/creatives/leaf.svg%00.html", "/creatives/%252e%252e/x", "/creatives/assets/../leaf.svg", "/../etc/passwd",
        ]
    )
    func traversal(path: String) throws {
        let sandbox = try Samples.sandbox()
        #expect(try fetch(sandbox.port, "GET", path).status == 404)
        #expect(sandbox.hits().map(\.path) == [path])
    }

    @Test("the path of an absolute request target is used")
    func absolute() throws {
        let sandbox = try Samples.sandbox()
        #expect(try fetch(sandbox.port, "GET", "http://127.0.0.1/creatives/leaf.svg").status == 200)
        #expect(sandbox.hits().map(\.path) == ["/creatives/leaf.svg"])
    }

    @Test(
        "a byte range of a file is served",
        arguments: [
            ("bytes=0-3", 206, "bytes 0-3/10", 0..<4), ("bytes=4-", 206, "bytes 4-9/10", 4..<10),
            ("bytes=-3", 206, "bytes 7-9/10", 7..<10), ("bytes=-30", 206, "bytes 0-9/10", 0..<10),
            ("bytes=8-99", 206, "bytes 8-9/10", 8..<10), ("bytes=9-9", 206, "bytes 9-9/10", 9..<10),
            ("bytes=10-", 416, "bytes */10", 0..<0), ("bytes=-0", 416, "bytes */10", 0..<0),
            ("bytes=3-1", 200, nil, 0..<10), ("bytes=0-1,3-4", 200, nil, 0..<10), ("lines=0-1", 200, nil, 0..<10),
            ("bytes=-", 200, nil, 0..<10), ("bytes=99999999999999999999-", 200, nil, 0..<10),
            ("bytes=a-b", 200, nil, 0..<10),
        ] as [(String, Int, String?, Range<UInt8>)]
    )
    func ranges(range: String, status: Int, contentRange: String?, bytes: Range<UInt8>) throws {
        let sandbox = try Samples.sandbox()
        let answer = try fetch(sandbox.port, "GET", "/creatives/assets/ten.bin", headers: ["Range": range])
        #expect(answer.status == status)
        #expect(answer.headers["content-range"] == contentRange)
        #expect(answer.body == Array(bytes))
    }

    @Test("the landing page shows its query, with HTML escaped")
    func landing() {
        var state = Samples.state()
        let page = state.request("GET", "/landing?from=%3Cscript%3Ealert(%22%27%26")
        #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(page.text.contains("from=&lt;script&gt;alert(&quot;&#39;&amp;"))
        #expect(state.request("GET", "/landing").text.contains("<code>none</code>"))
    }

    @Test(
        "replacing a macro leaves all other bytes unchanged",
        arguments: [
            ("", ""), ("${SANDBOX}", "B"), ("$${SANDBOX}", "$B"), ("${SANDBO", "${SANDBO"),
            ("a${SANDBOX}b${SANDBOX}", "aBbB"),
            ("${${SANDBOX}}", "${B}"), ("é${SANDBOX}é", "éBé"), ("${SANDBOX", "${SANDBOX"),
        ]
    )
    func replacing(text: String, result: String) {
        #expect(text.replacing("${SANDBOX}", by: "B") == result)
    }
}

@Suite("Creatives, from disk")
struct CreativeLoadingTests {
    /// A temporary folder.
    private final class Folder {
        let path: String
        private var files: [String] = []

        init() throws {
            var template = Array("\(P_tmpdir)/creatives-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { throw SandboxError("can't create a folder") }
            self.path = template.withUnsafeBufferPointer { buffer in
                String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
            mkdir(self.path + "/assets", 0o755)
        }

        func write(_ name: String, _ text: String) throws { try self.write(name, Array(text.utf8)) }

        func write(_ name: String, _ bytes: [UInt8]) throws {
            let descriptor = open(self.path + "/" + name, O_CREAT | O_WRONLY | O_TRUNC, 0o644)
            guard descriptor >= 0, CreativeLoadingTests.write(descriptor, bytes) == bytes.count else {
                throw SandboxError("can't write a file")
            }
            close(descriptor)
            self.files.append(name)
        }

        deinit {
            for name in self.files { unlink(self.path + "/" + name) }
            rmdir(self.path + "/assets")
            rmdir(self.path)
        }
    }

    private static func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Int {
        LibC.write(descriptor, bytes, bytes.count)
    }

    private static func entry(_ changes: [String: AdJSON?] = [:]) -> AdJSON {
        let usual: [String: AdJSON] = [
            "name": "one", "title": "One", "file": "one.html", "type": 1, "width": 320, "height": 50,
            "closeTimeout": 10,
            "format": "banner", "about": "the first",
        ]
        let members = usual.merging(changes.compactMapValues { $0 ?? .string("absent") }) { $1 }
        return .object(members.filter { $0.value != "absent" }.map { AdJSON.Member($0.key, $0.value) })
    }

    private static func manifest(_ entries: AdJSON..., version: AdJSON = 1) -> String {
        (["version": version, "creatives": .array(entries)] as AdJSON).text()
    }

    @Test("a folder's creatives and their assets are loaded, and no other files")
    func loads() throws {
        let folder = try Folder()
        try folder.write("one.html", "<p>${SANDBOX} é</p>")
        try folder.write("assets/late.svg", "<svg/>")
        try folder.write("secret.txt", "secret")
        let second = Self.entry([
            "name": "two", "width": 0, "height": 0, "format": "interstitial", "type": 2, "assets": ["assets/late.svg"],
            "tags": ["video", "fault"],
        ])
        try folder.write("manifest.json", Self.manifest(Self.entry(), second))
        let catalogue = try CreativeCatalogue.load(directory: folder.path)
        #expect(
            catalogue.creatives == [
                CreativeEntry(
                    name: "one",
                    markup: "<p>${SANDBOX} é</p>",
                    width: 320,
                    height: 50,
                    closeDelay: 10,
                    title: "One",
                    about: "the first"
                ),
                CreativeEntry(
                    name: "two",
                    kind: .video,
                    format: .interstitial,
                    markup: "<p>${SANDBOX} é</p>",
                    closeDelay: 10,
                    title: "One",
                    about: "the first",
                    tags: [.video, .fault]
                ),
            ]
        )
        #expect(Set(catalogue.files.keys) == ["one.html", "assets/late.svg"])
    }

    @Test(
        "the error names an invalid member of the manifest",
        arguments: [
            (["name": .none], "\"creatives[0].name\" is missing"),
            (["name": ""], "\"creatives[0].name\" must not be empty"),
            (["type": 4], "\"creatives[0].type\" must be between 1 and 3"),
            (["type": "1"], "\"creatives[0].type\" must be a number"),
            (["width": -1], "\"creatives[0].width\" must be between"),
            (["closeTimeout": .none], "\"creatives[0].closeTimeout\" is missing"),
            (["format": "wide"], "\"creatives[0].format\" is unknown: \"wide\""),
            (["assets": [1]], "\"creatives[0].assets\" must be strings"),
            (["tags": ["film"]], "\"creatives[0].tags\" has the unknown tag \"film\"; allowed: video, fault"),
            (["tags": "video"], "\"creatives[0].tags\" must be"),
            (["tags": [1]], "\"creatives[0].tags\" must be strings"),
            (["file": "../one.html"], "creatives[0].file is \"../one.html\""),
            (["file": "/etc/passwd"], "creatives[0].file"),
            (["file": "a\u{0}b"], "creatives[0].file"), (["assets": ["assets/../../x"]], "creatives[0].assets"),
            (["file": "none.html"], "none.html: No such file"), (["file": "assets"], "assets is not a file"),
            (["name": "nofill"], "nofill is reserved for a scenario"),
        ] as [([String: AdJSON?], String)]
    )
    func mistakes(changes: [String: AdJSON?], message: String) throws {
        let folder = try Folder()
        try folder.write("one.html", "<p></p>")
        try folder.write("manifest.json", Self.manifest(Self.entry(changes)))
        let error = #expect(throws: SandboxError.self) { try CreativeCatalogue.load(directory: folder.path) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test("a link to another file in the folder is followed, a link out of it is refused")
    func links() throws {
        let (folder, outside) = (try Folder(), try Folder())
        try outside.write("secret.html", "<p>secret</p>")
        try folder.write("real.html", "<p>here</p>")
        try folder.write("manifest.json", Self.manifest(Self.entry()))
        #expect(symlink("real.html", "\(folder.path)/one.html") == 0)
        #expect(try CreativeCatalogue.load(directory: folder.path).creatives.first?.markup == "<p>here</p>")
        for target in [
            "\(outside.path)/secret.html", "../\(outside.path.split(separator: "/").last ?? "")/secret.html",
        ] {
            unlink("\(folder.path)/one.html")
            #expect(symlink(target, "\(folder.path)/one.html") == 0)
            let error = #expect(throws: SandboxError.self) { try CreativeCatalogue.load(directory: folder.path) }
            #expect(error?.message.contains("is a link out of the folder") ?? false, "\(error?.message ?? "")")
        }
    }

    @Test("an invalid manifest is refused", arguments: ["", "{", "[]", "{}", #"{"version":2,"creatives":[]}"#])
    func noManifest(text: String) throws {
        let folder = try Folder()
        try folder.write("manifest.json", text)
        let error = #expect(throws: SandboxError.self) { try CreativeCatalogue.load(directory: folder.path) }
        #expect(error?.message.hasPrefix(folder.path + "/manifest.json: ") == true)
    }

    @Test("a folder without a manifest, duplicate names, and a file that is not UTF-8 are refused")
    func others() throws {
        let folder = try Folder()
        #expect(throws: SandboxError.self) { try CreativeCatalogue.load(directory: folder.path) }
        try folder.write("one.html", [0xFF, 0xFE])
        try folder.write("manifest.json", Self.manifest(Self.entry()))
        #expect(throws: SandboxError.self) { try CreativeCatalogue.load(directory: folder.path) }
        try folder.write("one.html", "<p></p>")
        try folder.write("manifest.json", Self.manifest(Self.entry(), Self.entry()))
        #expect(throws: SandboxError.self) { try CreativeCatalogue.load(directory: folder.path) }
    }
}
