import AdCore
import LibC
import Testing

@testable import AdMarkup

/// Third-party VAST files, if they are next to the project; they are not part of it.
private let corpus: String = {
    let root = #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
    return "/\(root)/shared/corpus"
}()

@Suite("Third-party VAST files")
struct VASTCorpusTests {
    @Test(
        "each file is parsed, or has an error with a code and a line",
        .enabled(if: access(corpus, R_OK) == 0, "there is no folder of other people's files beside the project")
    )
    func files() throws {
        var ads = 0
        var files = 0
        for path in VASTCorpusTests.files(below: corpus) {
            let bytes = try #require(VASTCorpusTests.bytes(path), "\(path)")
            files += 1
            do throws(VASTError) {
                let document = try VASTDocument(parsing: bytes)
                ads += document.ads.count
                for issue in document.issues {
                    guard case .line(let line) = issue.place else { continue }
                    #expect(line >= 1, "\(path): \(issue)")
                }
            } catch {
                #expect([100, 101, 102].contains(error.code) && !error.message.isEmpty, "\(path)")
            }
        }
        #expect(files > 100 && ads > 100)
    }

    private static func files(below folder: String) -> [String] {
        guard let pointer = popen("find '\(folder)' -name '*.xml'", "r") else { return [] }
        defer { pclose(pointer) }
        var paths: [String] = []
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, Int32(line.count), pointer) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            paths.append(text.trimmed)
        }
        return paths
    }

    private static func bytes(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }
}
