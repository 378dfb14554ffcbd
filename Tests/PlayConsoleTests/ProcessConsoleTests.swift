import LibC
import PlaySupport
import Testing

@testable import PlayConsole

@Suite("The console of the process")
struct ProcessConsoleTests {
    /// The number of bytes in a pipe, until its other end is closed.
    private static func count(_ reading: Int32) -> Int {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var all = 0
        while case let count = bytes.withUnsafeMutableBytes({ read(reading, $0.baseAddress, $0.count) }), count > 0 {
            all += count
        }
        return all
    }

    @Test("non-blocking output is written completely")
    func nonBlocking() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        try #require(fcntl(writing, F_SETFL, O_NONBLOCK) == 0)
        let console = ProcessConsole(input: -1, output: writing, error: -1, term: nil, noColor: nil)
        let reader = Task.detached { Self.count(reading) }
        let line = String(repeating: "x", count: 1000)
        for _ in 0..<500 { console.out(line) }
        close(writing)
        #expect(await reader.value == 500 * 1001)
        #expect(console.loss == nil)
        close(reading)
    }

    @Test(
        "prose has the width of the terminal, limited by COLUMNS and 100",
        .enabled(if: PseudoTerminal() != nil, "this system has no pseudo-terminals")
    )
    func width() throws {
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
