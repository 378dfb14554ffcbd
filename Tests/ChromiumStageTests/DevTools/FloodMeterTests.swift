import AdCore
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("How many messages of a session are read")
struct FloodMeterTests {
    private let session = DevToolsSession(name: "S")
    private let start = ContinuousClock.now

    private func admit(_ meter: inout FloodMeter, after time: Duration, bytes: Int = 100) -> FloodMeter.Verdict {
        meter.admit(self.session, bytes: bytes, at: self.start + time)
    }

    /// Says so many messages at once, and gives the verdicts that are not `read`.
    private func say(_ count: Int, _ meter: inout FloodMeter, after time: Duration) -> [FloodMeter.Verdict] {
        (0..<count).map { _ in self.admit(&meter, after: time) }.filter { $0 != .read }
    }

    @Test("as many as a rich creative makes are read, at once and for as long as it likes")
    func innocent() {
        var meter = FloodMeter()
        #expect(self.say(6_000, &meter, after: .zero).isEmpty)
        for second in 1...20 { #expect(self.say(2_000, &meter, after: .seconds(second)).isEmpty) }
    }

    @Test("a flood is reported when it begins, and once more with its count when its second second is over")
    func lasting() {
        var meter = FloodMeter()
        let first = self.say(8_000, &meter, after: .zero)
        #expect(first.first == .report(.started) && first.count == 2_000)
        #expect(first.dropFirst().allSatisfy { $0 == .drop })
        // All that was filled up meanwhile is used up, so that it never was quiet.
        var told: [FloodMeter.Verdict] = []
        for step in 1...30 { told += self.say(1_000, &meter, after: .milliseconds(step * 100)) }
        #expect(told.filter { $0 != .drop } == [.report(.persists(dropped: 21_001))])
    }

    @Test(
        "a burst that is over is no flood, whatever little comes after it",
        arguments: [60, 600, 1_900]
    )
    func burst(rate: Int) {
        var meter = FloodMeter()
        var told = self.say(9_000, &meter, after: .zero)
        for step in 1...500 { told += self.say(rate / 100, &meter, after: .milliseconds(10 * step)) }
        #expect(told.contains(.report(.started)))
        #expect(!told.contains { if case .report(.persists) = $0 { true } else { false } })
    }

    @Test("when it is over the session is read again, and the count is reported")
    func over() {
        var meter = FloodMeter()
        _ = self.say(6_010, &meter, after: .zero)
        #expect(self.admit(&meter, after: .seconds(2)) == .readAfter(.ended(dropped: 10)))
        #expect(self.admit(&meter, after: .seconds(2)) == .read)
    }

    @Test("a long message counts as several")
    func long() {
        var meter = FloodMeter()
        let verdicts = (0..<30).map { _ in self.admit(&meter, after: .zero, bytes: 1 << 20) }
        #expect(verdicts.firstIndex(of: .report(.started)) == 23)
    }

    @Test("another session has a bucket of its own, also when there were thousands")
    func sessions() {
        var meter = FloodMeter()
        _ = self.say(7_000, &meter, after: .zero)
        for number in 0..<5_000 {
            let other = DevToolsSession(name: "\(number)")
            #expect(meter.admit(other, bytes: 10, at: self.start) == .read)
        }
        #expect(self.admit(&meter, after: .zero) == .drop)
    }

    @Test(
        "what is told of it comes back as it was",
        arguments: [
            EngineFlood.started, .persists(dropped: 7), .ended(dropped: 8),
        ]
    )
    func event(flood: EngineFlood) {
        #expect(EngineFlood(flood.event(of: self.session)) == flood)
    }
}

@Suite("What is seen of a message before it is read")
struct DevToolsGlanceTests {
    private func glance(_ text: String) -> DevToolsPreview? { DevToolsPreview(Array(text.utf8)) }

    @Test("the method and the session of an event")
    func event() {
        let glance = self.glance(#"{"method":"Page.loaded","params":{"sessionId":"inner"},"sessionId":"S1"}"#)
        #expect(glance?.method == "Page.loaded" && glance?.session == DevToolsSession(name: "S1"))
    }

    @Test(
        "nothing of what is no event of a session, or stands in another order",
        arguments: [
            "", "{", #"{"id":1,"result":{},"sessionId":"S1"}"#, #"{"method":"a","params":{}}"#,
            #"{"method":"a","params":{"sessionId":"S1"}}"#, #"{"sessionId":"S1","method":"a"}"#, #"{"method":""#,
            #"{"method":"}"#, #"{"method":"a"}"#,
        ]
    )
    func none(text: String) { #expect(self.glance(text) == nil) }

    @Test("a request of data: is not parsed, and counts as a short one; one that only speaks of it is read")
    func inline() throws {
        let data = String(repeating: "A", count: 1 << 20)
        func sent(_ url: String) throws -> DevToolsPreview {
            let head = #"{"method":"Network.requestWillBeSent","params":{"requestId":"1","#
            let request = #""documentURL":"https://a.example/","request":{"url":"\#(url)","method":"GET"}}"#
            return try #require(self.glance(head + request + #","sessionId":"S"}"#))
        }
        let inline = try sent("data:image/png;base64," + data)
        #expect(inline.isInline && inline.isUnread)
        for url in ["https://a.example/", #"https://a.example/?\"url\":\"data:"#] {
            let other = try sent(url)
            #expect(!other.isInline && !other.isUnread)
        }
        let paused = #"{"method":"Fetch.requestPaused","params":{"url":"data:x"},"sessionId":"S"}"#
        #expect(try !#require(self.glance(paused)).isInline)
        #expect(FloodMeter.inlineByteLimit / FloodMeter.bytes * 100 < Int(FloodMeter.rate))
    }

    @Test("what no machine reads is not parsed, and everything else is")
    func unread() throws {
        let console = try #require(self.glance(#"{"method":"Runtime.consoleAPICalled","params":{},"sessionId":"S"}"#))
        let paused = try #require(self.glance(#"{"method":"Fetch.requestPaused","params":{},"sessionId":"S"}"#))
        #expect(console.isUnread && !paused.isUnread)
        let error = #"{"method":"Runtime.consoleAPICalled","params":{"type":"error","args":[]},"sessionId":"S"}"#
        #expect(try !#require(self.glance(error)).isUnread, "an error explains how an ad looks")
    }
}
