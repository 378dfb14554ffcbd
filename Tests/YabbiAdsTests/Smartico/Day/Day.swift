import AdCore
import AdProviders
import SystemSupport
import TestSupport
import Testing
import YabbiTesting

@testable import AdRuntime
@testable import YabbiAds

/// A day of an app with Smartico: everything happens at random, and a seed gives the same day each time.
final class Day {
    /// What became of it.
    struct Report {
        var faults: [String] = []
        var digest: UInt64 = 0
        var offered = 0
        var shown = 0
        /// How many different things pages told that reached an open socket, and that reached the server.
        var handed = 0
        var arrived = 0
        var dropped = 0
        var connections = 0
        var repeats = 0
        var mostAlarms = 0
    }

    private let clock = ManualClock()
    private let board = HostSignalSource()
    private let watch: Watch
    private let net: DayNet
    private let house: DayStage.House
    private let smartico: Smartico
    private var random: TestRandom
    private var report = Report()

    private var ads: AsyncStream<Ad>.Iterator
    private var kept: [(ad: Ad, engagement: String?)] = []
    private var onScreen: [Ad] = []
    private var offered: Set<String> = []
    private var user: String?
    private var isAway = false
    private var left: Moment?
    private var isOnline = true

    init(seed: UInt64) async {
        let clock = self.clock
        self.random = TestRandom(seed: seed)
        self.net = DayNet(clock: clock, seed: seed)
        self.house = DayStage.House(clock: clock, seed: seed &+ 3)
        self.watch = Watch(net: self.net)
        let chance = Locked(TestRandom(seed: seed &+ 4))
        let services = AdServices(
            transport: ScriptedTransport(clock: clock) { _ in .status(200) },
            signals: self.board,
            clock: clock,
            observer: self.watch,
            random: { chance.withLock { $0.next() } }
        )
        let app = SmarticoApp(
            labelKey: "label",
            brandKey: nil,
            id: "com.example.day",
            version: "1.0.0",
            deviceID: "device",
            socket: SocketURL("ws://day.example/services") ?? SmarticoApp.standardSocket
        )
        // The services begin with work of their own, which draws by chance too.
        await clock.settle()
        self.smartico = Smartico(app, services: services, sockets: self.net)
        self.ads = self.smartico.ads.makeAsyncIterator()
    }

    /// Lives 24 hours, of which the last one is calm, and says what was wrong.
    func live() async -> Report {
        let start = self.clock.now
        self.logIn("u-1")
        while self.clock.now - start < .seconds(23 * 3600) {
            self.act()
            await self.pass(self.wait())
            await self.host()
        }
        await self.calm(until: start + .seconds(24 * 3600))
        await self.end()
        return self.report
    }

    private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self.random) }

    /// Mostly a minute or two, sometimes the blink of an eye, sometimes half an hour and more.
    private func wait() -> Duration {
        switch self.number(0...99) {
        case ..<25: .milliseconds(self.number(1...500))
        case ..<96: .seconds(self.number(1...180))
        default: .seconds(self.number(1_500...2_400))
        }
    }

    private func pass(_ duration: Duration) async {
        await self.clock.advance(by: duration)
        self.net.check()
        self.report.mostAlarms = max(self.report.mostAlarms, self.clock.alarms)
        let counts = self.smartico.session.counts
        if counts.timers > 3 { self.net.change { $0.fault("\(counts.timers) timers are set") } }
        // Eight wait at most; the others are those that the host has on screen.
        if counts.pages > 8 + self.onScreen.count { self.net.change { $0.fault("\(counts.pages) pages are kept") } }
    }

    // MARK: What happens

    private func act() {
        switch self.number(0...99) {
        case ..<42: for _ in 0..<(self.number(0...9) == 0 ? 12 : 1) { self.net.push(to: self.anybody()) }
        case ..<52: self.go(online: self.isOnline ? false : true)
        case ..<64: self.go(away: !self.isAway)
        case ..<69: self.logOut()
        case ..<78: self.logIn(self.number(0...2) == 0 ? "u-\(self.number(1...3))" : self.user ?? "u-1")
        case ..<82: self.smartico.changeLanguage(self.number(0...1) == 0 ? "EN" : "BG")
        case ..<86: self.smartico.changePush(SmarticoPush(token: "t-\(self.number(1...3))", platform: .iOS))
        case ..<92: self.smartico.openGamification(deepLink: self.number(0...1) == 0 ? nil : "dp:gf_missions")
        default: self.net.breakAll()
        }
        // Nobody is without a network, or logged out, for long.
        if !self.isOnline, self.number(0...2) == 0 { self.go(online: true) }
        if self.user == nil, self.number(0...2) == 0 { self.logIn("u-\(self.number(1...3))") }
    }

    private func anybody() -> String {
        self.number(0...9) == 0 ? "u-\(self.number(1...3))" : self.user ?? "u-1"
    }

    private func go(online: Bool) {
        self.isOnline = online
        self.net.goOnline(online)
        self.board.post(.network(online ? .wifi : .offline))
    }

    private func go(away: Bool) {
        guard away != self.isAway else { return }
        self.isAway = away
        let isDue = !away && self.user != nil && self.left.map { self.clock.now - $0 >= .seconds(1_800) } ?? false
        self.left = away ? self.clock.now : nil
        self.net.change { rules in
            rules.isAway = away
            if isDue { rules.isDue = true }
        }
        self.board.post(.background(away))
    }

    private func logIn(_ user: String) {
        if user != self.user {
            self.user = user
            self.net.change { rules in
                rules.user = user
                rules.isDue = true
            }
        }
        self.smartico.logIn(userID: user)
    }

    private func logOut() {
        self.user = nil
        self.net.change { rules in
            rules.user = nil
            rules.isDue = false
        }
        self.smartico.logOut()
    }

    // MARK: The host

    /// Takes what was offered, and shows some of it: now, later, or never.
    private func host() async {
        while self.smartico.session.queuedCount > 0, let ad = await self.ads.next() {
            self.report.offered += 1
            let engagement = ad.offer?.details.last { $0.name == "engagement_uid" }?.value.string
            if let engagement, !self.offered.insert(engagement).inserted {
                self.net.change { $0.fault("\(engagement) was offered twice") }
            }
            switch self.number(0...99) {
            case ..<65: await self.show(ad, engagement)
            case ..<90: self.kept.append((ad, engagement))
            default: break
            }
        }
        if self.kept.count > 12 { self.kept.removeFirst() }
        if !self.kept.isEmpty, self.number(0...2) == 0 {
            let (ad, engagement) = self.kept.remove(at: self.number(0...self.kept.count - 1))
            await self.show(ad, engagement)
        }
        if self.onScreen.count > 3 || self.number(0...9) == 0 { self.onScreen.first?.close() }
        await self.clock.settle()
        self.onScreen.removeAll { !$0.isShowing && $0.phase != .presenting }
    }

    private func show(_ ad: Ad, _ engagement: String?) async {
        guard ad.isLoaded else { return }
        let stage = DayStage(self.house, engagement: engagement)
        Task { try? await ad.show(on: stage) }
        await stage.presented()
        await self.clock.settle()
        self.onScreen.append(ad)
    }

    // MARK: The end

    /// All goes well again: whatever waited goes out.
    private func calm(until end: Moment) async {
        self.net.beKind()
        self.house.book.withLock { $0.isKind = true }
        self.go(online: true)
        self.go(away: false)
        self.logIn(self.user ?? "u-1")
        await self.pass(.seconds(20 * 60))
        for ad in self.onScreen { ad.close() }
        await self.pass(max(.zero, end - self.clock.now))
        let due = self.net.rules.isDue
        if due { self.net.change { $0.fault("a logical session was never told") } }
    }

    private func end() async {
        self.smartico.end()
        (self.kept, self.onScreen) = ([], [])
        self.net.breakAll()
        while let ad = await self.ads.next() { ad.destroy() }
        await self.clock.advance(by: .seconds(3600))
        if self.clock.alarms != 0 { self.net.change { $0.fault("\(self.clock.alarms) timers are left") } }
        let counts = self.smartico.session.counts
        if counts != (0, 0, 0) { self.net.change { $0.fault("\(counts) are left") } }
        self.close()
    }

    /// Compares what pages told with what went out and what arrived.
    private func close() {
        let rules = self.net.rules
        let book = self.house.book.withLock { $0 }
        let arrived = self.net.server.told
        self.report.faults = rules.faults + book.faults
        let missing = book.told.subtracting(rules.told.keys)
        if missing.count != self.watch.dropped {
            self.report.faults.append(
                "\(missing.count) never went out, but \(self.watch.dropped) were said to be dropped"
            )
        }
        let extra = Set(rules.told.keys).subtracting(book.told)
        if !extra.isEmpty { self.report.faults.append("\(extra.sorted()) went out and no page that was there told it") }
        for (key, count) in arrived where count > 1 || rules.told[key] == nil {
            self.report.faults.append("\(key) arrived \(count) times")
        }
        self.report.digest = self.net.digest
        self.report.shown = book.popups
        self.report.handed = rules.told.count
        self.report.arrived = arrived.count
        self.report.dropped = self.watch.dropped
        self.report.connections = self.net.opened
        self.report.repeats = self.watch.repeats
    }

    /// Counts what has come, and what was dropped.
    private final class Watch: AdObserver {
        private struct Counts {
            var dropped = 0
            var repeats = 0
        }

        private let counts = Locked(Counts())
        private let net: DayNet

        init(net: DayNet) { self.net = net }

        /// How many words of pages were dropped.
        var dropped: Int { self.counts.withLock { $0.dropped } }
        /// How many pushes were known already.
        var repeats: Int { self.counts.withLock { $0.repeats } }

        func observe(_ record: AdRecord) {
            self.net.note("\(record.at) \(record.ad) \(record.event.name)")
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
