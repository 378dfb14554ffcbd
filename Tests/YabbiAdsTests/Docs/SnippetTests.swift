import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite("The code in the documentation")
struct SnippetTests {
    @Test(
        "compiles as it stands, by what is public alone",
        arguments: Page.all.filter { page in page.fences.contains { $0.excuse == nil } }
    )
    func compiles(page: Page) throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        var files = ["Tests/Surroundings/Surroundings.swift"]
        for fence in page.fences where fence.excuse == nil {
            let place = "#sourceLocation(file: \"\(page.path)\", line: \(fence.line))\n"
            let code =
                fence.isFile
                ? place + fence.code + "\n"
                : """
                import Testing
                import YabbiAds
                import YabbiTesting
                @MainActor func line\(fence.line)() async throws {
                \(place)\(fence.code)
                }

                """
            files.append(try #require(folder.write(code, "Line\(fence.line).swift")))
        }
        // A package of another name sees what an app sees.
        let command = """
            echo ready && cd '\(PackageFolder.path)' && exec swiftc -typecheck -parse-as-library -swift-version 6 \
            -module-name Outside -package-name outside -suppress-warnings $(Scripts/modules.sh) \
            \(files.map { "'\($0)'" }.joined(separator: " ")) 2>&1
            """
        let compiler = try #require(ChildProcess(command) { $0 == "ready" }, "no shell was started")
        let outcome = compiler.finish()
        #expect(outcome.status == 0, "\(outcome.text)")
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

    /// A text's lines, without what stands before each.
    private func lines(_ text: String) -> [Substring] { text.split(separator: "\n").map { $0.drop { $0 == " " } } }
}
