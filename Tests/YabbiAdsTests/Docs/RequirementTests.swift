import TestSupport
import Testing

/// Checks the page that lists the requirements of the five documents and the tests that show them.
@Suite("docs/REQUIREMENTS.md")
struct RequirementTests {
    private struct Row {
        let number: String
        let state: String
        let shown: String
    }

    private func page() throws -> String { try #require(PackageFolder.text("docs/REQUIREMENTS.md")) }

    private func rows() throws -> [Row] {
        try self.page().split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { cell in
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            guard cells.count == 6, cells[1].last?.isNumber == true else { return nil }
            return Row(number: cells[1], state: cells[3], shown: cells[4])
        }
    }

    /// The texts between two marks, such as backticks.
    private func named(_ mark: Character, in text: String) -> [String] {
        text.split(separator: mark, omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// The tests of each suite, with those of its extensions, by the suite's name.
    private func suites() -> [String: Set<String>] {
        var suites: [String: Set<String>] = [:]
        for path in PackageFolder.files(below: "Tests", ending: ".swift") {
            var suite: String?
            var isTest = false
            for line in (PackageFolder.text(path) ?? "").split(separator: "\n") {
                let words = line.split { $0 == " " || $0 == "(" || $0 == ":" || $0 == "<" }.map(String.init)
                // A declaration at the beginning of a line is not nested in a suite.
                if line.first?.isLetter == true, let kind = words.firstIndex(where: { Self.kinds.contains($0) }),
                    words.indices.contains(kind + 1)
                {
                    suite = words[kind + 1]
                }
                if words.first == "@Test" { isTest = true }
                guard isTest, let suite, let place = words.firstIndex(of: "func") else { continue }
                suites[suite, default: []].insert(words[place + 1])
                isTest = false
            }
        }
        return suites
    }

    private static let kinds: Set<String> = ["struct", "class", "actor", "enum", "extension"]

    @Test("the page has every requirement of each document once, in order")
    func complete() throws {
        let documents = [("Y", 51), ("AM", 71), ("C", 50), ("AC", 32), ("S", 100)]
        let expected = documents.flatMap { letters, count in (1...count).map { "\(letters)\($0)" } }
        #expect(try self.rows().map(\.number) == expected)
        #expect(expected.count == 304)
    }

    @Test("each requirement that works names existing tests")
    func tests() throws {
        let suites = self.suites()
        for row in try self.rows() where row.state == "works" {
            let names = self.named("`", in: row.shown).filter { $0.contains("Tests.") }
            #expect(!names.isEmpty, "\(row.number) names no test")
            for name in names {
                let parts = name.split(separator: ".").map(String.init)
                #expect(suites[parts[0]]?.contains(parts[1]) == true, "\(row.number): there is no \(name)")
            }
            // A test that is skipped without Smartico's document must not be the only one.
            #expect(names.contains { !$0.hasPrefix("SmarticoSourceExampleTests.") }, "\(row.number)")
        }
    }

    @Test("each decided requirement names an existing page, and each open one its substitute")
    func decisions() throws {
        let titles = Set(
            PackageFolder.files(below: "Sources", ending: ".md").compactMap { path in
                PackageFolder.text(path)?.split(separator: "\n").first?.dropFirst(2)
            }.map(String.init)
        )
        for row in try self.rows() {
            let pages = self.named("*", in: row.shown)
            switch row.state {
            case "works": break
            case "decided": #expect(!pages.isEmpty, "\(row.number) names no page")
            case "open": #expect(row.shown.count > 3, "\(row.number) has no text")
            default: Issue.record("\(row.number) is \(row.state)")
            }
            for page in pages { #expect(titles.contains(page), "\(row.number): there is no page \(page)") }
        }
    }

    @Test("the sums are right, and at least 295 of 304 requirements work or are decided")
    func sums() throws {
        let states = try self.rows().map(\.state)
        let counts = ["works", "decided", "open"].map { state in states.count { $0 == state } }
        let sentence = "\(counts[0]) work, \(counts[1]) are decided otherwise, \(counts[2]) are open."
        #expect(try self.page().contains(sentence), "missing: \(sentence)")
        #expect(counts[0] + counts[1] >= 295)
    }
}
