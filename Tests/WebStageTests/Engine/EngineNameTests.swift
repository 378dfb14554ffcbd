import TestSupport
import Testing

@Suite("The sources for all engines")
struct EngineNameTests {
    private static let names = ["Chromium", "DevTools", "CDP"]

    @Test("no source, script or page of WebStage names an engine, except as the first one")
    func names() throws {
        let files = [".swift", ".js", ".html", ".md"].flatMap {
            PackageFolder.files(below: "Sources/WebStage", ending: $0)
        }
        #expect(files.count > 50)
        for file in files {
            let text = try #require(PackageFolder.text(file))
            for line in text.split(separator: "\n") where !line.contains("first engine") {
                #expect(!Self.names.contains { line.contains($0) }, "\(file): \(line)")
            }
        }
    }
}
