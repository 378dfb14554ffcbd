import AdCore
import PlayConsole
import TestSupport
import Testing

@testable import PlayScan

@Suite("The measures of a scan")
struct MeasureTests {
    @Test("each measure has its own name, a title and a summary")
    func table() {
        #expect(Set(Measure.all.map(\.name)).count == Measure.all.count)
        for measure in Measure.all {
            #expect(!measure.title.isEmpty && !measure.summary.isEmpty)
            #expect(measure.name.utf8.allSatisfy { $0.isASCIILetter || $0 == UInt8(ascii: ".") }, "\(measure.name)")
        }
    }

    @Test("values are read as they were written, and those of another type are left out")
    func json() throws {
        let measures = PolicyTests.measures([
            "bytes.total": .number(12), "blank": .flag(true), "hosts": .list(["a"]), "tap": .word("click"),
        ])
        #expect(CreativeMeasures(try AdJSON(parsing: measures.json.text())) == measures)
        #expect(
            CreativeMeasures(["bytes.total": "12", "blank": 1, "hosts": "a", "tap": [], "other": 1])
                == CreativeMeasures()
        )
    }

    @Test("numbers are written with the unit of their measure")
    func texts() {
        #expect(Measure.named("bytes.total")?.text(1_234_567) == "1.2 MB")
        #expect(Measure.named("cpu")?.text(12.6) == "13 ms")
        #expect(Measure.named("animation.end")?.text(15.04) == "15 s")
        #expect(Measure.named("video.played")?.text(75) == "75 %")
        #expect(Measure.named("hosts")?.text(3) == "3")
    }
}

@Suite("The page about scans")
struct ScanPageTests {
    @Test("docs/SCAN.md has the table of measures; Scripts/rules.sh writes it")
    func table() throws {
        let page = try #require(PackageFolder.text("docs/SCAN.md"), "there is no docs/SCAN.md")
        let table = ScanText.measures(.markdown, Style(isColored: false)).joined(separator: "\n")
        #expect(page.hasSuffix("## Measures\n\n\(table)\n"))
    }

    @Test("the policy in docs/SCAN.md is one, and each built-in policy is listed")
    func policies() throws {
        let page = try #require(PackageFolder.text("docs/SCAN.md"), "there is no docs/SCAN.md")
        for name in PolicyLibrary.names { #expect(page.contains("| `\(name)` |"), "\(name)") }
        // The statements of the table: each cell of the first column without the ellipses.
        var statements: [String] = []
        for row in page.split(separator: "\n") where row.hasPrefix("| `") {
            guard row.contains("fail ") || row.hasPrefix("| `warn") else { continue }
            let parts: [Substring] = row.split(separator: "|")[0].split(separator: "`")
            for part in parts where part.contains(" ") && part != " " && !part.contains("…") {
                if !part.hasPrefix(",") { statements.append(String(part)) }
            }
        }
        #expect(statements.count >= 8)
        for statement in statements { #expect(throws: Never.self) { try PolicyTests.policy(statement) } }
    }
}
