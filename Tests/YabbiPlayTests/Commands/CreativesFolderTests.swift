import AdCore
import LibC
import PlaySupport
import SandboxSSP
import TestSupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("Where the creatives are found")
struct CreativesFolderTests {
    /// Makes a folder of creatives below a path of a temporary folder.
    private func make(_ path: String, in folder: TemporaryFolder) throws -> String {
        var whole = folder.path
        for part in path.split(separator: "/") {
            whole += "/\(part)"
            if access(whole, F_OK) != 0 { try #require(mkdir(whole, 0o700) == 0) }
        }
        let file = try #require(fopen(whole + "/manifest.json", "w"))
        fclose(file)
        return whole
    }

    @Test("what is named counts first, and an empty variable names nothing")
    func named() {
        func find(_ chosen: String?, _ variable: String?) -> String? {
            CreativesFolder.find(chosen, variable: variable, from: nil, executable: nil)
        }
        #expect(find("/a", "/b") == "/a")
        #expect(find(nil, "/b") == "/b")
        #expect(find(nil, "") == nil)
    }

    @Test("beside the present folder's parents, installed with the command, and above the build folder, in this order")
    func order() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let root = folder.path
        func find(from present: String?) -> String? {
            CreativesFolder.find(nil, variable: nil, from: present, executable: root + "/tree/.build/bin/yabbi-play")
        }
        #expect(find(from: nil) == nil)
        let built = try self.make("tree/Creatives", in: folder)
        #expect(find(from: nil) == built)
        let installed = try self.make("tree/.build/share/yabbi/Creatives", in: folder)
        #expect(find(from: root + "/elsewhere") == installed)
        let near = try self.make("near/Creatives", in: folder)
        #expect(find(from: root + "/near/deep/down") == near)
    }

    @Test("a folder of creatives that can't be read does not keep another server from being asked")
    func remote() async throws {
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        let endpoint = try #require(sandbox.url("/yabbi/load"))
        let load = try LoadCommand(parsing: ["--endpoint", endpoint.text, "--unit", "bad-size"])
        guard case .placement(let query) = load.session.query, case .server = query.place else {
            Testing.Issue.record("a server of its own has no folder of creatives")
            return
        }
        #expect(try await load.run(on: BufferConsole()) == .done)
    }

    @Test("where there are none, a unit's error says so")
    func nothingFound() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        _ = try #require(folder.write(#"{"version":1,"creatives":[]}"#, "manifest.json"))
        let (code, console) = await play("show", "--unit", "banner-320x50", "--creatives", folder.path)
        #expect(code == .loadFailed)
        let line = try #require(console.err.first)
        #expect(
            line.contains("there is no unit \u{201C}banner-320x50\u{201D}; \(folder.path) holds no creatives"),
            "\(line)"
        )
        #expect(line.hasSuffix("give --creatives DIR"))
    }
}
