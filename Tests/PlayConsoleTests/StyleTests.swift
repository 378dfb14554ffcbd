import Testing

@testable import PlayConsole

@Suite("Text for a terminal")
struct StyleTests {
    @Test("untrusted text can't control the terminal")
    func printable() {
        #expect(Style.printable("a\u{1B}[31mb\u{7}c\u{202E}d\ne") == "a [31mb c d e")
        #expect(Style.printable(String(repeating: "x", count: 300), upTo: 10) == "xxxxxxxxxx…")
    }

    @Test("all lines of a box have the same width, with any letters")
    func box() {
        let lines = Style.box(["Sponsored", "広告を見る", "🎁 gift", "e\u{301}"], width: 40)
        #expect(Set(lines.map { Style.columns($0) }).count == 1)
        #expect(lines.count == 6)
    }

    @Test("a long line is cut to its columns, and colors are reset at the cut")
    func cut() {
        #expect(Style.cut("abcdef", to: 6) == "abcdef")
        #expect(Style.cut("abcdef", to: 4) == "abc…")
        #expect(Style.columns(Style.cut("広告広告", to: 5)) <= 5)
        let red = Style(isColored: true).red("abcdef")
        #expect(Style.cut(red, to: 6) == red)
        #expect(Style.cut(red, to: 3) == "\u{1B}[31mab…\u{1B}[0m")
        #expect(Style.plain(red) == "abcdef")
    }
}
