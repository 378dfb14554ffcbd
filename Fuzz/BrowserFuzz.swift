import AdCore

/// What the fuzzer calls: what a browser says, cut by zero bytes, about a creative, a film and a provider's page.
///
/// Compiled together with `ChromiumStage`. Whatever it says, and whatever is done meanwhile, what is decided keeps its word: one `ready`, one `revealed`, and
/// nothing is asked for ever.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    var messages: [[UInt8]] = []
    var splitter = DevToolsSplitter(longest: 1 << 16)
    splitter.take(UnsafeRawBufferPointer(start: start, count: count)) { messages.append($0) }
    for machine in machines() {
        var theatre = Theatre(machine)
        for message in messages.prefix(400) { theatre.take(message) }
        theatre.end()
    }
    return 0
}

private let page = DevToolsSession(name: "PAGE")

private func machines() -> [any StageMachine] {
    let container = AdContainer.fullScreen(Size(width: 390, height: 844))
    let room = StageRoom(screen: container.screen, size: SizeDecision(.adaptive, in: container))
    let plan = StagePlan(name: "ad-x-1", layout: .full, room: room, document: "<p>mraid</p>")
    guard let film = HTTPURL("https://m.example/a.mp4"), let address = HTTPURL("https://p.example/page") else {
        return []
    }
    let card = VideoPartID.companion(0)
    let spot = VideoSpot(
        .media([MediaFile(film, type: "video/mp4")]),
        terms: SpotTerms(hasEndCard: true, parts: [PartTerms(card, time: nil)]),
        parts: [card: VideoPart(.image(film))],
        endCard: card
    )
    return [
        CreativeMachine(plan, in: WrapperPage(.creative(.full), plan.name, in: page, frame: "MAIN")),
        VideoMachine(
            VideoCreative(spot),
            plan,
            PlayerTerms(shelf: VideoMachine.shelf(plan)),
            in: WrapperPage(.video(isShelved: true), plan.name, in: page, frame: "MAIN")
        ),
        PageMachine(PageCreative(address, userAgent: "fuzz", bridges: ["Bridge"]), plan, page: page, mainFrame: "MAIN"),
    ]
}

/// A machine, and what it has asked and wants to be woken for.
private struct Theatre {
    private var machine: any StageMachine
    private var questions: [StageQuestion] = []
    private var alarms: [StageAlarm] = []
    private var now = Duration.zero
    private var revealed = 0

    init(_ machine: any StageMachine) {
        self.machine = machine
        self.carryOut(self.machine.begin())
    }

    mutating func take(_ bytes: [UInt8]) {
        self.now += .milliseconds(100)
        switch DevToolsMessage(bytes) {
        case .answer(let number, let answer):
            guard !self.questions.isEmpty else { return }
            self.give(.answer(self.questions[abs(number % self.questions.count)], answer))
        case .event(let event): self.give(.event(event))
        // What is none of the browser's stands for what is done meanwhile.
        case nil:
            switch bytes[0] % 8 {
            case 0: self.give(.reveal)
            case 1: self.give(.close)
            case 2: self.give(.control(.close, visible: bytes.count.isMultiple(of: 2)))
            case 3: self.give(.video(.play))
            case 4: self.give(.video(.next(spot: 0)))
            case 5: self.give(.post("hello"))
            case 6: self.give(.video(.showEndCard))
            default:
                guard !self.alarms.isEmpty else { return }
                self.now += .seconds(5)
                self.give(.alarm(self.alarms[bytes.count % self.alarms.count]))
            }
        }
    }

    mutating func end() { self.give(.close) }

    private mutating func give(_ input: StageInput) { self.carryOut(self.machine.handle(input, at: self.now)) }

    private mutating func carryOut(_ outputs: [StageOutput]) {
        precondition(outputs.count < 10_000, "one thing leads to too much")
        for output in outputs {
            switch output {
            case .ask(let command, let question, _):
                _ = command.bytes(number: 1)
                self.questions = self.questions.suffix(31) + [question]
            case .say(let command): _ = command.bytes(number: 1)
            case .setAlarm(let alarm, _): self.alarms = self.alarms.suffix(31) + [alarm]
            case .report(.revealed):
                self.revealed += 1
                precondition(self.revealed == 1, "it comes on screen twice")
            default: break
            }
        }
    }
}
