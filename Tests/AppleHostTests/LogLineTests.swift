import AdCore
import Testing

@testable import AppleHost

@Suite("Lines for the system's log")
struct LogLineTests {
    private func line(_ event: AdEvent) -> LogLine {
        LogLine(AdRecord(at: .origin, ad: AdID("a1"), provider: "openrtb", event: event))
    }

    @Test("what is public has the ad's id and the event, and no URL")
    func text() throws {
        let link = try #require(ClickThroughURL("https://shop.example/?token=abc"))
        let line = self.line(.linkOpened(link, .notOpened))
        #expect(line.text == "openrtb a1 linkOpened")
        #expect(line.detail.contains("token=***") && !line.detail.contains("abc"))
        #expect(self.line(.shown).detail == "")
    }

    @Test("errors, notices and details have their levels")
    func levels() {
        #expect(self.line(.loadFailed(AdError(.noFill, "none"))).level == .notice)
        #expect(self.line(.loadFailed(AdError(.unreadableResponse, "bad"))).level == .error)
        #expect(self.line(.view(.anyPixel)).level == .notice && self.line(.loaded).level == .info)
        #expect(self.line(.quartile(25, spot: 0)).level == .debug)
    }

    @Test("sessions and ignored inputs are lines, too")
    func others() {
        let ignored = IgnoredInput(at: .origin, ad: AdID("a1"), provider: "yabbi", input: "close", reason: "late")
        #expect(LogLine(ignored).text == "yabbi a1 ignored close" && LogLine(ignored).detail == "late")
        let received = SessionRecord(at: .origin, provider: "smartico", event: .received(bytes: 12))
        #expect(LogLine(received)?.text == "smartico session received 12 bytes")
        #expect(LogLine(SessionRecord(at: .origin, provider: "s", event: .machineEvent(1))) == nil)
    }
}
