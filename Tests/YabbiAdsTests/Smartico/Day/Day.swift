import AdCore
import AdProviders
import SystemSupport
import TestSupport
import Testing
import YabbiTesting

@testable import AdRuntime
@testable import YabbiAds

/// A simulated day of an app with Smartico: random events, reproducible by a seed.
final class Day {
    /// The results of a day.
    struct Report {
        var faults: [String] = []
        var digest: UInt64 = 0
        var offered = 0
        var shown = 0
        /// How many different messages of pages were sent on an open socket, and how many reached the server.
        var sent = 0
        var arrived = 0
        var dropped = 0
        var connections = 0
        var repeats = 0
        var mostAlarms = 0
    }

    private let clock = ManualClock()
    private let hostSignals = HostSignalSource()
    private let eventCounter: EventCounter
    private let network: DayNet
    private let shared: DayStage.Shared
    private let smartico: Smartico
    private var random: TestRandom
    private var report = Report()

    private var ads: AsyncStream<Ad>.Iterator
    private var keptAds: [(ad: Ad, engagement: String?)] = []
    private var onScreen: [Ad] = []
    private var offered: Set<String> = []
    private var user: String?
    private var isAway = false
    private var leftAt: Moment?
    private var isOnline = true

    init(seed: UInt64) async {
        let clock = self.clock
        self.random = TestRandom(seed: seed)
        self.network = DayNet(clock: clock, seed: seed)
        self.shared = DayStage.Shared(clock: clock, seed: seed &+ 3)
        self.eventCounter = EventCounter(network: self.network)
        let randomBits = Locked(TestRandom(seed: seed &+ 4))
        let services = AdServices(
            transport: ScriptedTransport(clock: clock) { _ in .status(200) },
            opener: NoOpener(),
            signals: self.hostSignals,
            clock: clock,
            observer: self.eventCounter,
            random: { randomBits.withLock { $0.next() } }
        )
        let app = SmarticoApp(
            labelKey: "label",
            brandKey: nil,
            id: "com.example.day",
            version: "1.0.0",
            deviceID: "device",
            socket: SocketURL("ws://day.example/services") ?? SmarticoApp.standardSocket
        )
        // The services start with work of their own, which draws random numbers too.
        await clock.settle()
        self.smartico = Smartico(app, services: services, sockets: self.network)
        self.ads = self.smartico.ads.makeAsyncIterator()
    }

    /// Simulates 24 hours, the last one without faults, and returns the results.
    func run() async -> Report {
        let start = self.clock.now
        self.logIn("u-1")
        while self.clock.now - start < .seconds(23 * 3600) {
            self.performRandomAction()
            await self.advance(by: self.randomPause())
            await self.showOffers()
        }
        await self.runFaultless(until: start + .seconds(24 * 3600))
        await self.end()
        return self.report
    }

    private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self.random) }

    /// Mostly a minute or two, sometimes milliseconds, sometimes half an hour and more.
    private func randomPause() -> Duration {
        switch self.number(0...99) {
        case ..<25: .milliseconds(self.number(1...500))
        case ..<96: .seconds(self.number(1...180))
        default: .seconds(self.number(1_500...2_400))
        }
    }

    private func advance(by duration: Duration) async {
        await self.clock.advance(by: duration)
        self.network.check()
        self.report.mostAlarms = max(self.report.mostAlarms, self.clock.alarms)
        let counts = self.smartico.session.counts
        if counts.timers > 3 { self.network.change { $0.fault("\(counts.timers) timers are set") } }
        // At most eight wait; the others are on screen.
        if counts.pages > 8 + self.onScreen.count { self.network.change { $0.fault("\(counts.pages) pages are kept") } }
    }

    // MARK: Events

    private func performRandomAction() {
        switch self.number(0...99) {
        case ..<42: for _ in 0..<(self.number(0...9) == 0 ? 12 : 1) { self.network.push(to: self.randomUser()) }
        case ..<52: self.setOnline(self.isOnline ? false : true)
        case ..<64: self.setAway(!self.isAway)
        case ..<69: self.logOut()
        case ..<78: self.logIn(self.number(0...2) == 0 ? "u-\(self.number(1...3))" : self.user ?? "u-1")
        case ..<82: self.smartico.changeLanguage(self.number(0...1) == 0 ? "EN" : "BG")
        case ..<86: self.smartico.changePush(SmarticoPush(token: "t-\(self.number(1...3))", platform: .iOS))
        case ..<92: self.smartico.openGamification(deepLink: self.number(0...1) == 0 ? nil : "dp:gf_missions")
        default: self.network.dropAll()
        }
        // Neither being offline nor being logged out lasts long.
        if !self.isOnline, self.number(0...2) == 0 { self.setOnline(true) }
        if self.user == nil, self.number(0...2) == 0 { self.logIn("u-\(self.number(1...3))") }
    }

    private func randomUser() -> String {
        self.number(0...9) == 0 ? "u-\(self.number(1...3))" : self.user ?? "u-1"
    }

    private func setOnline(_ isOnline: Bool) {
        self.isOnline = isOnline
        self.network.setOnline(isOnline)
        self.hostSignals.post(.network(isOnline ? .wifi : .offline))
    }

    private func setAway(_ isAway: Bool) {
        guard isAway != self.isAway else { return }
        self.isAway = isAway
        let isDue = !isAway && self.user != nil && self.leftAt.map { self.clock.now - $0 >= .seconds(1_800) } ?? false
        self.leftAt = isAway ? self.clock.now : nil
        self.network.change { rules in
            rules.isAway = isAway
            if isDue { rules.isDue = true }
        }
        self.hostSignals.post(.background(isAway))
    }

    private func logIn(_ user: String) {
        if user != self.user {
            self.user = user
            self.network.change { rules in
                rules.user = user
                rules.isDue = true
            }
        }
        self.smartico.logIn(userID: user)
    }

    private func logOut() {
        self.user = nil
        self.network.change { rules in
            rules.user = nil
            rules.isDue = false
        }
        self.smartico.logOut()
    }

    // MARK: The app

    /// Shows some of the offered ads now, some later, some never.
    private func showOffers() async {
        while self.smartico.session.queuedCount > 0, let ad = await self.ads.next() {
            self.report.offered += 1
            let engagement = ad.offer?.details.last { $0.name == "engagement_uid" }?.value.string
            if let engagement, !self.offered.insert(engagement).inserted {
                self.network.change { $0.fault("\(engagement) was offered twice") }
            }
            switch self.number(0...99) {
            case ..<65: await self.show(ad, engagement)
            case ..<90: self.keptAds.append((ad, engagement))
            default: break
            }
        }
        if self.keptAds.count > 12 { self.keptAds.removeFirst() }
        if !self.keptAds.isEmpty, self.number(0...2) == 0 {
            let (ad, engagement) = self.keptAds.remove(at: self.number(0...self.keptAds.count - 1))
            await self.show(ad, engagement)
        }
        if self.onScreen.count > 3 || self.number(0...9) == 0 { self.onScreen.first?.close() }
        await self.clock.settle()
        self.onScreen.removeAll { !$0.isShowing && $0.phase != .presenting }
    }

    private func show(_ ad: Ad, _ engagement: String?) async {
        guard ad.isLoaded else { return }
        let stage = DayStage(self.shared, engagement: engagement)
        Task { try? await ad.show(on: stage) }
        await stage.waitForPresent()
        await self.clock.settle()
        self.onScreen.append(ad)
    }

    // MARK: The end

    /// Runs without faults, so that everything that waits is sent.
    private func runFaultless(until end: Moment) async {
        self.network.stopFaults()
        self.shared.record.withLock { $0.isFaultless = true }
        self.setOnline(true)
        self.setAway(false)
        self.logIn(self.user ?? "u-1")
        await self.advance(by: .seconds(20 * 60))
        for ad in self.onScreen { ad.close() }
        await self.advance(by: max(.zero, end - self.clock.now))
        let due = self.network.rules.isDue
        if due { self.network.change { $0.fault("a logical session was never sent") } }
    }

    private func end() async {
        self.smartico.end()
        (self.keptAds, self.onScreen) = ([], [])
        self.network.dropAll()
        while let ad = await self.ads.next() { ad.destroy() }
        await self.clock.advance(by: .seconds(3600))
        if self.clock.alarms != 0 { self.network.change { $0.fault("\(self.clock.alarms) timers are left") } }
        let counts = self.smartico.session.counts
        if counts != (0, 0, 0) { self.network.change { $0.fault("\(counts) are left") } }
        self.compareReports()
    }

    /// Compares the messages of pages with those that were sent and received.
    private func compareReports() {
        let rules = self.network.rules
        let record = self.shared.record.withLock { $0 }
        let arrived = self.network.server.reported
        self.report.faults = rules.faults + record.faults
        let missing = record.reported.subtracting(rules.reported.keys)
        if missing.count != self.eventCounter.dropped {
            self.report.faults.append(
                "\(missing.count) were never sent, but \(self.eventCounter.dropped) were reported as dropped"
            )
        }
        let extra = Set(rules.reported.keys).subtracting(record.reported)
        if !extra.isEmpty { self.report.faults.append("\(extra.sorted()) were sent, but by no open page") }
        for (key, count) in arrived where count > 1 || rules.reported[key] == nil {
            self.report.faults.append("\(key) arrived \(count) times")
        }
        self.report.digest = self.network.digest
        self.report.shown = record.popups
        self.report.sent = rules.reported.count
        self.report.arrived = arrived.count
        self.report.dropped = self.eventCounter.dropped
        self.report.connections = self.network.opened
        self.report.repeats = self.eventCounter.repeats
    }

    /// Counts dropped messages and repeated pushes.
    private final class EventCounter: AdObserver {
        private struct Counts {
            var dropped = 0
            var repeats = 0
        }

        private let counts = Locked(Counts())
        private let network: DayNet

        init(network: DayNet) { self.network = network }

        /// How many messages of pages were dropped.
        var dropped: Int { self.counts.withLock { $0.dropped } }
        /// How many pushes were repeated.
        var repeats: Int { self.counts.withLock { $0.repeats } }

        func observe(_ record: AdRecord) {
            self.network.addToDigest("\(record.at) \(record.ad) \(record.event.name)")
        }

        func observe(_ record: SessionRecord) {
            guard case .issue(let issue) = record.event else { return }
            self.counts.withLock { counts in
                switch issue.code {
                case "push.repeated": counts.repeats += 1
                case "forward.dropped":
                    counts.dropped += issue.message.split(separator: " ").first.flatMap { Int($0) } ?? 1
                default: break
                }
            }
        }
    }
}
