import AdCore
import WebStage

/// The fuzzer's entry point: zero-terminated messages of a browser about a creative, a video and a provider's page.
///
/// Compiled together with `ChromiumStage`. Whatever the browser sends and the ad commands, `revealed` is reported at
/// most once, and each input has a limited number of outputs.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    var messages: [[UInt8]] = []
    var splitter = DevToolsSplitter(byteLimit: 1 << 16)
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
    let geometry = StageGeometry(screen: container.screen, size: CreativeLayout(.adaptive, in: container))
    let plan = StagePlan(name: "ad-x-1", layout: .full, geometry: geometry, document: "<p>mraid</p>")
    guard let video = HTTPURL("https://m.example/a.mp4"), let address = HTTPURL("https://p.example/page") else {
        return []
    }
    let card = VideoPartID.companion(0)
    let spot = VideoSpot(
        .media([MediaFile(video, type: "video/mp4")]),
        rules: SpotRules(hasEndCard: true, parts: [PartRules(card, time: nil)]),
        parts: [card: VideoPart(.image(video))],
        endCard: card
    )
    return [
        CreativeMachine(plan, in: HostPage(.creative(.full), "ad-x-1", in: page, frame: "MAIN")),
        VideoMachine(
            VideoCreative(spot),
            plan,
            PlayerOptions(storeAddress: VideoMachine.storeAddress(plan)),
            in: HostPage(.video(isStored: true), "ad-x-1", in: page, frame: "MAIN")
        ),
        PageMachine(PageCreative(address, userAgent: "fuzz", bridges: ["Bridge"]), plan, page: page, mainFrame: "MAIN"),
    ]
}

/// A machine with its pending queries and alarms.
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
        case .reply(let number, let reply):
            guard !self.queries.isEmpty else { return }
            let (command, query) = self.queries[abs(number % self.queries.count)]
            self.handle(.reply(query, DevToolsTranslator.reply(reply, to: command)))
        case .event(let event):
            if let event = self.translator.event(event) { self.handle(.event(event)) }
        // Bytes that are not a message stand for commands of the ad.
        case nil:
            switch bytes[0] % 8 {
            case 0: self.handle(.reveal)
            case 1: self.handle(.close)
            case 2: self.handle(.control(.close, visible: bytes.count.isMultiple(of: 2)))
            case 3: self.handle(.video(.play))
            case 4: self.handle(.video(.next(spot: 0)))
            case 5: self.handle(.post("hello"))
            case 6: self.handle(.video(.showEndCard))
            default:
                guard !self.alarms.isEmpty else { return }
                self.now += .seconds(5)
                self.handle(.alarm(self.alarms[bytes.count % self.alarms.count]))
            }
        }
    }

    mutating func end() { self.handle(.close) }

    private mutating func handle(_ input: StageInput) { self.execute(self.machine.handle(input, at: self.now)) }

    private mutating func execute(_ outputs: [StageOutput]) {
        precondition(outputs.count < 10_000, "one input has too many outputs")
        for output in outputs {
            switch output {
            case .query(let command, let query, _):
                self.send(command)
                self.queries = self.queries.suffix(31) + [(command, query)]
            case .send(let command): self.send(command)
            case .setAlarm(let alarm, _): self.alarms = self.alarms.suffix(31) + [alarm]
            case .report(.revealed):
                self.revealed += 1
                precondition(self.revealed == 1, "revealed is reported twice")
            default: break
            }
        }
    }

    private func send(_ command: EngineCommand) {
        for command in self.translator.commands(for: command) { _ = command.bytes(number: 1) }
    }
}
