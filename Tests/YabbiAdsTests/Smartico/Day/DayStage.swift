import AdCore
import AdRuntime
import SystemSupport
import TestSupport
import YabbiTesting

/// The pages of a day: some are slow, some never come, some say everything twice, and most tell of themselves.
final class DayStage: Presenter {
    /// What all pages of a day have in common.
    final class House: Sendable {
        struct Book {
            var random: TestRandom
            var isKind = false
            /// What pages told while they were there; what they tell later must go nowhere.
            var told: Set<String> = []
            var faults: [String] = []
            var revealed = 0
            var popups = 0
        }

        let clock: ManualClock
        let book: Locked<Book>

        init(clock: ManualClock, seed: UInt64) {
            self.clock = clock
            self.book = Locked(Book(random: TestRandom(seed: seed)))
        }

        func chance(_ percent: Int) -> Bool {
            self.book.withLock { book in
                let number = Int.random(in: 0..<100, using: &book.random)
                return !book.isKind && number < percent
            }
        }

        func number(_ range: ClosedRange<Int>) -> Int {
            self.book.withLock { Int.random(in: range, using: &$0.random) }
        }

        func fault(_ text: String) { self.book.withLock { $0.faults.append(text) } }
    }

    private struct State {
        var report: (@Sendable (StageEvent) -> Void)?
        var isLoaded = false
        var isClosed = false
        var posts = 0
        var engagement: String?
    }

    private let house: House
    private let engagement: String?
    private let state = Locked(State())
    private let asked = OneShot<Void>()

    /// A page of an engagement; nil where it is none.
    init(_ house: House, engagement: String?) {
        self.house = house
        self.engagement = engagement
    }

    /// Waits until the page is asked for.
    func presented() async { await self.asked.value }

    func container(for kind: ShowRules.Kind) async -> AdContainer {
        self.asked.resolve(())
        return .fullScreen(Size(width: 390, height: 844))
    }

    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        if self.house.chance(3) { throw StageError("the page can't be shown") }
        self.state.withLock { $0.report = report }
        if !self.house.chance(5) {
            let wait = Duration.milliseconds(self.house.number(20...4_000))
            let isTwice = self.house.chance(5)
            self.after(wait) {
                self.state.withLock { $0.isLoaded = true }
                self.say(#"{"bcid":1}"#)
            }
            // What follows comes in a moment of its own: the stage works meanwhile.
            if isTwice { self.after(wait + .milliseconds(1)) { self.say(#"{"bcid":1}"#) } }
            if self.engagement == nil { self.after(wait + .milliseconds(2)) { self.say(#"{"bcid":5}"#) } }
        }
        return Page(stage: self)
    }

    private func after(_ duration: Duration, _ body: @escaping @Sendable () -> Void) {
        _ = self.house.clock.schedule(at: self.house.clock.now + duration, body)
    }

    private func say(_ text: String) { self.state.withLock { $0.report }?(.message(text)) }

    /// Tells the server something, once; late where the page is closed.
    private func tell(_ cid: Int) {
        guard let engagement else { return }
        let isClosed = self.state.withLock { $0.isClosed }
        self.house.book.withLock { book in
            if !isClosed { book.told.insert("\(cid)/\(engagement)") }
        }
        self.say(#"{"bcid":6,"cid":\#(cid),"engagement_uid":"\#(engagement)"}"#)
    }

    fileprivate func hear(_ message: String) {
        let (isLoaded, posts) = self.state.withLock { state in
            state.posts += 1
            return (state.isLoaded, state.posts)
        }
        if !isLoaded { self.house.fault("a page was told something before it was loaded") }
        if posts > 1 { self.house.fault("a page was told something twice") }
        guard let json = try? AdJSON(parsing: message), json["bcid"]?.number == 3,
            json["engagement_uid"]?.string == self.engagement, message.contains("18446744073709551615")
        else { return self.house.fault("a page was told what is not for it: \(message)") }
        if self.house.chance(5) { return }
        let wait = Duration.milliseconds(self.house.number(20...2_000))
        let isTwice = self.house.chance(5)
        self.after(wait) { self.say(#"{"bcid":5}"#) }
        if isTwice { self.after(wait + .milliseconds(1)) { self.say(#"{"bcid":5}"#) } }
        self.after(wait + .milliseconds(2)) { self.tell(1101) }
    }

    fileprivate func reveal() {
        let (report, isClosed) = self.state.withLock { ($0.report, $0.isClosed) }
        if isClosed { self.house.fault("a page is shown after it was closed") }
        self.house.book.withLock { book in
            book.revealed += 1
            if self.engagement != nil { book.popups += 1 }
        }
        report?(.revealed)
        report?(.visible(ratio: 1))
        let stay = self.house.number(1...300)
        if !self.house.chance(40) {
            self.after(.seconds(stay)) {
                self.tell(1102)
                let links = ["dp:ok", "dp:gf_levels", "dp:cashier", "dp:gf_store"]
                let link = links[self.house.number(0...3)]
                self.say(#"{"bcid":4,"dp":"\#(link)"}"#)
            }
        }
        if !self.house.chance(15) { self.after(.seconds(stay + 5)) { self.say(#"{"bcid":2}"#) } }
    }

    fileprivate func close() { self.state.withLock { $0.isClosed = true } }

    private struct Page: Stage {
        let stage: DayStage

        func reveal() async { self.stage.reveal() }
        func setControl(_ control: StageControl, visible: Bool) async {}
        func control(_ command: VideoCommand) async {}
        func post(_ message: String) async { self.stage.hear(message) }
        func close(_ reason: CloseReason) async { self.stage.close() }
    }
}
