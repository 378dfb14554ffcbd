import AdCore
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("Previews of DevTools messages")
struct DevToolsPreviewTests {
    private func preview(_ text: String) -> DevToolsPreview? { DevToolsPreview(Array(text.utf8)) }

    @Test("a preview has the method and session of an event")
    func event() {
        let preview = self.preview(#"{"method":"Page.loaded","params":{"sessionId":"inner"},"sessionId":"S1"}"#)
        #expect(preview?.method == "Page.loaded" && preview?.session == DevToolsSession(name: "S1"))
    }

    @Test(
        "other messages and another order of members have no preview",
        arguments: [
            "", "{", #"{"id":1,"result":{},"sessionId":"S1"}"#, #"{"method":"a","params":{}}"#,
            #"{"method":"a","params":{"sessionId":"S1"}}"#, #"{"sessionId":"S1","method":"a"}"#, #"{"method":""#,
            #"{"method":"}"#, #"{"method":"a"}"#,
        ]
    )
    func none(text: String) { #expect(self.preview(text) == nil) }

    @Test("a request for a data: URL is not parsed and counts as short; one that only contains the text is parsed")
    func inline() throws {
        let data = String(repeating: "A", count: 1 << 20)
        func sent(_ url: String) throws -> DevToolsPreview {
            let head = #"{"method":"Network.requestWillBeSent","params":{"requestId":"1","#
            let request = #""documentURL":"https://a.example/","request":{"url":"\#(url)","method":"GET"}}"#
            return try #require(self.preview(head + request + #","sessionId":"S"}"#))
        }
        let inline = try sent("data:image/png;base64," + data)
        #expect(inline.isInline && inline.isUnread)
        for url in ["https://a.example/", #"https://a.example/?\"url\":\"data:"#] {
            let other = try sent(url)
            #expect(!other.isInline && !other.isUnread)
        }
        let paused = #"{"method":"Fetch.requestPaused","params":{"url":"data:x"},"sessionId":"S"}"#
        #expect(try !#require(self.preview(paused)).isInline)
        #expect(FloodMeter.inlineByteLimit / FloodMeter.bytes * 100 < Int(FloodMeter.rate))
    }

    @Test("the response of an image that may be animated is parsed, unless it is very large")
    func animated() throws {
        func response(_ type: String, size: Int = 100) throws -> DevToolsPreview {
            let url = "data:\(type);base64,\(String(repeating: "A", count: size))"
            let head = #"{"method":"Network.responseReceived","params":{"requestId":"1","response":{"url":"\#(url)"}}"#
            return try #require(self.preview(head + #","sessionId":"S"}"#))
        }
        for type in ["image/gif", "IMAGE/WebP", "image/apng"] {
            let preview = try response(type)
            #expect(preview.isInline && !preview.isUnread)
        }
        let (png, large) = (try response("image/png"), try response("image/gif", size: 3 << 20))
        #expect(png.isUnread && large.isUnread)
    }

    @Test("of a session's console messages and inline images only the first ones are parsed")
    func quotas() throws {
        var quotas = MessageQuotas()
        func image(_ session: String) throws -> DevToolsPreview {
            let response = #"{"method":"Network.responseReceived","params":{"response":{"url":"data:image/gif,x"}}"#
            return try #require(self.preview(response + #","sessionId":"\#(session)"}"#))
        }
        func console(_ session: String) throws -> DevToolsPreview {
            let call = #"{"method":"Runtime.consoleAPICalled","params":{"type":"log"},"sessionId":"\#(session)"}"#
            return try #require(self.preview(call))
        }
        let (images, messages) = (
            try (0..<30).map { _ in try image("a") }, try (0..<ActivityLimit.perKind + 9).map { _ in try console("a") }
        )
        let (parsedImages, parsedMessages) = (
            images.filter { quotas.admit($0) }.count, messages.filter { quotas.admit($0) }.count
        )
        #expect(parsedImages == 20 && parsedMessages == ActivityLimit.perKind + 1)
        let (other, call) = (try image("b"), try console("b"))
        let admitted = [quotas.admit(other), quotas.admit(call)]
        #expect(admitted == [true, true])
    }

    @Test("messages that no machine handles are not parsed")
    func unread() throws {
        let policy = try #require(self.preview(#"{"method":"Network.policyUpdated","params":{},"sessionId":"S"}"#))
        let paused = try #require(self.preview(#"{"method":"Fetch.requestPaused","params":{},"sessionId":"S"}"#))
        #expect(policy.isUnread && !paused.isUnread)
        let log = #"{"method":"Runtime.consoleAPICalled","params":{"type":"log","args":[]},"sessionId":"S"}"#
        #expect(try !#require(self.preview(log)).isUnread, "console messages are listed")
        let picture = try #require(self.preview(#"{"method":"Page.screencastFrame","params":{},"sessionId":"S"}"#))
        #expect(picture.isPicture && !paused.isPicture)
    }
}
