import AdCore
import AdRuntime
import SystemSupport
import TestSupport
import YabbiTesting

/// A page of a simulated day: some are slow, some never load, some send messages twice.
final class DayStage: Presenter {
    /// The state that all pages of a day share.
    final class Shared: Sendable {
        struct Record {
            var random: TestRandom
            var isFaultless = false
            /// The messages that open pages sent; those of closed pages must not be sent on.
            var reported: Set<String> = []
            var faults: [String] = []
            var revealed = 0
            var popups = 0
        }

        let clock: ManualClock
        let record: Locked<Record>

        init(clock: ManualClock, seed: UInt64) {
            self.clock = clock
            self.record = Locked(Record(random: TestRandom(seed: seed)))
        }

        func chance(_ percent: Int) -> Bool {
            self.record.withLock { record in
                let number = Int.random(in: 0..<100, using: &record.random)
                return !record.isFaultless && number < percent
            }
        }

        func number(_ range: ClosedRange<Int>) -> Int {
            self.record.withLock { Int.random(in: range, using: &$0.random) }
        }

        func fault(_ text: String) { self.record.withLock { $0.faults.append(text) } }
    }

    private struct State {
        var report: (@Sendable (StageEvent) -> Void)?
        var isLoaded = false
        var isClosed = false
        var posts = 0
        var engagement: String?
    }

    private let shared: Shared
    private let engagement: String?
    private let state = Locked(State())
    private let presentRequested = OneShot<Void>()

    /// A page of an engagement, or of none.
    init(_ shared: Shared, engagement: String?) {
        self.shared = shared
        self.engagement = engagement
    }

    /// Waits until the page is requested.
    func waitForPresent() async { await self.presentRequested.value }

    func container(for kind: ShowRules.Kind) async -> AdContainer {
        self.presentRequested.set(())
        return .fullScreen(Size(width: 390, height: 844))
    }

    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        if self.shared.chance(3) { throw StageError("the page can't be shown") }
        self.state.withLock { $0.report = report }
        if !self.shared.chance(5) {
            let wait = Duration.milliseconds(self.shared.number(20...4_000))
            let isTwice = self.shared.chance(5)
            self.after(wait) {
                self.state.withLock { $0.isLoaded = true }
                self.send(#"{"bcid":1}"#)
            }
            // A repetition comes a millisecond later, after the stage has handled the first one.
            if isTwice { self.after(wait + .milliseconds(1)) { self.send(#"{"bcid":1}"#) } }
            if self.engagement == nil { self.after(wait + .milliseconds(2)) { self.send(#"{"bcid":5}"#) } }
        }
        return Page(stage: self)
    }

    private func after(_ duration: Duration, _ body: @escaping @Sendable () -> Void) {
        _ = self.shared.clock.schedule(at: self.shared.clock.now + duration, body)
    }

    private func send(_ text: String) { self.state.withLock { $0.report }?(.message(text)) }

    /// Sends the server a message; a closed page must not reach it.
    private func report(_ cid: Int) {
        guard let engagement else { return }
        let isClosed = self.state.withLock { $0.isClosed }
        self.shared.record.withLock { record in
            if !isClosed { record.reported.insert("\(cid)/\(engagement)") }
        }
        self.send(#"{"bcid":6,"cid":\#(cid),"engagement_uid":"\#(engagement)"}"#)
    }

    fileprivate func receive(_ message: String) {
        let (isLoaded, posts) = self.state.withLock { state in
            state.posts += 1
            return (state.isLoaded, state.posts)
        }
        if !isLoaded { self.shared.fault("a page received a message before it was loaded") }
        if posts > 1 { self.shared.fault("a page received a message twice") }
        guard let json = try? AdJSON(parsing: message), json["bcid"]?.number == 3,
            json["engagement_uid"]?.string == self.engagement, message.contains("18446744073709551615")
        else { return self.shared.fault("a page received a wrong message: \(message)") }
        if self.shared.chance(5) { return }
        let wait = Duration.milliseconds(self.shared.number(20...2_000))
        let isTwice = self.shared.chance(5)
        self.after(wait) { self.send(#"{"bcid":5}"#) }
        if isTwice { self.after(wait + .milliseconds(1)) { self.send(#"{"bcid":5}"#) } }
        self.after(wait + .milliseconds(2)) { self.report(1101) }
    }

    fileprivate func reveal() {
        let (report, isClosed) = self.state.withLock { ($0.report, $0.isClosed) }
        if isClosed { self.shared.fault("a page is shown after it was closed") }
        self.shared.record.withLock { record in
            record.revealed += 1
            if self.engagement != nil { record.popups += 1 }
        }
        report?(.revealed)
        report?(.visible(ratio: 1))
        let timeOnScreen = self.shared.number(1...300)
        if !self.shared.chance(40) {
            self.after(.seconds(timeOnScreen)) {
                self.report(1102)
                let links = ["dp:ok", "dp:gf_levels", "dp:cashier", "dp:gf_store"]
                let link = links[self.shared.number(0...3)]
                self.send(#"{"bcid":4,"dp":"\#(link)"}"#)
            }
        }
        if !self.shared.chance(15) { self.after(.seconds(timeOnScreen + 5)) { self.send(#"{"bcid":2}"#) } }
    }

    fileprivate func close() { self.state.withLock { $0.isClosed = true } }

    private struct Page: Stage {
        let stage: DayStage

        func reveal() async { self.stage.reveal() }
        func setControl(_ control: StageControl, visible: Bool) async {}
        func control(_ command: VideoCommand) async {}
        func post(_ message: String) async { self.stage.receive(message) }
        func close(_ reason: CloseReason) async { self.stage.close() }
    }
}
