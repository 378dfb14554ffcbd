import AdCore
import PlaySupport
import Testing

@testable import PlayText
@testable import YabbiPlay

@Suite("Lines that runs print, and the list of events")
struct PrintedEventTests {
    private func names(_ line: String) throws -> [String] {
        guard case .object(let members) = try AdJSON(parsing: line) else { return [] }
        return members.map(\.name)
    }

    @Test(
        "the table has every line that a run prints",
        arguments: [
            ["show", "--unit", "banner-300x250", "--clock", "virtual", "--do", "click@1s,close@1s"],
            ["load", "--unit", "banner-320x50"], ["load", "--unit", "nofill"],
            ["load", "--unit", "banner-320x50", "--dry-run"], ["load", "--unit", "banner-320x50", "--repeat", "2"],
            ["demo"], ["show", "--provider", "smartico", "--do", "click@1ms"],
            ["show", "--provider", "smartico", "--set", "push=widget", "--do", "click@1ms"],
            ["show", "--provider", "smartico", "--set", "ext_user_id=u-binary-popup"],
            ["show", "--provider", "smartico", "--set", "label_key=wrong"],
            ["show", "--provider", "smartico", "--dry-run"],
            ["watch", "--for", "0.2", "--do", "click@1ms"],
        ]
    )
    func lines(arguments: [String]) async throws {
        let console = BufferConsole()
        _ = await YabbiPlay.run(arguments + ["--json"], console)
        try #require(!console.out.isEmpty)
        for line in console.out {
            let names = try self.names(line)
            let event = try #require(try AdJSON(parsing: line)["event"]?.string)
            if let row = EventTable.ofAds.first(where: { $0.name == event }) {
                #expect(names == ["t", "ad", "provider", "event"] + row.fields)
            } else if let row = EventTable.ofSessions.first(where: { $0.name == event }) {
                #expect(names == ["t", "provider", "event"] + row.fields)
            } else {
                let row = try #require(EventTable.ofRuns.first { $0.name == event }, "\(event) is missing")
                #expect(names == ["event"] + row.fields)
            }
        }
    }

    @Test("the table is a topic of the help")
    func topic() throws {
        let text = try Help.text("events")
        for row in EventTable.ofAds + EventTable.ofSessions + EventTable.ofRuns {
            for word in [row.name] + row.fields { #expect(text.contains(word)) }
        }
    }
}
