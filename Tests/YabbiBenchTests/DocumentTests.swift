import Testing

@testable import yabbi_bench

@Suite("The figures in the documents")
struct DocumentTests {
    private static let project = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    private static func text(_ name: String) throws -> String {
        String(decoding: try ReadFile.bytes("\(Self.project)/\(name)"), as: UTF8.self)
    }

    @Test("docs/BENCHMARKS.md is generated from docs/benchmarks.jsonl")
    func page() throws {
        let records = try Record.all(in: try Self.text("docs/benchmarks.jsonl"))
        #expect(try Self.text("docs/BENCHMARKS.md") == Page(records).text)
    }

    @Test("the README's table is generated from the same records")
    func readme() throws {
        let records = try Record.all(in: try Self.text("docs/benchmarks.jsonl"))
        let table = try Self.text("README.md").range("<!-- figures:begin", before: "<!-- figures:end")
        #expect(table + "\n" == "<!-- figures:begin -->\n" + Highlight.table(of: records))
    }

    @Test("all figures of the README are from a full run of an optimized build")
    func complete() throws {
        let records = try Record.all(in: try Self.text("docs/benchmarks.jsonl"))
        for highlight in Highlight.all {
            #expect(highlight.figure(in: records) != nil, "\(highlight.sentence)")
        }
        let environments = records.compactMap { record in
            if case .environment(let environment) = record { environment } else { nil }
        }
        #expect(environments.count == 1 && environments.allSatisfy { $0.isRelease && !$0.isQuick })
    }
}
