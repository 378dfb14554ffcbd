import AdCore
import PlaySupport
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

    @Test("the help uses the width of the terminal, limited by COLUMNS")
    func terminal() throws {
        let terminal = try #require(PseudoTerminal(columns: 50))
        #expect(terminal.console().proseWidth == 50)
        #expect(terminal.console(columns: "44").proseWidth == 44)
        #expect(terminal.console(columns: "90").proseWidth == 50, "a line must not be wider than the terminal")
        #expect(terminal.console(columns: "wide").width == 50)
        let wide = try #require(PseudoTerminal(columns: 300))
        #expect(wide.console().proseWidth == 100)
        #expect(wide.console().width == 300)
        let pipe = ProcessConsole(input: 0, output: -1, error: -1, term: nil, noColor: nil)
        #expect(pipe.proseWidth == nil && pipe.width == 80)
    }
}
