import AdCore
import LibC
import SandboxSSP
import SystemSupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("Lost output")
struct OutputLossTests {
    /// The two ends of a pipe.
    private func pipeEnds() throws -> (reading: Int32, writing: Int32) {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    /// All text in a pipe, until its other end is closed.
    private func text(_ reading: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var text = ""
        while case let count = bytes.withUnsafeMutableBytes({ read(reading, $0.baseAddress, $0.count) }), count > 0 {
            text += String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        return text
    }

    @Test("if the reader of the output goes away, the run ends without an error message")
    func readerGone() async throws {
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        let endpoint = try #require(sandbox.url("/yabbi/load"))
        let output = try self.pipeEnds()
        close(output.reading)
        let error = try self.pipeEnds()
        let console = ProcessConsole(input: -1, output: output.writing, error: error.writing, term: nil, noColor: nil)
        let words = ["load", "--endpoint", endpoint.text, "--unit", "bad-size", "--repeat", "50", "--json"]
        #expect(await YabbiPlay.run(words, console) == .done)
        #expect(sandbox.requests().count == 1)
        #expect(console.loss == .readerGone)
        close(output.writing)
        close(error.writing)
        #expect(self.text(error.reading).isEmpty)
        close(error.reading)
    }

    @Test(
        "unwritable output is an error of one line",
        .enabled(if: access("/dev/full", W_OK) == 0, "this system has no /dev/full"),
        arguments: [["help"], ["--version"], ["demo"], ["sandbox"], ["show", "--unit", "nofill"]]
    )
    func full(words: [String]) async throws {
        let output = open("/dev/full", O_WRONLY)
        try #require(output >= 0)
        defer { close(output) }
        let error = try self.pipeEnds()
        let console = ProcessConsole(input: -1, output: output, error: error.writing, term: nil, noColor: nil)
        #expect(await YabbiPlay.run(words, console) == .usage)
        close(error.writing)
        let lines = self.text(error.reading).split(separator: "\n")
        close(error.reading)
        #expect(lines.count == 1)
        #expect(lines.first?.contains("the output can't be written: ") ?? false, "\(lines)")
    }
}
