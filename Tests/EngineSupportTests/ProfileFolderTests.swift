import LibC
import TestSupport
import Testing

@testable import EngineSupport

@Suite("Profile folders")
struct ProfileFolderTests {
    private func touch(_ path: String) {
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        #expect(file >= 0)
        close(file)
    }

    private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    @Test("a folder is removed with its contents, without following links")
    func removed() throws {
        let parent = try #require(TemporaryFolder())
        defer { parent.remove() }
        let kept = parent.path + "/kept"
        mkdir(kept, 0o700)
        self.touch(kept + "/file")
        let folder = try #require(ProfileFolder(in: parent.path))
        mkdir(folder.path + "/a", 0o700)
        mkdir(folder.path + "/a/b", 0o700)
        self.touch(folder.path + "/a/b/file")
        symlink(kept, folder.path + "/a/link")
        folder.remove()
        #expect(!self.exists(folder.path) && self.exists(kept + "/file"))
    }

    @Test("a copied file is readable only for its owner, and a missing file is not copied")
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

    @Test("only unlocked folders with the prefix are removed")
    func removeLeftovers() throws {
        let parent = try #require(TemporaryFolder())
        defer { parent.remove() }
        let locked = try #require(ProfileFolder(in: parent.path))
        var left: String
        do {
            let folder = try #require(ProfileFolder(in: parent.path))
            left = folder.path
            self.touch(left + "/file")
        }
        mkdir(parent.path + "/other", 0o700)
        symlink(parent.path + "/other", parent.path + "/yabbi-stage-link")
        self.touch(parent.path + "/yabbi-stage-file")
        #expect(ProfileFolder.leftovers(in: parent.path) == [left], "listing removes nothing")
        #expect(ProfileFolder.removeLeftovers(parent.path) == 1)
        #expect(ProfileFolder.leftovers(in: parent.path).isEmpty)
        #expect(self.exists(locked.path) && !self.exists(left) && self.exists(parent.path + "/other"))
        #expect(self.exists(parent.path + "/yabbi-stage-file"))
        #expect(ProfileFolder.removeLeftovers(parent.path) == 0)
        locked.remove()
    }

    @Test("a folder that was never locked is removed when it is empty and older than a minute")
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

    @Test("a folder that can't be created is nil")
    func nowhere() { #expect(ProfileFolder(in: "/no/such/place") == nil) }
}
