import AdCore
import Testing

@testable import AppleStage

@Suite("Values around an ad")
struct PresentingTests {
    @Test("the countdown runs while the ad can be seen, and rounds up")
    func countdown() {
        var countdown = CloseCountdown(.seconds(5))
        #expect(countdown.remaining(at: .seconds(3)) == 5)
        countdown.reveal(at: .seconds(3))
        #expect(countdown.remaining(at: .milliseconds(3_100)) == 5)
        #expect(countdown.remaining(at: .seconds(4)) == 4)
        countdown.handle(.host(.covered(true)), at: .seconds(5))
        #expect(countdown.remaining(at: .seconds(60)) == 3)
        countdown.handle(.host(.background(true)), at: .seconds(60))
        countdown.handle(.host(.covered(false)), at: .seconds(61))
        #expect(countdown.remaining(at: .seconds(70)) == 3)
        countdown.handle(.host(.background(false)), at: .seconds(70))
        #expect(countdown.remaining(at: .seconds(72)) == 1)
        #expect(countdown.remaining(at: .seconds(73)) == nil)
    }

    private func box(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> HiddenParts.Box {
        HiddenParts.Box(left: left, top: top, right: right, bottom: bottom)
    }

    @Test("what is scrolled away is hidden, and all of it is what was not visible")
    func hidden() {
        let size = Size(width: 320, height: 50)
        #expect(HiddenParts.obstructions(of: size, visible: self.box(-10, -10, 400, 400)).isEmpty)
        let cut = HiddenParts.obstructions(of: size, visible: self.box(20, 10, 300, 400))
        #expect(cut.map(\.name) == Array(repeating: "scrolled content", count: 3))
        let area = cut.reduce(0) { $0 + $1.size.width * $1.size.height }
        #expect(area == 320 * 50 - 280 * 40)
        let all = HiddenParts.obstructions(of: size, visible: self.box(0, 60, 320, 80))
        #expect(all == [AdObstruction(x: 0, y: 0, size: size, name: "scrolled content")])
    }

    @Test("VoiceOver reads the number of seconds")
    func texts() { #expect(ControlTexts().countdown(7) == "The ad can be closed in 7 seconds") }
}
