import AdCore
import Testing
import YabbiAds

@testable import YabbiPlay

@Suite("The line below a session that is watched")
struct WatchLineTests {
    private func text(_ line: WatchLine, at milliseconds: Int64 = 12_345) -> String {
        line.text(at: Moment(.milliseconds(milliseconds)), isCovered: false, Style(isColoured: false))
    }

    @Test("tells how it is with the connection, what came, and the keys")
    func words() {
        var line = WatchLine(at: .origin)
        #expect(self.text(line) == "12 s  connecting  0 messages  0 shown   q quit")
        line.take(.opened)
        line.take(.text("{}"))
        line.take(.binary(count: 3))
        #expect(self.text(line) == "12 s  connected  1 message  0 shown   q quit")
        line.appeared()
        line.appeared()
        line.went()
        #expect(self.text(line).hasSuffix("2 shown, 1 there   c click · x close · q quit"))
        line.went()
        let end = SocketEnd(.lost, "it broke")
        line.take(.disconnected(end, retryIn: .seconds(3)), at: Moment(.seconds(11)))
        #expect(self.text(line).contains("connects in 1.7 s  1 message"))
        #expect(self.text(line, at: 14_001).contains("connecting"), "the time has come")
        line.take(.disconnected(end, retryIn: nil), at: Moment(.seconds(11)))
        #expect(self.text(line).contains("no network"))
    }
}
