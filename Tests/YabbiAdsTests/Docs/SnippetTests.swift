import CurlTransport
import LibC
import SQLiteLedger
import TestSupport
import Testing

@Suite("The code in the documentation")
struct SnippetTests {
    /// Every library that an app can import.
    private static let modules = [
        "AdCore", "AdHTML", "AdLint", "AdMarkup", "AdProviders", "AdRuntime", "AdTrace", "ChromiumStage",
        "CurlTransport",
        "OpenRTB", "SQLiteLedger", "WebSocketCodec", "YabbiAds", "YabbiTesting",
    ]

    @Test("on pages and in comments compiles as it stands, by what is public alone")
    func compiles() throws {
        let imports = ["Testing", "YabbiAds", "YabbiTesting"]
        var pieces = Page.all.flatMap { page in page.fences.map { Piece(fence: $0, page: page, imports: imports) } }
        for module in Self.modules {
            for page in Page.sources(of: module) {
                pieces += page.fences.map { Piece(fence: $0, page: page, imports: imports + Self.modules) }
            }
        }
        try self.compile(pieces.filter { $0.fence.excuse == nil })
    }

    @Test(
        "that a test runs stands in that test, line by line",
        arguments: Page.all.filter { page in page.fences.contains { $0.suite != nil } }
    )
    func runs(page: Page) throws {
        for fence in page.fences {
            guard let suite = fence.suite else { continue }
            let paths = PackageFolder.files(below: "Tests", ending: "/\(suite).swift")
            let source = try #require(paths.first.flatMap { PackageFolder.text($0) }, "there is no \(suite).swift")
            var missing = self.lines(fence.code)[...]
            for line in self.lines(source) where line == missing.first { missing.removeFirst() }
            #expect(missing.isEmpty, "\(suite) lacks of line \(fence.line) of \(page): \(missing.first ?? "")")
        }
    }

    @Test("that can't be compiled here says why")
    func excuses() {
        for page in Page.all {
            for fence in page.fences {
                guard let excuse = fence.excuse else { continue }
                print("Not compiled: \(page), line \(fence.line): \(excuse)")
                #expect(excuse.count > 10)
            }
        }
    }

    /// A piece of code and what its file imports, besides what it imports itself.
    private struct Piece {
        let fence: Page.Fence
        let page: Page
        let imports: [String]

        var text: String {
            let place = "#sourceLocation(file: \"\(self.page.path)\", line: \(self.fence.line))\n"
            if self.fence.isFile { return place + self.fence.code + "\n" }
            let imports = (self.imports + self.page.imports).map { "import \($0)\n" }.joined()
            return "\(imports)@MainActor private func piece() async throws {\n\(place)\(self.fence.code)\n}\n"
        }
    }

    /// Compiles the pieces as one module, `App`, of a package of another name: it sees what an app sees.
    private func compile(_ pieces: [Piece]) throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        var files = ["Tests/Surroundings/Surroundings.swift"]
        for piece in pieces { files.append(try #require(folder.write(piece.text, "Piece\(files.count).swift"))) }
        let command = """
            echo ready && cd '\(PackageFolder.path)' && exec swiftc -typecheck -wmo -parse-as-library -swift-version 6 \
            -module-name App -package-name app -suppress-warnings $(Scripts/modules.sh) \
            \(files.map { "'\($0)'" }.joined(separator: " ")) 2>&1
            """
        let compiler = try #require(ChildProcess(command) { $0 == "ready" }, "no shell was started")
        let outcome = compiler.finish()
        #expect(outcome.status == 0, "\(outcome.text)")
    }

    /// A text's lines, without what stands before each.
    private func lines(_ text: String) -> [Substring] { text.split(separator: "\n").map { $0.drop { $0 == " " } } }
}
