import CurlTransport
import LibC
import SQLiteLedger
import TestSupport
import Testing

@Suite("Code in the documentation")
struct SnippetTests {
    /// The libraries that an app can import.
    private static let modules = [
        "AdCore", "AdHTML", "AdLint", "AdMarkup", "AdProviders", "AdRuntime", "AdTrace", "AppleHost", "ChromiumStage",
        "CurlTransport", "PostgresLedger", "SQLiteLedger", "URLSessionTransport", "WebKitStage", "YabbiAds",
        "YabbiFoundation", "YabbiTesting",
    ]

    @Test("code on pages and in comments compiles with the public API")
    func compiles() throws {
        let imports = ["Testing", "YabbiAds", "YabbiTesting"]
        var snippets = Page.all.flatMap { page in page.fences.map { Snippet(fence: $0, page: page, imports: imports) } }
        for module in Self.modules {
            for page in Page.sources(of: module) {
                snippets += page.fences.map { Snippet(fence: $0, page: page, imports: imports + Self.modules) }
            }
        }
        try self.compile(snippets.filter { $0.fence.excuse == nil })
    }

    @Test(
        "code that a test runs is in that test, line by line",
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

    @Test("code that is not compiled has a reason")
    func excuses() {
        for page in Page.all {
            for fence in page.fences {
                guard let excuse = fence.excuse else { continue }
                print("Not compiled: \(page), line \(fence.line): \(excuse)")
                #expect(excuse.count > 10)
            }
        }
    }

    /// A snippet, with the imports that are added to it.
    private struct Snippet {
        let fence: Page.Fence
        let page: Page
        let imports: [String]

        var text: String {
            let place = "#sourceLocation(file: \"\(self.page.path)\", line: \(self.fence.line))\n"
            if self.fence.isFile { return place + self.fence.code + "\n" }
            let imports = (self.imports + self.page.imports).map { "import \($0)\n" }.joined()
            return "\(imports)@MainActor private func snippet() async throws {\n\(place)\(self.fence.code)\n}\n"
        }
    }

    /// Compiles the snippets as one module, `App`, of another package, which sees what an app sees.
    private func compile(_ snippets: [Snippet]) throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        var files = ["Tests/SnippetSupport/SnippetValues.swift"]
        for snippet in snippets {
            files.append(try #require(folder.write(snippet.text, "Snippet\(files.count).swift")))
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

    /// A text's lines without indentation.
    private func lines(_ text: String) -> [Substring] { text.split(separator: "\n").map { $0.drop { $0 == " " } } }
}
