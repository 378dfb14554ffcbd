import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite("The code in the documentation")
struct SnippetTests {
    /// Every library that an app can import.
    private static let modules = [
        "AdCore", "AdMarkup", "AdProviders", "AdRuntime", "AdTrace", "ChromiumStage", "CurlTransport", "OpenRTB",
        "SQLiteLedger", "WebSocketCodec", "YabbiAds", "YabbiTesting",
    ]

    @Test(
        "on a page compiles as it stands, by what is public alone",
        arguments: Page.all.filter { page in page.fences.contains { $0.excuse == nil } }
    )
    func page(page: Page) throws { try self.compile([page], importing: ["Testing", "YabbiAds", "YabbiTesting"]) }

    @Test("in the comments of a library compiles in the same way", arguments: Self.modules)
    func comments(module: String) throws {
        let pages = Page.sources(of: module)
        try self.compile(pages, importing: ["Testing", "YabbiAds", "YabbiTesting", module])
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

    /// Compiles the code of some pages as one module, `App`, of a package of another name: it sees what an app sees.
    private func compile(_ pages: [Page], importing modules: [String]) throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        var files = ["Tests/Surroundings/Surroundings.swift"]
        for page in pages {
            for fence in page.fences where fence.excuse == nil {
                let place = "#sourceLocation(file: \"\(page.path)\", line: \(fence.line))\n"
                let imports = modules.map { "import \($0)\n" }.joined()
                let code =
                    fence.isFile
                    ? place + fence.code + "\n"
                    : "\(imports)@MainActor private func piece() async throws {\n\(place)\(fence.code)\n}\n"
                files.append(try #require(folder.write(code, "Piece\(files.count).swift")))
            }
        }
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
