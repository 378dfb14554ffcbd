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
        #expect(running == "1.3 s  can be closed in 0.8 s   c click · x close · space cover · q quit")
        #expect(self.text(.open(.closeTimeout)).hasPrefix("1.3 s  can be closed   "))
        #expect(self.text(.byHost).contains("the host closes it"))
        let media = self.text(.afterMedia(atMost: .seconds(25)))
        #expect(media.contains("at its end, 25.0 s at most"))
    }

    @Test("says that time stands still under a cover, and how to lift it")
    func covered() {
        let line = self.text(.after(.seconds(3), isRunning: false), isCovered: true)
        #expect(
            line
                == "1.3 s  covered, 3.0 s to go   c click · x close · space uncover · q quit"
        )
    }

    @Test("fits eighty columns, whatever it says")
    func width() {
        let ways: [WayOut] = [
            .open(.closeTimeout), .after(.seconds(29), isRunning: true), .after(.seconds(29), isRunning: false),
            .afterMedia(atMost: .seconds(29)), .byHost,
        ]
        for way in ways {
            for isCovered in [true, false] {
                let line = StatusLine(shown: .seconds(29), wayOut: way, isCovered: isCovered)
                #expect(Style.columns(line.text(Style(isColoured: false))) < 80)
            }
        }
    }
}
