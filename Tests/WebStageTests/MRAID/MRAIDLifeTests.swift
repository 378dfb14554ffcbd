import AdCore
import TestSupport
import Testing

@testable import WebStage

/// Random sequences of inputs.
///
/// To repeat one: `YABBI_SEED=<seed> swift test --filter MRAIDLifeTests`.
@Suite("Random runs of an MRAID ad")
struct MRAIDLifeTests {
    @Test(
        "each command has one reply, each page knows the present state, and a large ad is always laid out",
        arguments: 0..<4
    )
    func runs(quarter: UInt64) throws {
        let first = TestSeed.chosen ?? quarter * 80
        for seed in first..<(TestSeed.chosen.map { $0 + 1 } ?? first + 80) {
            var life = RandomAd(seed: seed)
            try life.run()
            guard life.failures.isEmpty else {
                Issue.record("YABBI_SEED=\(seed) fails: \(life.failures)")
                return
            }
        }
    }

    @Test("random runs reach every state")
    func coverage() throws {
        var states: Set<MRAIDState> = []
        var seconds = 0
        for seed in UInt64(0)..<400 {
            var life = RandomAd(seed: seed)
            try life.run()
            states.formUnion(life.states)
            seconds += life.secondsLoaded
        }
        #expect(states == Set(MRAIDState.allCases) && seconds > 10, "\(seconds)")
    }
}

/// An ad with random inputs, and a model of the expected state.
private struct RandomAd {
    private(set) var failures: [String] = []
    private(set) var states: Set<MRAIDState> = []
    private(set) var secondsLoaded = 0
    private var random: TestRandom
    private var host: MRAIDHost
    private let placement: MRAIDPlacement
    /// The state that each page was sent, as `mraid.js` stores it.
    private var pages: [MRAIDDocument: [String: AdJSON]] = [:]
    private var isLoaded: Set<MRAIDDocument> = []
    private var waiting: Set<MRAIDCommandID> = []
    private var replied: Set<MRAIDCommandID> = []
    private var number = 0
    private var isUnloaded = false
    private var now = Duration.zero
    /// The time of the user's last gesture in the ad since the collapse button was pressed.
    private var gesture: Duration?

    init(seed: UInt64) {
        self.random = TestRandom(seed: seed)
        self.placement = self.random.next() % 4 == 0 ? .interstitial : .inline
        self.host = MRAIDHost(
            self.placement,
            in: HostBench.geometries(self.placement, .fixed(Size(width: 320, height: 50)))
        )
        self.pages[.main] = Self.members(self.host.initialSnapshot(of: .main).json)
    }

    private static func members(_ json: AdJSON) -> [String: AdJSON] {
        guard case .object(let members) = json else { return [:] }
        return Dictionary(members.map { ($0.name, $0.value) }) { $1 }
    }

    mutating func run() throws {
        for _ in 0..<150 where self.failures.isEmpty {
            try self.step()
            self.states.insert(self.host.state)
            self.check()
        }
    }

    private mutating func below(_ limit: UInt64) -> UInt64 { self.random.next() % limit }
    private mutating func amount() -> Double { Double(self.below(1_200)) - 300 }

    private mutating func step() throws {
        self.now += .milliseconds(Int(self.below(800)))
        switch self.below(15) {
        case 0: self.handle(.loaded(self.below(2) == 0 ? .expandedPage : .main))
        case 1: self.handle(.exposureChanged(MRAIDExposure(percentage: self.amount(), visible: nil)))
        case 2:
            let isWide = self.below(2) == 0
            let screen = isWide ? Size(width: 844, height: 390) : HostBench.screen
            self.handle(
                .geometryChanged(
                    HostBench.geometries(self.placement, .fixed(Size(width: 320, height: 50)), screen: screen)
                )
            )
        case 3: self.handle(.positionMeasured(MRAIDRect(x: 35, y: self.amount(), width: 320, height: 50)))
        case 4: self.handle(self.below(4) == 0 ? .expandedPageFailed("it is not there") : .collapse)
        case 5: self.handle(.volume(self.below(3) == 0 ? nil : self.amount()))
        case 6:
            if let commandID = self.waiting.first { self.handle(.openDecided(commandID, refusal: nil)) }
        case 7:
            self.gesture = self.now
            self.handle(.gesture(at: self.now))
        case 8 where self.below(2) == 0:
            self.gesture = nil
            self.handle(.collapsedByUser)
        default: try self.call()
        }
    }

    private mutating func call() throws {
        // Some numbers are used twice; the first is 1.
        let isRepeated = self.below(8) == 0 && self.number > 0
        if !isRepeated { self.number += 1 }
        let document: MRAIDDocument = self.below(3) == 0 ? .expandedPage : .main
        let methods = MRAIDMethod.allCases.map(\.rawValue) + ["expand", "resize", "setResizeProperties", "nonsense"]
        let name = methods[Int(self.below(UInt64(methods.count)))]
        if name == "unload", self.below(6) != 0 { return }
        var members: [AdJSON.Member] = [.init("n", .int(self.number)), .init("c", .string(name))]
        if self.below(2) == 0 { members.append(.init("url", "https://second.example/")) }
        if self.below(3) == 0 { members.append(.init("forceOrientation", "landscape")) }
        if self.below(3) == 0 { members.append(.init("allowOrientationChange", .bool(self.below(2) == 0))) }
        if self.below(2) == 0 { members.append(.init("allowOffscreen", .bool(self.below(2) == 0))) }
        let isSuccess = self.below(2) == 0
        for name in ["width", "height", "offsetX", "offsetY"] where isSuccess || self.below(8) != 0 {
            let good = Double(self.below(100)) + (name == "width" || name == "height" ? 50 : -50)
            members.append(.init(name, isSuccess ? .double(good) : self.below(8) == 0 ? "far" : .double(self.amount())))
        }
        let call = try #require(MRAIDCall(.object(members)))
        self.handle(.call(call, from: document, at: self.now))
    }

    private mutating func handle(_ input: MRAIDInput) {
        var due: MRAIDCommandID?
        if case .call(let call, let document, _) = input, !self.isUnloaded, self.pages[document] != nil {
            let commandID = MRAIDCommandID(document: document, number: call.number)
            if self.replied.union(self.waiting).filter({ $0.document == document }).allSatisfy({
                $0.number < call.number
            }) {
                due = commandID
            }
            if case .success(.unload) = call.command, due != nil { self.isUnloaded = true }
        }
        if case .openDecided(let commandID, _) = input {
            self.waiting.remove(commandID)
            due = commandID
        }
        let wasLarge = self.host.isLarge
        let actions = self.host.handle(input)
        if self.host.isLarge, !wasLarge, self.gesture.map({ self.now - $0 > .seconds(5) }) ?? true {
            self.failures.append("the ad has expanded or resized without a gesture")
        }
        for case .openExpandedPage in actions {
            self.pages[.expandedPage] = Self.members(self.host.initialSnapshot(of: .expandedPage).json)
        }
        var replies: [MRAIDCommandID] = []
        for action in actions { self.record(action, &replies) }
        if let due, self.waiting.contains(due) {
            if !replies.isEmpty { self.failures.append("\(due) is pending and has a reply") }
        } else if replies != (due.map { [$0] } ?? []) {
            // A removed page gets no reply.
            let isGone = due.map { self.pages[$0.document] == nil } ?? false
            let wasUnloaded = self.isUnloaded && replies.isEmpty
            if !isGone, !wasUnloaded {
                self.failures.append("\(input) had the replies \(replies), due was \(due as Any)")
            }
        }
        if case .loaded(let document) = input, self.pages[document] != nil, !self.isUnloaded {
            self.secondsLoaded += document == .expandedPage && self.isLoaded.insert(document).inserted ? 1 : 0
            self.isLoaded.insert(document)
        }
    }

    private mutating func record(_ action: MRAIDAction, _ replies: inout [MRAIDCommandID]) {
        switch action {
        case .send(let document, let update):
            let before = self.pages[document]?["state"]
            for change in update.changes { self.pages[document]?[change.name] = change.value }
            for event in update.events where event.first == "stateChange" {
                if event.last != self.pages[document]?["state"] || event.last == before && event.last != "resized" {
                    self.failures.append("\(event) contradicts the state")
                }
            }
            guard let reply = update.reply else { return }
            let commandID = MRAIDCommandID(document: document, number: reply.number)
            if !self.replied.insert(commandID).inserted { self.failures.append("\(commandID) had two replies") }
            replies.append(commandID)
        case .open(_, let commandID): self.waiting.insert(commandID)
        case .closeExpandedPage:
            self.pages[.expandedPage] = nil
            self.isLoaded.remove(.expandedPage)
            self.waiting = self.waiting.filter { $0.document == .main }
            self.replied = self.replied.filter { $0.document == .main }
        case .setOrientation, .setLayout, .openExpandedPage, .requestClose, .report: break
        }
    }

    private mutating func check() {
        let host = self.host
        for document in self.isLoaded where !self.isUnloaded {
            let page = Self.members(host.snapshot(of: document).json)
            if self.pages[document] != page {
                self.failures.append("\(document) was sent \(self.pages[document] as Any), but the state is \(page)")
            }
        }
        if self.placement == .interstitial, [.expanded, .resized].contains(host.state) {
            self.failures.append("an interstitial is \(host.state)")
        }
        if host.hasExpandedPage, host.state != .expanded {
            self.failures.append("an expanded page over an ad that is not expanded")
        }
        if host.hasExpandedPage != (self.pages[.expandedPage] != nil) {
            self.failures.append("an expanded page that was not removed")
        }
        if host.forcedOrientation != nil, self.placement == .inline, host.state != .expanded {
            self.failures.append("the ad forces an orientation without covering the screen")
        }
        let state: MRAIDState? =
            switch host.layout {
            case .screen: .expanded
            case .rect: .resized
            case .defaultPosition: nil
            }
        let isLarge = host.state == .expanded || host.state == .resized
        if state != (isLarge ? host.state : nil) {
            self.failures.append("\(host.state) is at \(host.layout)")
        }
    }
}
