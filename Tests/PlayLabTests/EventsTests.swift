import AdCore
import Testing

@testable import LoopbackServer
@testable import PlayLab

@Suite("The events of an ad in the lab")
struct EventsTests {
    private let ad = LabAd(
        id: "a1",
        LabOrder(.bundled("leaf"), options: []),
        ordered: [:],
        startedAt: WallTime(milliseconds: 0)
    )

    private func text(_ cursor: inout EventCursor) -> String {
        var text = ""
        while let bytes = self.ad.next(&cursor) { text += String(decoding: bytes, as: UTF8.self) }
        return text
    }

    @Test("lines come in order with their numbers, and a page that connects again gets only the later ones")
    func order() {
        for number in 1...5 { self.ad.append("{\"n\":\(number)}") }
        var first = EventCursor(line: 0)
        #expect(self.text(&first).hasPrefix("id: 1\ndata: {\"n\":1}\n\nid: 2\ndata: {\"n\":2}\n\n"))
        var again = EventCursor(line: 3)
        #expect(self.text(&again) == "id: 4\ndata: {\"n\":4}\n\nid: 5\ndata: {\"n\":5}\n\n")
        #expect(self.text(&again).isEmpty)
        self.ad.append("{\"n\":6}")
        #expect(self.text(&again) == "id: 6\ndata: {\"n\":6}\n\n")
    }

    @Test("a part is sent when it changes, as a whole, and to each page")
    func parts() {
        var one = EventCursor(line: 0)
        var other = EventCursor(line: 0)
        self.ad.set(.state, ["state": "loading"])
        #expect(self.text(&one) == "event: state\ndata: {\"state\":\"loading\"}\n\n")
        self.ad.set(.state, ["state": "loading"])
        #expect(self.text(&one).isEmpty)
        self.ad.set(.state, ["state": "shown"])
        #expect(self.text(&one) == "event: state\ndata: {\"state\":\"shown\"}\n\n")
        #expect(self.text(&other) == "event: state\ndata: {\"state\":\"shown\"}\n\n")
    }

    @Test("the end follows all lines, once")
    func end() {
        self.ad.append("{}")
        self.ad.finish()
        var cursor = EventCursor(line: 0)
        let text = self.text(&cursor)
        #expect(text.hasPrefix("id: 1\n") && text.hasSuffix("event: end\ndata: {}\n\n"))
        #expect(cursor.hasEnded && self.text(&cursor).isEmpty)
    }

    @Test("a flood is bounded: the oldest lines are dropped, and a late page gets a note")
    func flood() {
        for number in 0..<50_000 { self.ad.append("{\"n\":\(number)}") }
        #expect(self.ad.bytes <= LabAd.maxLineBytes)
        var cursor = EventCursor(line: 0)
        let text = self.text(&cursor)
        #expect(text.hasPrefix("data: {\"event\":\"omitted\""))
        #expect(text.contains("\"n\":49999}"))
        #expect(text.split(separator: "\n").count < 3 * LabAd.maxLines)
    }

    @Test("a page that reads nothing costs no memory, and gets what is kept when it reads")
    func slow() {
        var cursor = EventCursor(line: 0)
        self.ad.append(String(repeating: "x", count: 1_000))
        _ = self.ad.next(&cursor)
        for _ in 0..<5_000 { self.ad.append(String(repeating: "y", count: 1_000)) }
        let piece = self.ad.next(&cursor)?.count ?? 0
        #expect(piece > 0 && piece < 200_000)
    }
}
