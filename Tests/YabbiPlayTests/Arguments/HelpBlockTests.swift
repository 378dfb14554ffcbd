import AdCore
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("Help in few columns")
struct HelpBlockTests {
    @Test("lines of prose are joined, and further indented lines continue a row")
    func read() {
        let blocks = HelpBlock.parse(
            "One\ntwo.\n\n  term   text\n         more\n  --long VALUE\n          below\n  bare"
        )
        #expect(
            blocks == [
                .paragraph("One two."), .gap, .row(indent: 2, term: "term", column: 9, text: "text more"),
                .row(indent: 2, term: "--long VALUE", column: 10, text: "below"),
                .row(indent: 2, term: "bare", column: 0, text: ""),
            ]
        )
    }

    @Test("rows have a hanging indent, and narrow rows start below their term")
    func rows() {
        let row = HelpBlock.row(indent: 2, term: "--do", column: 10, text: "one two three four five six seven")
        #expect(row.lines(width: 34) == ["  --do    one two three four five", "          six seven"])
        #expect(row.lines(width: 20) == ["  --do", "      one two three", "      four five six", "      seven"])
    }

    @Test("the help fits the width of the terminal, except for long words", arguments: [40, 60, 80, 118])
    func fits(width: Int) throws {
        for topic in [nil] + Help.words.map(Optional.some) {
            for line in try Help.text(topic, width: width).split(separator: "\n") where Style.columns(line) > width {
                // A term is never split.
                #expect(line.trimmed.split(separator: " ").count <= 3, "\(topic ?? "overview"): \(line)")
            }
        }
    }
}
