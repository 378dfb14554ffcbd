import AdCore
import Testing

@testable import YabbiPlay

@Suite("The line below a live ad")
struct StatusLineTests {
    private func text(_ wayOut: WayOut, isCovered: Bool = false) -> String {
        StatusLine(shown: .milliseconds(1240), wayOut: wayOut, isCovered: isCovered).text(Style(isColoured: false))
    }

    @Test("says when the ad can be closed, and by which keys")
    func wayOut() {
        let running = self.text(.after(.milliseconds(701), isRunning: true))
        #expect(running == "1.3 s  on screen, can be closed in 0.8 s   c click · x close · space cover · q quit")
        #expect(self.text(.open(.closeTimeout)).contains("on screen, can be closed   "))
        #expect(self.text(.byHost).contains("closed by the host"))
        let media = self.text(.afterMedia(atMost: .seconds(25)))
        #expect(media.contains("when it has played, in 25.0 s at most"))
    }

    @Test("says that time stands still under a cover, and how to lift it")
    func covered() {
        let line = self.text(.after(.seconds(3), isRunning: false), isCovered: true)
        #expect(
            line
                == "1.3 s  covered, can be closed after 3.0 s more in sight   c click · x close · space uncover · q quit"
        )
    }
}
