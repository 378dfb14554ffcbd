import LibC
import TestSupport
import Testing

@testable import PlayConsole

@Suite("Files that a command writes")
struct FileWritingTests {
    private func text(_ name: String, _ folder: TemporaryFolder) -> String {
        String(decoding: folder.bytes(name), as: UTF8.self)
    }

    private func kind(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
    }

    @Test("a file is replaced as a whole, and a symbolic link keeps its target")
    func links() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let file = try #require(folder.write("old", "file"))
        let link = folder.path + "/link"
        #expect(symlink(file, link) == 0)
        #expect(FileWriting.failure(at: link) == nil)
        #expect(FileWriting.write(Array("new".utf8), to: link) == nil)
        #expect(self.kind(link) == S_IFLNK && self.kind(file) == S_IFREG)
        #expect(self.text("file", folder) == "new")
        #expect(folder.names.sorted() == ["file", "link"])
    }

    @Test("a device is written to and not replaced")
    func devices() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        // A link protects the device: a mistake would replace the link only.
        let nothing = folder.path + "/nothing"
        #expect(symlink("/dev/null", nothing) == 0)
        #expect(FileWriting.failure(at: nothing) == nil)
        #expect(FileWriting.write([1, 2, 3], to: nothing) == nil)
        #expect(self.kind(nothing) == S_IFLNK && self.kind("/dev/null") == S_IFCHR)
    }

    @Test("a folder and a file in a missing folder are refused with the reason")
    func nowhere() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        #expect(FileWriting.failure(at: folder.path) == "\(folder.path) is a folder")
        #expect(FileWriting.write([1], to: folder.path)?.hasPrefix("\(folder.path) can't be written") == true)
        #expect(FileWriting.failure(at: folder.path + "/no/a.png")?.contains("No such file") == true)
    }
}
