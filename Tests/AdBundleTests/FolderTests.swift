import AdCore
import LibC
import TestSupport
import Testing

@testable import AdBundle

@Suite("Folders as bundles")
struct FolderTests {
    /// Calls `body` with a folder that has files in these places.
    private func with(_ names: [String], _ body: (TemporaryFolder) throws -> Void) throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        for name in names {
            var parent = folder.path
            for part in name.split(separator: "/").dropLast() {
                parent += "/\(part)"
                mkdir(parent, 0o755)
            }
            try #require(folder.write(name, name) != nil)
        }
        try body(folder)
    }

    private func read(_ path: String, _ limits: BundleLimits = .standard) -> Result<AdBundle, BundleError> {
        do throws(BundleError) {
            return .success(try AdBundle(folder: path, within: limits))
        } catch {
            return .failure(error)
        }
    }

    @Test("files are read with their paths, hidden ones and litter are left out silently")
    func files() throws {
        let names = ["index.html", "img/a.png", "img/b/c.png", ".git/config", ".env", "img/.DS_Store", "Thumbs.db"]
        try self.with(names) { folder in
            let bundle = try AdBundle(folder: folder.path + "/")
            #expect(bundle.files.keys.sorted() == ["img/a.png", "img/b/c.png", "index.html"])
            #expect(bundle.files["img/a.png"]?.bytes == Array("img/a.png".utf8))
            #expect(bundle.files["img/a.png"]?.contentType == "image/png")
            #expect(bundle.indexPath == "index.html")
            #expect(bundle.totalBytes == 10 + 9 + 11)
            #expect(bundle.issues == [])
            #expect(folder.path.hasSuffix("/" + bundle.name))
        }
    }

    @Test("no link is followed, to a file or a folder, inside or outside; a pipe is not opened")
    func links() throws {
        try self.with(["index.html", "img/a.png"]) { folder in
            symlink("/etc/passwd", "\(folder.path)/a.txt")
            symlink("/etc", "\(folder.path)/etc")
            symlink("..", "\(folder.path)/img/up")
            symlink("index.html", "\(folder.path)/same.html")
            mkfifo("\(folder.path)/pipe", 0o600)
            let result = self.read(folder.path)
            #expect(result.paths == ["img/a.png", "index.html"])
            let link = EntryFault.link.message
            let expected: [String] = [
                "bundle.link (a.txt): \(link)", "bundle.link (etc): \(link)", "bundle.link (img/up): \(link)",
                "bundle.special (pipe): \(EntryFault.special.message)", "bundle.link (same.html): \(link)",
            ]
            #expect(result.issues == expected)
        }
    }

    @Test("a folder that was given as a link is read")
    func rootLink() throws {
        try self.with(["ad/index.html"]) { folder in
            symlink("ad", "\(folder.path)/link")
            #expect(self.read("\(folder.path)/link").paths == ["index.html"])
        }
    }

    @Test("names that no server would find are refused, and others repaired")
    func names() throws {
        try self.with(["index.html", "img\\a.png"]) { folder in
            let name: [CChar] = Array("\(folder.path)/a".utf8CString.dropLast()) + [-1, 0]
            close(open(name, O_WRONLY | O_CREAT, 0o600))
            let result = self.read(folder.path)
            #expect(result.paths == ["a\u{FFFD}", "index.html"])
            #expect(
                result.issues.map { String($0.prefix { $0 != ":" }) } == [
                    "bundle.encoding (a\u{FFFD})", "bundle.backslash (img\\a.png)",
                ]
            )
        }
    }

    @Test("a file that can't be read is an issue", .enabled(if: geteuid() != 0, "root reads every file"))
    func unreadable() throws {
        try self.with(["index.html", "a.js"]) { folder in
            chmod("\(folder.path)/a.js", 0)
            let result = self.read(folder.path)
            #expect(result.paths == ["index.html"])
            #expect(result.issues == ["bundle.unreadable (a.js): it can't be read: Permission denied; left out"])
        }
    }

    @Test("the limits are those of zip files")
    func limits() throws {
        try self.with(["index.html", "a/b/c.js", "d.js"]) { folder in
            let name = BundleText.shown(folder.path)
            let few = self.read(folder.path, Fixtures.limits { $0.entries = 4 })
            let text = "\(name) has more than 4 entries, and 4 is the most; leave out what the ad does not load"
            #expect(few.message == text)
            #expect(self.read(folder.path, Fixtures.limits { $0.entries = 5 }).paths.count == 3)
            let small = self.read(folder.path, Fixtures.limits { $0.file = 9 })
            #expect(small.reason == .fileTooLarge("index.html", 10, limit: 9))
            let all = self.read(folder.path, Fixtures.limits { $0.total = 20 })
            #expect(all.reason == .allTooLarge("index.html", limit: 20))
            let flat = self.read(folder.path, Fixtures.limits { $0.depth = 2 })
            #expect(flat.issues == ["bundle.deep (a/b/c.js): \(EntryFault.deep(3, limit: 2).message)"])
            let short = self.read(folder.path, Fixtures.limits { $0.name = 4 })
            let fault = EntryFault.longName(10, limit: 4)
            #expect(short.reason == .noPage(files: 1, leftOut: "index.html: \(fault.message)"))
        }
    }

    @Test("a large sparse file is refused by its size, before it is read")
    func sparse() throws {
        try self.with(["index.html", "a.mp4"]) { folder in
            truncate("\(folder.path)/a.mp4", 1 << 40)
            #expect(self.read(folder.path).reason == .fileTooLarge("a.mp4", 1 << 40, limit: 64 << 20))
        }
    }

    @Test("what is no folder, or has no page, says so")
    func errors() throws {
        try self.with(["a.js"]) { folder in
            #expect(self.read("\(folder.path)/a.js").reason == .unreadable("it is a file, not a folder"))
            #expect(self.read("\(folder.path)/none").reason == .unreadable("No such file or directory"))
            #expect(self.read(folder.path).reason == .noPage(files: 1, leftOut: nil))
            unlink("\(folder.path)/a.js")
            #expect(self.read(folder.path).reason == .empty(leftOut: 0, first: nil))
        }
    }
}
