import AdCore
import Testing

@testable import ChromiumStage

@Suite("What a browser says, cut into messages")
struct DevToolsSplitterTests {
    private func split(_ pieces: [[UInt8]]) -> (texts: [String], isGood: Bool) {
        var splitter = DevToolsSplitter()
        var texts: [String] = []
        var isGood = true
        for piece in pieces {
            piece.withUnsafeBytes { bytes in
                isGood = splitter.take(bytes) { texts.append(String(decoding: $0, as: UTF8.self)) } && isGood
            }
        }
        return (texts, isGood)
    }

    @Test("messages end with a zero byte, wherever the pieces end")
    func everySplit() {
        let bytes = Array("{\"id\":1}\u{0}\u{0}{\"method\":\"a\"}\u{0}{\"half".utf8)
        for cut in 0...bytes.count {
            let (texts, isGood) = self.split([Array(bytes[..<cut]), Array(bytes[cut...])])
            #expect(texts == [#"{"id":1}"#, #"{"method":"a"}"#] && isGood, "cut at \(cut)")
        }
        #expect(self.split(bytes.map { [$0] }).texts.count == 2)
    }

    @Test("a message that never ends is given up")
    func endless() {
        let megabyte = [UInt8](repeating: 0x61, count: 1 << 20)
        #expect(self.split(Array(repeating: megabyte, count: 64)).isGood)
        #expect(!self.split(Array(repeating: megabyte, count: 65)).isGood)
    }
}

@Suite("Messages of the browser")
struct DevToolsMessageTests {
    @Test("an answer, a refusal and an event are told apart")
    func kinds() {
        let read = { (text: String) in DevToolsMessage(Array(text.utf8)) }
        #expect(read(#"{"id":7,"result":{"a":1}}"#) == .answer(number: 7, .success(["a": 1])))
        #expect(read(#"{"id":7}"#) == .answer(number: 7, .success([:])))
        let refusal = #"{"id":8,"error":{"code":-32000,"message":"Not allowed","data":"why"}}"#
        #expect(read(refusal) == .answer(number: 8, .failure(.refused("Not allowed: why"))))
        let event = DevToolsEvent(session: DevToolsSession(name: "S"), method: "Page.x", params: ["b": "c"])
        #expect(read(#"{"method":"Page.x","params":{"b":"c"},"sessionId":"S"}"#) == .event(event))
    }

    @Test("what is no message is none", arguments: ["", "{", "[]", "{}", #"{"id":"x"}"#, #"{"id":1.5}"#, "\u{FFFD}"])
    func none(text: String) { #expect(DevToolsMessage(Array(text.utf8)) == nil) }

    @Test("a command is one line, and a zero byte inside it is none")
    func command() {
        let command = DevToolsCommand("Page.navigate", ["url": "a\u{0}b"], in: DevToolsSession(name: "S"))
        let text = String(decoding: command.bytes(number: 3), as: UTF8.self)
        #expect(
            text == #"{"id":3,"method":"Page.navigate","params":{"url":"a\u0000b"},"sessionId":"S"}"# + "\u{0}"
        )
    }
}
