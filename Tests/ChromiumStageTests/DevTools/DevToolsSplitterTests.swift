import AdCore
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("Splitting DevTools messages")
struct DevToolsSplitterTests {
    private func split(_ chunks: [[UInt8]], byteLimit: Int = 1_000) -> [String] {
        var splitter = DevToolsSplitter(byteLimit: byteLimit)
        var texts: [String] = []
        for chunk in chunks {
            chunk.withUnsafeBytes { bytes in
                splitter.append(bytes) { texts.append(String(decoding: $0, as: UTF8.self)) }
            }
        }
        return texts
    }

    @Test("messages end with a zero byte, whatever the chunks are")
    func everySplit() {
        let bytes = Array("{\"id\":1}\u{0}\u{0}{\"method\":\"a\"}\u{0}{\"half".utf8)
        for cut in 0...bytes.count {
            let texts = self.split([Array(bytes[..<cut]), Array(bytes[cut...])])
            #expect(texts == [#"{"id":1}"#, #"{"method":"a"}"#], "cut at \(cut)")
        }
        #expect(self.split(bytes.map { [$0] }).count == 2)
    }

    @Test("only a message that is too long is dropped")
    func tooLong() {
        let bytes = Array(("before\u{0}" + String(repeating: "x", count: 11) + "\u{0}after\u{0}1234567890\u{0}").utf8)
        for cut in 0...bytes.count {
            let texts = self.split([Array(bytes[..<cut]), Array(bytes[cut...])], byteLimit: 10)
            #expect(texts == ["before", "after", "1234567890"], "cut at \(cut)")
        }
    }
}

@Suite("Parsing DevTools messages")
struct DevToolsMessageTests {
    @Test("replies, errors and events are parsed")
    func kinds() {
        let read = { (text: String) in DevToolsMessage(Array(text.utf8)) }
        #expect(read(#"{"id":7,"result":{"a":1}}"#) == .reply(number: 7, .success(["a": 1])))
        #expect(read(#"{"id":7}"#) == .reply(number: 7, .success([:])))
        let refusal = #"{"id":8,"error":{"code":-32000,"message":"Not allowed","data":"why"}}"#
        #expect(read(refusal) == .reply(number: 8, .failure(.refused("Not allowed: why"))))
        let event = DevToolsEvent(session: DevToolsSession(name: "S"), method: "Page.x", params: ["b": "c"])
        #expect(read(#"{"method":"Page.x","params":{"b":"c"},"sessionId":"S"}"#) == .event(event))
    }

    @Test("an invalid message is nil", arguments: ["", "{", "[]", "{}", #"{"id":"x"}"#, #"{"id":1.5}"#, "\u{FFFD}"])
    func none(text: String) { #expect(DevToolsMessage(Array(text.utf8)) == nil) }

    @Test("a command ends with a zero byte, and zero bytes inside are escaped")
    func command() {
        let command = DevToolsCommand("Page.navigate", ["url": "a\u{0}b"], in: DevToolsSession(name: "S"))
        let text = String(decoding: command.bytes(number: 3), as: UTF8.self)
        #expect(
            text == #"{"id":3,"method":"Page.navigate","params":{"url":"a\u0000b"},"sessionId":"S"}"# + "\u{0}"
        )
    }
}
