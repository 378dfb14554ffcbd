import AdCore
import LibC
import PlaySupport
import SandboxSSP
import TestSupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("The folder of the creatives")
struct CreativesFolderTests {
    /// Creates a folder with a manifest at a path in a temporary folder.
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

    @Test("the option comes before the variable, and an empty variable is ignored")
    func named() {
        func find(_ chosen: String?, _ variable: String?) -> String? {
            CreativesFolder.find(chosen, variable: variable, from: nil, executable: nil)
        }
        #expect(find("/a", "/b") == "/a")
        #expect(find(nil, "/b") == "/b")
        #expect(find(nil, "") == nil)
    }

    @Test("the order is the parents of the working directory, the installation, the parents of the executable")
    func order() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let root = folder.path
        func find(from workingDirectory: String?) -> String? {
            CreativesFolder.find(
                nil,
                variable: nil,
                from: workingDirectory,
                executable: root + "/tree/.build/bin/yabbi-play"
            )
        }
        #expect(find(from: nil) == nil)
        let built = try self.make("tree/Creatives", in: folder)
        #expect(find(from: nil) == built)
        let installed = try self.make("tree/.build/share/yabbi/Creatives", in: folder)
        #expect(find(from: root + "/elsewhere") == installed)
        let near = try self.make("near/Creatives", in: folder)
        #expect(find(from: root + "/near/deep/down") == near)
    }

    @Test("an unreadable folder of creatives does not affect requests to another server")
    func remote() async throws {
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        let endpoint = try #require(sandbox.url("/yabbi/load"))
        let load = try LoadCommand(parsing: ["--endpoint", endpoint.text, "--unit", "bad-size"])
        guard case .load(let run) = load.action, case .placement(let query) = run.query, case .server = query.place
        else {
            Testing.Issue.record("another server has no folder of creatives")
            return
        }
        #expect(try await load.run(on: BufferConsole()) == .done)
    }

    @Test("without creatives, the error for a unit says so")
    func nothingFound() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        _ = try #require(folder.write(#"{"version":1,"creatives":[]}"#, "manifest.json"))
        let (code, console) = await play("show", "--unit", "banner-320x50", "--creatives", folder.path)
        #expect(code == .loadFailed)
        let line = try #require(console.err.first)
        #expect(
            line.contains("unknown unit \u{201C}banner-320x50\u{201D}; \(folder.path) contains no creatives"),
            "\(line)"
        )
        #expect(line.hasSuffix("use --creatives <dir>"))
    }
}
