import Testing

@testable import yabbi_bench

@Suite("The documents' figures")
struct DocumentTests {
    private static let project = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    private static func text(_ name: String) throws -> String {
        String(decoding: try ReadFile.bytes("\(Self.project)/\(name)"), as: UTF8.self)
    }

    @Test("docs/BENCHMARKS.md is what Scripts/bench.sh makes of docs/benchmarks.jsonl")
    func page() throws {
        let records = try Record.all(in: try Self.text("docs/benchmarks.jsonl"))
        #expect(try Self.text("docs/BENCHMARKS.md") == Page(records).text)
    }

    @Test("the README's table is made of the same records")
    func readme() throws {
        let records = try Record.all(in: try Self.text("docs/benchmarks.jsonl"))
        let table = try Self.text("README.md").range("<!-- figures:begin", before: "<!-- figures:end")
        #expect(table + "\n" == "<!-- figures:begin -->\n" + Highlight.table(of: records))
    }

    @Test("all that the README shows was measured, in the long form of an optimised build")
    func honesty() throws {
        let records = try Record.all(in: try Self.text("docs/benchmarks.jsonl"))
        for highlight in Highlight.all {
            #expect(highlight.figure(in: records) != nil, "\(highlight.sentence)")
        }
        let machines = records.compactMap { record in
            if case .machine(let machine) = record { machine } else { nil }
        }
        #expect(machines.count == 1 && machines.allSatisfy { $0.isRelease && !$0.isQuick })
    }
}
