package import AdCore
import TestSupport

/// A random lifecycle: likely inputs most of the time, any input otherwise, and timers that fire when they are due.
package struct RandomLifecycle {
    package private(set) var audit: LifecycleAudit
    package private(set) var phases: Set<AdLifecycle.Phase> = [.idle]
    private var random: TestRandom
    private var machine = AdLifecycle()
    private var now = Moment.origin
    private var commands: UInt64 = 0
    private let rules: ShowRules
    private let isTalking: Bool
    /// Called after each step.
    private let onStep: (AdInput, Moment, AdInputResult, [AdAction]) -> Void

    /// Creates a lifecycle from a seed; `onStep` is called after each step, and `isTalking` prints the steps.
    package init(
        seed: UInt64,
        isTalking: Bool = false,
        onStep: @escaping (AdInput, Moment, AdInputResult, [AdAction]) -> Void = { _, _, _, _ in }
    ) {
        var random = TestRandom(seed: seed)
        self.rules = RandomLifecycle.rules(&random)
        self.random = random
        self.audit = LifecycleAudit(self.rules, AdTiming())
        self.isTalking = isTalking
        self.onStep = onStep
        if isTalking { print(self.rules) }
    }

    private static func rules(_ random: inout TestRandom) -> ShowRules {
        let spots = (0..<Int.random(in: 1...4, using: &random)).map { _ in RandomLifecycle.spot(&random) }
        let video = VideoRules(
            spots[0],
            Array(spots.dropFirst()),
            fallbackCount: Int.random(in: 0...1, using: &random)
        )
        let kinds: [ShowRules.Kind] = [
            .banner, .interstitial, .card, .engagement, .video(video), .rewarded(video), .rewarded(video),
        ]
        let policies: [ViewabilityPolicy] = [.anyPixel, .anyPixel, .mrcDisplay, .mrcVideo, .mrcLargeDisplay]
        let timeouts: [Duration?] = [
            nil, .zero, .milliseconds(1), .seconds(5), .seconds(5), .seconds(1_000_000), .seconds(-3),
        ]
        var rules = ShowRules(
            kinds.randomElement(using: &random) ?? .banner,
            closeDelay: timeouts.randomElement(using: &random) ?? nil,
            closeControl: Int.random(in: 0..<10, using: &random) == 0 ? .host : .button,
            lifetime: [nil, nil, nil, nil, nil, nil, .zero, .seconds(1)].randomElement(using: &random) ?? nil,
            viewPolicy: policies.randomElement(using: &random) ?? .anyPixel
        )
        let isAuctioned = Int.random(in: 0..<3, using: &random) == 0
        let revenue = AdRevenue(amount: 0.0015, currency: .usd, precision: .exact)
        rules.sale = Sale(
            revenue: Bool.random(using: &random) ? revenue : nil,
            isAuctioned: isAuctioned,
            hasSuccessor: isAuctioned && Bool.random(using: &random)
        )
        return rules
    }

    private static func spot(_ random: inout TestRandom) -> SpotRules {
        let forms: [SpotRules.Form] = [
            .linear, .linear, .linear, .linear, .overlay(minimum: nil), .overlay(minimum: .seconds(5)),
        ]
        let offsets: [MediaOffset] = [.time(.seconds(3)), .percent(10), .time(.seconds(999)), .percent(100)]
        let skips: [Duration?] = [nil, .zero, .seconds(5), .seconds(500)]
        return SpotRules(
            forms.randomElement(using: &random) ?? .linear,
            duration: [nil, .zero, .seconds(15), .seconds(36_000)].randomElement(using: &random) ?? nil,
            skipOffset: (skips.randomElement(using: &random) ?? nil).map { .time($0) },
            hasEndCard: Bool.random(using: &random),
            progress: Array(offsets.prefix(Int.random(in: 0...4, using: &random))),
            parts: [
                PartRules(.icon(0), time: .init(start: .seconds(1), length: .seconds(3)), clickThrough: aLink),
                PartRules(.companion(0), time: nil),
            ],
            verifications: Int.random(in: 0...2, using: &random)
        )
    }

    /// Runs the lifecycle to its end.
    package mutating func run() {
        for _ in 0..<Int.random(in: 5...60, using: &self.random) { self.step() }
        self.handle(.destroy)
        self.handle(self.anyInput())
        self.audit.finish()
    }

    private mutating func step() {
        switch Int.random(in: 0..<10, using: &self.random) {
        case 0..<2: self.advanceTime()
        case 2..<9: self.handle(self.likelyInput())
        default: self.handle(self.anyInput())
        }
    }

    private mutating func handle(_ input: AdInput) {
        let (result, actions) = self.machine.handle(input, at: self.now)
        if self.isTalking { print(self.now.sinceOrigin, input, result, actions, separator: "\n    ") }
        self.onStep(input, self.now, result, actions)
        self.phases.insert(self.machine.phase)
        self.audit.handle(input, result, actions, at: self.now)
    }

    /// Advances time; due timers fire in order.
    private mutating func advanceTime() {
        let steps: [Duration] = [
            .milliseconds(1), .milliseconds(120), .seconds(1), .seconds(3), .seconds(40), .seconds(700),
        ]
        let goal = self.now + (steps.randomElement(using: &self.random) ?? .zero)
        for _ in 0..<100 {
            guard let (timer, due) = self.audit.timers.min(by: { $0.value < $1.value }), due <= goal else { break }
            self.now = max(self.now, due)
            self.handle(.timer(timer))
        }
        self.now = max(self.now, goal)
        self.audit.settle(at: self.now)
    }

    private mutating func likelyInput() -> AdInput {
        switch self.machine.phase {
        case .idle: return .load(self.command())
        case .loading:
            return self.one(of: [
                .offerArrived(self.rules), .offerArrived(self.rules), .offerArrived(self.rules),
                .loadFailed(AdError(.noFill, "")),
            ])
        case .loaded: return .show(self.command())
        case .presenting:
            return self.one(of: [
                .stage(.ready), .stage(.ready), .stage(.revealed), .stage(.visible(ratio: 0.7)),
                .presentFailed(StageError("no stage")),
            ])
        case .replacing:
            return self.one(of: [
                .offerArrived(self.rules), .offerArrived(self.rules), .loadFailed(AdError(.noFill, "no other offer")),
                .tracked,
            ])
        case .showing:
            return self.one(of: [
                .stage(.visible(ratio: 1)), .stage(.visible(ratio: 0.4)), .stage(.visible(ratio: 0)),
                .stage(.click(aLink, byUser: true)), .stage(.click(nil, byUser: true)), .recorded(.click),
                .linkOpened(aLink, .opened(.systemBrowser)), .stage(.closeRequested(by: .user)), .stage(.skipRequested),
                .signal(.covered(Bool.random(using: &self.random))),
                .signal(.background(Bool.random(using: &self.random))),
                self.videoInput(.started(duration: .seconds(15))), self.videoInput(.progressed(.seconds(6))), .tracked,
                self.videoInput(.progressed(.milliseconds(Int64.random(in: 0...16_000, using: &self.random)))),
                self.videoInput(.paused), self.videoInput(.resumed), self.videoInput(.completed),
                self.videoInput(.failed(vastCode: 401, "gone")),
            ])
        case .closed, .failed, .expired:
            return self.one(of: [.recorded(.click), .linkOpened(aLink, .notOpened), .tracked])
        }
    }

    /// An event of the current spot, most of the time.
    private mutating func videoInput(_ event: VideoEvent) -> AdInput {
        let spot = self.machine.progress?.spot ?? 0
        return .stage(.video(event, spot: Int.random(in: 0..<8, using: &self.random) == 0 ? spot + 1 : spot))
    }

    private mutating func anyInput() -> AdInput {
        switch everyInput.randomElement(using: &self.random)?.input ?? .close {
        case .load: return .load(self.command())
        case .show: return .show(self.command())
        case .showCapped(_, let error): return .showCapped(self.command(), error)
        case .offerArrived: return .offerArrived(self.rules)
        case .cancel: return .cancel(CommandID(UInt64.random(in: 0...self.commands, using: &self.random)))
        // A timer fires only if it is set and due.
        case .timer(let timer) where self.audit.timers[timer].map { $0 > self.now } ?? true:
            return .stage(.visible(ratio: .nan))
        case let input: return input
        }
    }

    private mutating func one(of inputs: [AdInput]) -> AdInput { inputs.randomElement(using: &self.random) ?? .close }

    private mutating func command() -> CommandID {
        self.commands += 1
        return CommandID(self.commands)
    }
}
