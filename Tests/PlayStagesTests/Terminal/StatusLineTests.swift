import AdCore
import Testing

@testable import PlayConsole
@testable import PlayStages

@Suite("The status line of an ad")
struct StatusLineTests {
    private func text(_ closeAvailability: CloseAvailability, isCovered: Bool = false) -> String {
        StatusLine(shown: .milliseconds(1240), closeAvailability: closeAvailability, isCovered: isCovered).text(
            Style(isColored: false)
        )
    }

    @Test("shows when the ad can be closed, and the keys")
    func closeAvailability() {
        let running = self.text(.after(.milliseconds(701), isRunning: true))
        #expect(running == "1.3 s  closable in 0.8 s   c click · x close · space cover · q quit")
        #expect(self.text(.open(.closeDelay)).hasPrefix("1.3 s  closable   "))
        #expect(self.text(.byHost).contains("closed by host"))
        let media = self.text(.afterMedia(atMost: .seconds(25)))
        #expect(media.contains("closable in at most 25.0 s"))
    }

    @Test("shows that a covered ad does not count down, and the key to uncover it")
    func covered() {
        let line = self.text(.after(.seconds(3), isRunning: false), isCovered: true)
        #expect(
            line
                == "1.3 s  covered, 3.0 s left   c click · x close · space uncover · q quit"
        )
    }

    @Test("fits eighty columns in every state")
    func width() {
        let states: [CloseAvailability] = [
            .open(.closeDelay), .after(.seconds(29), isRunning: true), .after(.seconds(29), isRunning: false),
            .afterMedia(atMost: .seconds(29)), .byHost,
        ]
        for state in states {
            for isCovered in [true, false] {
                let line = StatusLine(shown: .seconds(29), closeAvailability: state, isCovered: isCovered)
                #expect(Style.columns(line.text(Style(isColored: false))) < 80)
            }
        }
    }

    private func video(
        _ closeAvailability: CloseAvailability,
        spots: Int = 1,
        skippableIn: Duration? = nil,
        isPlaying: Bool = true,
        isMuted: Bool = false,
        isCovered: Bool = false,
        width: Int = 80
    ) -> String {
        var line = StatusLine(shown: .seconds(9), closeAvailability: closeAvailability, isCovered: isCovered)
        line.video = VideoProgress(
            spot: 0,
            spots: spots,
            position: .seconds(4),
            duration: .seconds(12),
            skippableIn: skippableIn,
            isPlaying: isPlaying,
            isMuted: isMuted
        )
        return line.text(Style(isColored: false), width: width)
    }

    @Test("for a video it shows a progress bar, the skip and close times, and the player's keys")
    func videoLine() {
        #expect(
            self.video(.after(.seconds(3), isRunning: true), skippableIn: .seconds(1))
                == "[####--------] 4.0/12.0 s  skippable in 1.0 s  closable in 3.0 s   q quit"
        )
        let ending = self.video(.afterMedia(atMost: .seconds(18)), isPlaying: false)
        #expect(ending.hasPrefix("[####--------] 4.0/12.0 s  closable at the end   "))
        #expect(ending.hasSuffix("c click · x close · q quit"))
        #expect(self.video(.open(.watchdog), skippableIn: .zero).contains("skippable  closable"))
    }

    @Test("in a hundred columns the keys have descriptions", arguments: [100, 120])
    func explained(_ width: Int) {
        let states: [CloseAvailability] = [
            .open(.closeDelay), .after(.seconds(9), isRunning: true), .afterMedia(atMost: .seconds(600)), .byHost,
        ]
        for state in states {
            for skip in [nil, Duration.zero, .seconds(9)] {
                let line = self.video(state, skippableIn: skip, width: width)
                #expect(Style.columns(line) < width)
                #expect(line.contains("c click · x close · "), "\(line)")
                #expect(line.contains("space pause · q quit") || width == 100, "\(line)")
            }
        }
    }

    @Test("the line of a video fits eighty columns")
    func videoWidth() {
        let states: [CloseAvailability] = [
            .open(.closeDelay), .after(.seconds(29), isRunning: true), .afterMedia(atMost: .seconds(600)), .byHost,
        ]
        for state in states {
            for skip in [nil, Duration.zero, .seconds(29)] {
                let line = self.video(state, spots: 12, skippableIn: skip, isMuted: true, isCovered: true)
                #expect(Style.columns(line) < 80, "\(line)")
                #expect(line.contains("q quit"))
            }
        }
    }
}
