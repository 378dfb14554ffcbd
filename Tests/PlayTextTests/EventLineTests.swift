import AdCore
import Testing

@testable import PlayConsole
@testable import PlayText

@Suite("Lines of events")
struct EventLineTests {
    @Test("a link that failed to open and a link that was not opened have different lines")
    func links() throws {
        let link = try #require(ClickThroughURL("https://shop.example/?a=1&b=2"))
        func line(opened: Bool, opensLinks: Bool) -> String {
            let event = AdEvent.linkOpened(link, opened ? .opened(.systemBrowser) : .notOpened)
            let record = AdRecord(at: .origin, ad: AdID(bits: 1), provider: "yabbi", event: event)
            return EventLine(record, opensLinks: opensLinks).line(Style(isColored: false))
        }
        #expect(line(opened: false, opensLinks: true).hasSuffix("(could not be opened)"))
        #expect(line(opened: false, opensLinks: false).hasSuffix("(not opened; --open opens it)"))
        #expect(line(opened: true, opensLinks: true).contains("link opened  "))
    }
}
