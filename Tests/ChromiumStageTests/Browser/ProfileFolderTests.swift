import LibC
import TestSupport
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("The folder of a browser")
struct ProfileFolderTests {
    private func touch(_ path: String) {
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        #expect(file >= 0)
        close(file)
    }

    private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    @Test("it is removed with all that is in it, and nothing that it points to")
    func removed() throws {
        let parent = try #require(TemporaryFolder())
        defer { parent.remove() }
        let keepsake = parent.path + "/keepsake"
        mkdir(keepsake, 0o700)
        self.touch(keepsake + "/file")
        let folder = try #require(ProfileFolder(in: parent.path))
        mkdir(folder.path + "/a", 0o700)
        mkdir(folder.path + "/a/b", 0o700)
        self.touch(folder.path + "/a/b/file")
        symlink(keepsake, folder.path + "/a/link")
        folder.remove()
        #expect(!self.exists(folder.path) && self.exists(keepsake + "/file"))
    }

    @Test("a copy in it is its owner's alone, and what is not there is not copied")
    func copied() throws {
        let parent = try #require(TemporaryFolder())
        defer { parent.remove() }
        let key = try #require(parent.write("secret", "key"))
        chmod(key, 0o644)
        let folder = try #require(ProfileFolder(in: parent.path))
        defer { folder.remove() }
        folder.copy(key, to: folder.path + "/copy", owner: nil)
        folder.copy(parent.path + "/none", to: folder.path + "/other", owner: nil)
        let name = String(folder.path.dropFirst(parent.path.count + 1))
        #expect(parent.bytes(name + "/copy") == Array("secret".utf8) && parent.mode(name + "/copy") == 0o600)
        #expect(!self.exists(folder.path + "/other"))
    }

    @Test("a removeLeftovers takes what nobody holds, and leaves what is in use and what is not ours")
    func removeLeftovers() throws {
        let parent = try #require(TemporaryFolder())
        defer { parent.remove() }
        let held = try #require(ProfileFolder(in: parent.path))
        var left: String
        do {
            let folder = try #require(ProfileFolder(in: parent.path))
            left = folder.path
            self.touch(left + "/file")
        }
        mkdir(parent.path + "/other", 0o700)
        symlink(parent.path + "/other", parent.path + "/yabbi-stage-link")
        self.touch(parent.path + "/yabbi-stage-file")
        #expect(ProfileFolder.leftovers(in: parent.path) == [left], "whoever looks leaves it where it is")
        #expect(ProfileFolder.removeLeftovers(parent.path) == 1)
        #expect(ProfileFolder.leftovers(in: parent.path).isEmpty)
        #expect(self.exists(held.path) && !self.exists(left) && self.exists(parent.path + "/other"))
        #expect(self.exists(parent.path + "/yabbi-stage-file"))
        #expect(ProfileFolder.removeLeftovers(parent.path) == 0)
        held.remove()
    }

    @Test("a removeLeftovers takes what was never locked when it is a minute old, and nothing that is not empty")
    func unlocked() throws {
        let parent = try #require(TemporaryFolder())
        defer { parent.remove() }
        let names = ["new", "old", "full"].map { parent.path + "/yabbi-newstage-" + $0 }
        for name in names { mkdir(name, 0o700) }
        self.touch(names[2] + "/file")
        for name in names.dropFirst() {
            var times = [timeval(tv_sec: 1_000, tv_usec: 0), timeval(tv_sec: 1_000, tv_usec: 0)]
            utimes(name, &times)
        }
        ProfileFolder.removeLeftovers(parent.path)
        #expect(names.map(self.exists) == [true, false, true])
    }

    @Test("where no folder can be made there is none")
    func nowhere() { #expect(ProfileFolder(in: "/no/such/place") == nil) }
}
