import AdCore
import Testing
import YabbiAds

@testable import PlayConsole
@testable import PlayStages

@Suite("The status line of a watched session")
struct WatchLineTests {
    private func text(_ line: WatchLine, at milliseconds: Int64 = 12_345, width: Int = 80) -> String {
        line.text(at: Moment(.milliseconds(milliseconds)), isCovered: false, width: width, Style(isColored: false))
    }

    @Test("shows the connection, the number of messages and ads, and the keys")
    func words() {
        var line = WatchLine(at: .origin)
        #expect(self.text(line) == "12 s  connecting  0 messages  0 shown   q quit")
        line.handle(.opened)
        line.handle(.text("{}"))
        line.handle(.binary(count: 3))
        #expect(self.text(line) == "12 s  connected  1 message  0 shown   q quit")
        line.adShown()
        line.adShown()
        line.adClosed()
        #expect(self.text(line).hasSuffix("2 shown, 1 open   c click · x close · space cover · q quit"))
        line.adClosed()
        let end = SocketEnd(.lost, "it broke")
        line.handle(.disconnected(end, retryIn: .seconds(3)), at: Moment(.seconds(11)))
        #expect(self.text(line).contains("reconnecting in 1.7 s  1 message"))
        #expect(self.text(line, at: 14_001).contains("connecting"), "the attempt is due")
        line.handle(.disconnected(end, retryIn: nil), at: Moment(.seconds(11)))
        #expect(self.text(line).contains("no network"))
    }

    @Test(
        "in few columns it leaves out details, but not the quit key",
        arguments: [200, 80, 60, 40, 30, 8, 1]
    )
    func narrow(width: Int) {
        var line = WatchLine(at: .origin)
        line.handle(.opened)
        line.adShown()
        let text = self.text(line, width: width)
        #expect(text.hasSuffix("q quit"))
        #expect(Style.columns(text) < width || width < 30)
        line.adClosed()
        #expect(self.text(line, width: width).hasSuffix("q quit"))
        let colored = line.text(at: .origin, isCovered: true, width: width, Style(isColored: true))
        #expect(Style.plain(colored).hasSuffix("q quit"), "colors take no columns")
    }
}
