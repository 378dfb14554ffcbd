import AdCore
import Testing

@testable import AppleStage

@Suite("A card on screen")
struct CardMachineTests {
    private static let card = CardCreative(headline: "Pots", link: ClickThroughURL("https://shop.example/"), by: "F")

    private static func events(_ inputs: [CardMachine.Input], card: CardCreative = Self.card) -> [StageEvent] {
        var machine = CardMachine()
        return machine.handle(.present(card)) + inputs.flatMap { machine.handle($0) }
    }

    @Test("it is visible when it is revealed, opaque and on screen, in whatever order that happens")
    func visible() {
        let seen: [StageEvent] = [.visible(ratio: 1)]
        #expect(Self.events([.reveal, .measured(1), .fadeEnded]) == [.ready, .revealed] + seen)
        #expect(Self.events([.reveal, .fadeEnded, .measured(1)]) == [.ready, .revealed] + seen)
        #expect(Self.events([.measured(1), .reveal, .fadeEnded]) == [.ready, .revealed] + seen)
        #expect(Self.events([.measured(1), .fadeEnded, .reveal]) == [.ready, .revealed])
        #expect(Self.events([.measured(1)]) == [.ready])
    }

    @Test("a share is reported when it changes, and what is no share is repaired")
    func changes() {
        let start: [CardMachine.Input] = [.reveal, .fadeEnded]
        #expect(
            Self.events(start + [.measured(0.5), .measured(0.5), .measured(0)]).suffix(2) == [
                .visible(ratio: 0.5), .visible(ratio: 0),
            ]
        )
        #expect(Self.events(start + [.measured(7)]).last == .visible(ratio: 1))
        #expect(Self.events(start + [.measured(1), .measured(.nan)]).last == .visible(ratio: 0))
    }

    @Test("a view that leaves ends the visibility, and the next one does not fade again")
    func views() {
        let events = Self.events([.reveal, .fadeEnded, .measured(1), .detach, .attach, .measured(0.25)])
        #expect(events.suffix(3) == [.visible(ratio: 1), .visible(ratio: 0), .visible(ratio: 0.25)])
    }

    @Test("a press of the button is a user's click with the ad's own link, before the reveal it is nothing")
    func button() {
        let place = TapPoint(x: 4, y: 5)
        #expect(Self.events([.pressed(.button, at: place)]) == [.ready])
        #expect(Self.events([.reveal, .pressed(.button, at: place)]).last == .click(nil, byUser: true, at: place))
    }

    @Test("a press elsewhere is no click, and says why")
    func elsewhere() {
        #expect(
            Self.events([.reveal, .pressed(.other, at: nil)]).last
                == .tap(.nothing("only the card's button opens its link"))
        )
        let bare = CardCreative(headline: "Pots", by: nil)
        #expect(
            Self.events([.reveal, .pressed(.other, at: nil)], card: bare).last == .tap(.nothing("the card has no link"))
        )
        #expect(Self.events([.reveal, .pressed(.button, at: nil)], card: bare).last == .revealed)
    }

    @Test("the close button asks for the close while the runtime shows it")
    func close() {
        #expect(Self.events([.reveal, .pressed(.closeButton, at: nil)]).last == .revealed)
        let shown: [CardMachine.Input] = [.reveal, .setCloseButton(visible: true), .pressed(.closeButton, at: nil)]
        #expect(Self.events(shown).last == .closeRequested(by: .user))
    }

    @Test("after the close nothing is reported")
    func end() {
        let late: [CardMachine.Input] = [
            .reveal, .fadeEnded, .measured(1), .pressed(.button, at: nil), .remove, .attach, .detach,
            .imageFailed(FailedRequest(url: "", reason: "")), .setCloseButton(visible: true),
        ]
        #expect(Self.events([.close] + late) == [.ready])
    }

    @Test("a card fades in within 0.3 s, and at once with Reduce Motion")
    func fade() {
        #expect(CardMachine.fade(reducesMotion: false) == .milliseconds(300))
        #expect(CardMachine.fade(reducesMotion: true) == .zero)
    }
}

@Suite("The visible share of a view")
struct VisibleShareTests {
    private static let screen = ViewBox(x: 0, y: 0, width: 390, height: 844)

    private static func share(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ clips: ViewBox...)
        -> Double
    {
        VisibleShare.of(ViewBox(x: x, y: y, width: width, height: height), clippedBy: [self.screen] + clips)
    }

    @Test("it is what is inside the window and all that clips it")
    func clips() {
        #expect(Self.share(20, 100, 350, 200) == 1)
        #expect(Self.share(20, 744, 350, 200) == 0.5)
        #expect(Self.share(20, 900, 350, 200) == 0 && Self.share(-400, 0, 350, 200) == 0)
        #expect(Self.share(0, 0, 390, 200, ViewBox(x: 0, y: 150, width: 390, height: 600)) == 0.25)
        let apart = [ViewBox(x: 0, y: 0, width: 390, height: 50), ViewBox(x: 0, y: 150, width: 390, height: 50)]
        #expect(VisibleShare.of(ViewBox(x: 0, y: 0, width: 390, height: 200), clippedBy: apart) == 0)
        // A carousel's neighbor: a fifth of it looks in at the edge.
        #expect(Self.share(312, 0, 390, 200) == 0.2)
    }

    @Test("a fraction of a pixel is not visible, and rounding errors hide nothing")
    func rounding() {
        #expect(Self.share(0, 843.9, 390, 200) == 0)
        #expect(Self.share(0.1 + 0.2, 0, 389.7, 200.000_1) == 1)
    }

    @Test("a view without area, or with a side that is not a number, is not visible")
    func nothing() {
        #expect(Self.share(0, 0, 0, 200) == 0 && Self.share(0, 0, -1, -1) == 0)
        #expect(Self.share(0, 0, .nan, 200) == 0 && Self.share(0, 0, .infinity, 200) == 0)
    }
}

@Suite("Scrolling of a carousel")
struct CarouselScrollTests {
    @Test("the first card is at the left, or at the right where reading begins there")
    func directions() {
        let left = CarouselScroll(count: 3, pageWidth: 300, isRightToLeft: false)
        let right = CarouselScroll(count: 3, pageWidth: 300, isRightToLeft: true)
        #expect([0, 150, 600].map { left.position(offset: $0) } == [0, 0.5, 2])
        #expect([0, 150, 600].map { right.position(offset: $0) } == [2, 1.5, 0])
        #expect((0..<3).map { left.offset(of: $0) } == [0, 300, 600])
        #expect((0..<3).map { right.offset(of: $0) } == [600, 300, 0])
    }

    @Test("beyond the edges, and without cards or a width, it stays where it is")
    func edges() {
        let scroll = CarouselScroll(count: 2, pageWidth: 300, isRightToLeft: false)
        #expect(scroll.position(offset: -80) == 0 && scroll.position(offset: 900) == 1)
        #expect(scroll.position(offset: .nan) == 0 && scroll.offset(of: 9) == 300 && scroll.offset(of: -1) == 0)
        let empty = CarouselScroll(count: 0, pageWidth: 300, isRightToLeft: true)
        #expect(empty.position(offset: 10) == 0 && empty.offset(of: 0) == 0)
        #expect(CarouselScroll(count: 2, pageWidth: 0, isRightToLeft: true).position(offset: 5) == 0)
    }
}
