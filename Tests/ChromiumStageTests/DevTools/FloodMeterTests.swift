import AdCore
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("Limiting a session's messages")
struct FloodMeterTests {
    private let session = DevToolsSession(name: "S")
    private let start = ContinuousClock.now

    private func admit(_ meter: inout FloodMeter, after time: Duration, bytes: Int = 100) -> FloodMeter.Verdict {
        meter.admit(self.session, bytes: bytes, at: self.start + time)
    }

    /// Admits a number of messages at once; returns the verdicts other than `read`.
    private func send(_ count: Int, _ meter: inout FloodMeter, after time: Duration) -> [FloodMeter.Verdict] {
        (0..<count).map { _ in self.admit(&meter, after: time) }.filter { $0 != .read }
    }

    @Test("the messages of a rich creative are read, in a burst and over time")
    func innocent() {
        var meter = FloodMeter()
        #expect(self.send(6_000, &meter, after: .zero).isEmpty)
        for second in 1...20 { #expect(self.send(2_000, &meter, after: .seconds(second)).isEmpty) }
    }

    @Test("a flood is reported when it starts, and as persistent after two seconds")
    func lasting() {
        var meter = FloodMeter()
        let first = self.send(8_000, &meter, after: .zero)
        #expect(first.first == .report(.started) && first.count == 2_000)
        #expect(first.dropFirst().allSatisfy { $0 == .drop })
        // All new tokens are used up, so that the flood never pauses.
        var verdicts: [FloodMeter.Verdict] = []
        for step in 1...30 { verdicts += self.send(1_000, &meter, after: .milliseconds(step * 100)) }
        #expect(verdicts.filter { $0 != .drop } == [.report(.persists(dropped: 21_001))])
    }

    @Test(
        "a burst is not a persistent flood, whatever follows it",
        arguments: [60, 600, 1_900]
    )
    func burst(rate: Int) {
        var meter = FloodMeter()
        var verdicts = self.send(9_000, &meter, after: .zero)
        for step in 1...500 { verdicts += self.send(rate / 100, &meter, after: .milliseconds(10 * step)) }
        #expect(verdicts.contains(.report(.started)))
        #expect(!verdicts.contains { if case .report(.persists) = $0 { true } else { false } })
    }

    @Test("after a flood the session is read again, and the number of dropped messages is reported")
    func over() {
        var meter = FloodMeter()
        _ = self.send(6_010, &meter, after: .zero)
        #expect(self.admit(&meter, after: .seconds(2)) == .readAfter(.ended(dropped: 10)))
        #expect(self.admit(&meter, after: .seconds(2)) == .read)
    }

    @Test("a long message counts as several")
    func long() {
        var meter = FloodMeter()
        let verdicts = (0..<30).map { _ in self.admit(&meter, after: .zero, bytes: 1 << 20) }
        #expect(verdicts.firstIndex(of: .report(.started)) == 23)
    }

    @Test("each session has its own bucket, also with thousands of sessions")
    func sessions() {
        var meter = FloodMeter()
        _ = self.send(7_000, &meter, after: .zero)
        for number in 0..<5_000 {
            let other = DevToolsSession(name: "\(number)")
            #expect(meter.admit(other, bytes: 10, at: self.start) == .read)
        }
        #expect(self.admit(&meter, after: .zero) == .drop)
    }

    @Test(
        "a flood's event is read back as the same flood",
        arguments: [
            EngineFlood.started, .persists(dropped: 7), .ended(dropped: 8),
        ]
    )
    func event(flood: EngineFlood) {
        #expect(EngineFlood(flood.event(of: self.session)) == flood)
    }
}

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

    @Test("messages that no machine handles are not parsed")
    func unread() throws {
        let console = try #require(self.preview(#"{"method":"Runtime.consoleAPICalled","params":{},"sessionId":"S"}"#))
        let paused = try #require(self.preview(#"{"method":"Fetch.requestPaused","params":{},"sessionId":"S"}"#))
        #expect(console.isUnread && !paused.isUnread)
        let error = #"{"method":"Runtime.consoleAPICalled","params":{"type":"error","args":[]},"sessionId":"S"}"#
        #expect(try !#require(self.preview(error)).isUnread, "console errors are parsed")
    }
}
