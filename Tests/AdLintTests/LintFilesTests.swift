import AdCore
import AdLint
import AdMarkup
import LibC
import Testing

private let project = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

@Suite("Linting files")
struct LintFilesTests {
    /// Third-party tags next to the checkout, which are not part of the project.
    static let corpus = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/shared/corpus"

    @Test("the bundled creatives have no findings, except those that misbehave on purpose")
    func creatives() throws {
        // Pages of SIMID have URLs of their own, so that relative URLs are right in them.
        let paths = LintFilesTests.files(below: project + "/Creatives", "html").filter { !$0.contains("/simid/") }
        #expect(paths.count > 5)
        for path in paths {
            let report = try self.served(path)
            #expect(report.kind == .html)
            if path.hasSuffix("redirect-by-itself.html") {
                let found = Set(report.findings.map(\.rule.id))
                #expect(
                    found.isSuperset(of: ["html-refresh", "script-window-open-at-load", "script-redirect-at-load"])
                )
            } else if path.contains("/mraid/") {
                // They call MRAID after a tap that the linter does not see, and with wrong arguments.
                #expect(report.findings.allSatisfy { $0.rule.id.hasPrefix("mraid-") }, "\(path): \(report.findings)")
            } else {
                #expect(report.count(.error) == 0 && report.count(.warning) == 0, "\(path): \(report.findings)")
            }
        }
        let videos = LintFilesTests.files(below: project + "/Creatives", "xml").filter { $0.contains("/video-") }
        #expect(videos.count > 5)
        for path in videos { #expect(try self.served(path).findings.isEmpty, "\(path)") }
    }

    /// The report for a file as the sandbox serves it, with its own URL in it.
    private func served(_ path: String) throws -> LintReport {
        let text = String(decoding: try #require(LintFilesTests.bytes(path)), as: UTF8.self)
        return Lint.check(text.replacing("${SANDBOX}", with: "https://cdn.example.com"))
    }

    @Test(
        "the findings in third-party tags are on lines that exist",
        .enabled(if: access(LintFilesTests.corpus, R_OK) == 0, "the folder of third-party files is missing")
    )
    func others() throws {
        var kinds: [LintReport.Kind: Int] = [:]
        for path in LintFilesTests.files(below: LintFilesTests.corpus, "xml") {
            let bytes = try #require(LintFilesTests.bytes(path), "\(path)")
            let lines = bytes.count { $0 == 0x0A } + 1
            let report = Lint.check(bytes)
            kinds[report.kind, default: 0] += 1
            for finding in report.findings {
                #expect(LintRule.named(finding.rule.id) == finding.rule)
                #expect(
                    (1...lines).contains(finding.line ?? 1),
                    "\(path): \(finding.rule.id) on line \(finding.line ?? 0)"
                )
                #expect(!finding.message.utf8.contains { $0 < 0x20 }, "\(path): \(finding.rule.id)")
            }
            // A document that is parsed strictly and without an issue has no XML error.
            if let document = try? VASTDocument(parsing: bytes), document.issues.isEmpty {
                #expect(
                    !report.findings.contains {
                        $0.rule.id.hasPrefix("xml-") && $0.rule.severity == .error
                            && $0.rule.id != "xml-prefix-undeclared"
                    },
                    "\(path)"
                )
            }
        }
        #expect(kinds[.vast, default: 0] > 150 && kinds[.vmap, default: 0] >= 2)
    }

    static func files(below folder: String, _ kind: String) -> [String] {
        guard let pointer = popen("find '\(folder)' -name '*.\(kind)'", "r") else { return [] }
        defer { pclose(pointer) }
        var paths: [String] = []
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, Int32(line.count), pointer) != nil {
            paths.append(String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).trimmed)
        }
        return paths
    }

    static func bytes(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }
}
