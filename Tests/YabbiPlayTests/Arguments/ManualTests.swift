import CurlTransport
import PlaySupport
import SQLiteLedger
import TestSupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("The manual page")
struct ManualTests {
    private let page = ManualPage().text

    /// Whether the page contains a text.
    private func has(_ text: String) -> Bool { self.page.contains(Roff.inline(text)) }

    @Test("has every section, command, option, exit code, variable and topic")
    func whole() async {
        let (code, console) = await play("manual")
        #expect(code == .done)
        #expect(console.out == [self.page])
        for title in [
            "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES",
        ] { #expect(self.page.contains(".SH \"\(title)\"\n"), "\(title)") }
        for entry in Commands.all { #expect(self.has("yabbi-play \(entry.usage)") && self.has(entry.summary)) }
        for option in Commands.all.flatMap({ $0.options }) {
            #expect(self.page.contains("\n\(Roff.bold(option.name))"), "\(option.name)")
        }
        for code in ExitCode.allCases { #expect(self.has(code.meaning)) }
        for variable in EnvironmentVariable.all { #expect(self.page.contains(Roff.bold(variable.name))) }
        for topic in Help.topics { #expect(self.page.contains(".SH \"\(topic.name.uppercased())\"")) }
    }

    @Test("no text is read as a request, and hyphens, quotes and backslashes are escaped")
    func escaping() {
        #expect(Roff.line(".html files") == "\\&.html files")
        #expect(Roff.line("'quoted'") == "\\(aqquoted\\(aq")
        #expect(Roff.inline("--a\\b") == "\\-\\-a\\eb")
        #expect(Roff.inline("\u{201C}…\u{201D}") == "\\[u201C]\\[u2026]\\[u201D]")
        #expect(self.page.unicodeScalars.allSatisfy { $0.isASCII })
        let requests: Set = [".TH", ".nh", ".ad", ".SH", ".SS", ".TP", ".PP", ".br", ".nf", ".fi", ".RS", ".RE"]
        for line in self.page.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
            #expect(requests.contains(String(line.prefix(3))), "\(line)")
        }
    }

    @Test("groff renders it without a warning", .enabled(if: Shell.has("groff"), "groff is not installed"))
    func groff() throws { try self.render("groff -man -ww -Tutf8") }

    @Test(
        "man renders it without a warning, also in few columns",
        .enabled(if: Shell.has("man"), "man is not installed")
    )
    func man() throws {
        try self.render("MANWIDTH=80 man --warnings -l")
        try self.render("MANWIDTH=60 man --warnings -l")
    }

    @Test("mandoc finds no error in it", .enabled(if: Shell.has("mandoc"), "mandoc is not installed"))
    func mandoc() throws { try self.render("mandoc -Tutf8 -W error") }

    private func render(_ program: String) throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let file = try #require(folder.write(self.page + "\n", "yabbi-play.1"))
        let complaints = Shell.run("\(program) \(file) >\(folder.path)/out")
        #expect(complaints.output == "")
        #expect(complaints.status == 0)
        let text = Style.plain(String(decoding: folder.bytes("out"), as: UTF8.self))
        #expect(text.contains("EXAMPLES") || text.contains("E\u{8}EX"))
    }

    @Test("lists every variable that the command and its browser read")
    func variables() {
        let sources = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" } + "/Sources"
        let patterns =
            #"getenv\("[A-Z_]+"|(surroundings|variables)\["[A-Z_]+"|ProcessConsole\.variable\("[A-Z_]+""#
        let found = Shell.run(
            "cd \(sources) && grep -rhoE '\(patterns)' YabbiPlay PlayConsole PlayReport PlayStages ChromiumStage WebKitStage CurlTransport SQLiteLedger SandboxSSP"
        )
        let names = found.output.split(separator: "\n").compactMap { $0.split(separator: "\"").last.map(String.init) }
        #expect(names.contains("CHROME"))
        for name in Set(names) { #expect(EnvironmentVariable.all.contains { $0.name == name }, "\(name)") }
    }
}
