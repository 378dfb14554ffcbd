import AdCore
import WebStage

/// What the fuzzer calls: messages of a browser, divided by zero bytes, about a creative, a video and a provider's page.
///
/// Compiled together with `ChromiumStage`. Whatever the browser sends, and whatever is done meanwhile, there is one `revealed`
/// at most, and no input leads to outputs without end.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    var messages: [[UInt8]] = []
    var splitter = DevToolsSplitter(longest: 1 << 16)
    splitter.append(UnsafeRawBufferPointer(start: start, count: count)) { messages.append($0) }
    for machine in machines() {
        var page = FuzzedPage(machine)
        for message in messages.prefix(400) { page.handle(message) }
        page.end()
    }
    return 0
}

private let page = EngineTarget(name: "PAGE")

private func machines() -> [any StageMachine] {
    let container = AdContainer.fullScreen(Size(width: 390, height: 844))
    let room = StageRoom(screen: container.screen, size: CreativeLayout(.adaptive, in: container))
    let plan = StagePlan(name: "ad-x-1", layout: .full, room: room, document: "<p>mraid</p>")
    guard let film = HTTPURL("https://m.example/a.mp4"), let address = HTTPURL("https://p.example/page") else {
        return []
    }
    let card = VideoPartID.companion(0)
    let spot = VideoSpot(
        .media([MediaFile(film, type: "video/mp4")]),
        terms: SpotRules(hasEndCard: true, parts: [PartRules(card, time: nil)]),
        parts: [card: VideoPart(.image(film))],
        endCard: card
    )
    return [
        CreativeMachine(plan, in: HostPage(.creative(.full), "ad-x-1", in: page, frame: "MAIN")),
        VideoMachine(
            VideoCreative(spot),
            plan,
            PlayerTerms(storeAddress: VideoMachine.storeAddress(plan)),
            in: HostPage(.video(isStored: true), "ad-x-1", in: page, frame: "MAIN")
        ),
        PageMachine(PageCreative(address, userAgent: "fuzz", bridges: ["Bridge"]), plan, page: page, mainFrame: "MAIN"),
    ]
}

/// A machine, with its open queries and alarms.
private struct FuzzedPage {
    private var machine: any StageMachine
    private var translator = DevToolsTranslator()
    private var queries: [(command: EngineCommand, query: StageQuery)] = []
    private var alarms: [StageAlarm] = []
    private var now = Duration.zero
    private var revealed = 0

    init(_ machine: any StageMachine) {
        self.machine = machine
        self.execute(self.machine.start())
    }

    mutating func handle(_ bytes: [UInt8]) {
        self.now += .milliseconds(100)
        switch DevToolsMessage(bytes) {
        case .answer(let number, let answer):
            guard !self.queries.isEmpty else { return }
            let (command, query) = self.queries[abs(number % self.queries.count)]
            self.give(.reply(query, DevToolsTranslator.reply(answer, to: command)))
        case .event(let event):
            if let event = self.translator.event(event) { self.give(.event(event)) }
        // Bytes that are no message stand for what is done meanwhile.
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

    private mutating func give(_ input: StageInput) { self.execute(self.machine.handle(input, at: self.now)) }

    private mutating func execute(_ outputs: [StageOutput]) {
        precondition(outputs.count < 10_000, "one input leads to too many outputs")
        for output in outputs {
            switch output {
            case .query(let command, let query, _):
                self.send(command)
                self.queries = self.queries.suffix(31) + [(command, query)]
            case .send(let command): self.send(command)
            case .setAlarm(let alarm, _): self.alarms = self.alarms.suffix(31) + [alarm]
            case .report(.revealed):
                self.revealed += 1
                precondition(self.revealed == 1, "it is revealed twice")
            default: break
            }
        }
    }

    private func send(_ command: EngineCommand) {
        for command in self.translator.commands(for: command) { _ = command.bytes(number: 1) }
    }
}
