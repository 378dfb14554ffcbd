import EngineSupport
import Testing

@testable import WebKitStage
@testable import WebStage

@Suite("Messages of the helper")
struct WireTests {
    /// What a reader makes of bytes that arrive in pieces.
    private func read(_ bytes: [UInt8], pieces: Int) -> [String] {
        var reader = WireReader()
        let now = ContinuousClock.now
        var found: [String] = []
        var isReadable = true
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            guard isReadable else { break }
            isReadable = Array(bytes[start..<min(start + pieces, bytes.count)]).withUnsafeBytes { piece in
                reader.append(piece, at: now) { message in
                    switch message {
                    case .reply(let number, let result): found.append("\(number) \((try? result.get())?.text ?? "-")")
                    case .report(.event(let event)):
                        found.append(event.fields.indices.map(event.text).joined(separator: " "))
                    case .report(.flood(let flood, _, let frame)): found.append("\(flood) \(frame)")
                    }
                }
            }
        }
        return found + (isReadable ? [] : ["unreadable"])
    }

    private func message(_ fields: String...) -> [UInt8] { WireMessage(fields.map { Array($0.utf8) }).encoded }

    @Test("messages are read in whatever pieces they arrive", arguments: [1, 3, 7, 1_000])
    func pieces(pieces: Int) {
        let bytes =
            self.message("ready", "0", "2.50.6") + self.message("reply", "0", "7", "value", "[1]")
            + self.message("reply", "0", "8", "failed", "no")
        #expect(self.read(bytes, pieces: pieces) == ["ready 0 2.50.6", "7 [1]", "8 -"])
    }

    @Test("a message whose fields contradict its size is dropped, and the next one is read")
    func contradicting() {
        let broken: [UInt8] = [5, 0, 0, 0, 200, 0, 0, 0, 1]
        #expect(self.read(broken + self.message("ready", "0"), pieces: 64) == ["ready 0"])
    }

    @Test("a size beyond the limit ends the connection")
    func tooLong() {
        let bytes = self.message("ready", "0") + [255, 255, 255, 255] + self.message("ready", "0")
        #expect(self.read(bytes, pieces: 5) == ["ready 0", "unreadable"])
    }

    @Test("a field may be empty, and a missing one is empty")
    func fields() throws {
        let message = try #require(WireMessage(encoded: self.message("a", "", "12")[4...]))
        #expect(message.name == "a" && message.text(1).isEmpty && message.integer(2) == 12)
        #expect(message.text(9).isEmpty && message.bytes(9).isEmpty && message.integer(9) == 0)
    }

    @Test("of a frame that floods no messages are read, but what waits for the stage is")
    func flood() {
        let flood = (0..<7_000).flatMap { _ in self.message("message", "1", "5", "1", "page", "x", "y") }
        let found = self.read(flood + self.message("request", "1", "9"), pieces: 1 << 20)
        #expect(found.contains("started 5"))
        #expect(found.last == "request 1 9")
        #expect(found.count < 7_000)
    }

    @Test("of a page that sends requests without end no more are read", arguments: ["request", "log"])
    func requests(name: String) {
        let found = self.read((0..<7_000).flatMap { _ in self.message(name, "1", "9") }, pieces: 1 << 20)
        #expect(found.contains("started 0") && found.count < 7_000)
    }
}
