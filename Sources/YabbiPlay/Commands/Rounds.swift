import AdCore
import AdMarkup
import AdRuntime
import YabbiAds

/// One ad after the other: load, show, wait for its end and for its beacons.
struct Rounds {
    let play: Play
    let script: Script
    private(set) var loads: [Duration] = []
    private(set) var asked = 0
    /// The ads that were asked for.
    private(set) var ads: Set<AdID> = []
    /// Up to where the ledger was read: what lies before it is of earlier rounds.
    private var mark: Int64
    private(set) var fills = 0
    /// How many ads were not shown although they should have been.
    private(set) var failures = 0
    /// What pages have told their servers by themselves.
    private(set) var told: [PageTold] = []
    private(set) var worst = ExitCode.done
    /// What the exit code stands for; nil where all went well.
    private(set) var worstError: String?

    /// Who looks on instead of a spectator of each ad's own.
    var onlooker: (any Onlooker)?
    /// Set when the user at the terminal leaves the run.
    var departure = Departure()
    /// Whether nothing else is on screen: what surrounds one ad surrounds all of them.
    var isAlone = true

    init(_ play: Play, script: Script) {
        self.play = play
        self.script = script
        self.mark = play.mark
    }

    /// Loads what is asked for and, unless it is only to be loaded, shows each ad of it to its close.
    mutating func round(_ wish: Wish, shows: Bool) async {
        // Time stands still while the next step is being decided.
        self.play.clock.workBegan()
        defer { self.play.clock.workEnded() }
        let (ad, others) = wish.ads()
        self.asked += 1
        self.ads.insert(ad.id)
        let start = ContinuousClock.now
        do throws(AdError) {
            // An attempt that failed may have to wait for the next one.
            try await ad.loadAtRest()
        } catch {
            self.failures += 1
            self.note(ExitCode(loading: error), self.play.message(self.play.naming(error), unit: wish.name))
            // Whoever is to be told of the failure is told.
            await self.waitForBeacons(of: ad)
            return self.conclude(ad, named: wish.name, offer: nil, nil, open: await self.open(of: ad))
        }
        self.loads.append(start.duration(to: .now))
        self.fills += 1
        await self.go(on: ad, named: wish.name, shows: shows)
        for other in await others() {
            self.ads.insert(other.id)
            // What was loaded beside the first and is not looked at any more.
            if self.departure.isWished {
                other.destroy()
                continue
            }
            await self.go(on: other, named: wish.name, shows: shows)
        }
    }

    /// Takes an ad that came by itself and is loaded, and shows it as any other; whoever calls holds time.
    mutating func take(_ ad: Ad, after latency: Duration, shows: Bool) async {
        self.asked += 1
        self.fills += 1
        self.ads.insert(ad.id)
        self.loads.append(latency)
        await self.go(on: ad, named: ad.provider.rawValue, shows: shows)
    }

    /// Nothing came, and why.
    mutating func miss(_ code: ExitCode, _ message: String) {
        self.asked += 1
        self.failures += 1
        self.note(code, message)
    }

    /// Something besides ads went wrong.
    mutating func fail(_ error: PlayError) { self.note(error.code, error.message) }

    /// What is done with an ad that is loaded.
    private mutating func go(on ad: Ad, named name: String, shows: Bool) async {
        let offer = ad.offer
        let reading =
            self.play.settings.repeats == 1 ? offer.map { CreativeReading($0.creative, base: self.play.base) } : nil
        for issue in reading?.issues ?? [] { self.play.printer.observe(issue, of: ad, at: self.play.clock.now) }
        guard shows else {
            if let offer, let reading { self.describe(offer, reading, of: ad) }
            self.tell(of: ad, named: name, offer, reading, [])
            self.play.printer.forget(ad.id)
            ad.destroy()
            return
        }
        do throws(AdError) {
            try await self.show(ad)
        } catch {
            self.failures += 1
            self.note(.showFailed, error.description)
        }
        await self.waitForBeacons(of: ad)
        self.conclude(ad, named: name, offer: offer, reading, open: await self.open(of: ad))
    }

    /// Waits for the beacons of an ad, and for nobody else's: until their end is known, or the time is over.
    ///
    /// What is on its way then comes to its end: whatever is in hand when the process ends is in doubt for the next one.
    private mutating func waitForBeacons(of ad: Ad) async {
        let (beacons, mark) = (self.play.services.beacons, self.mark)
        func isAny(_ isSure: Bool, _ isWaiting: (LedgerEntry.State) -> Bool) async -> Bool {
            if beacons.isAnnounced { return true }
            guard await beacons.isBusy() else { return false }
            // Something waits; the ledger is asked whose it is only where that is not as good as sure.
            let open = Rounds.unsettled(self.play.printer.records(of: ad.id))
            if isSure, !open.isEmpty, beacons.hasInHand { return true }
            let entries = (try? await beacons.entries(after: mark)) ?? []
            return entries.contains { $0.beacon.key.ad == ad.id && isWaiting($0.state) }
        }
        await beacons.rest(within: self.play.settings.timeout * self.play.settings.speed) {
            await isAny(true) { !$0.isSettled }
        }
        guard self.play.settings.ledger != nil else { return }
        await beacons.rest(within: Play.longestAttempt) {
            await isAny(false) { if case .inFlight = $0 { true } else { false } }
        }
    }

    /// What the ledger says of an ad's beacons whose end was not told here.
    private mutating func open(of ad: Ad) async -> [String: LedgerLine.State] {
        // It is asked only where the records leave something open, and only for what came since it was asked last.
        let open = Rounds.unsettled(self.play.printer.records(of: ad.id))
        guard !open.isEmpty else { return [:] }
        let entries: [LedgerEntry]
        do throws(LedgerError) {
            entries = try await self.play.services.beacons.entries(after: self.mark)
        } catch {
            return Dictionary(open.map { (Rounds.name(of: $0), .pending(reason: error.message)) }) { first, _ in first }
        }
        self.mark = entries.map(\.number).max() ?? self.mark
        return Rounds.states(of: open, in: entries, ended: Rounds.ended(self.play.printer.records(of: ad.id)))
    }

    /// The states of beacons by a ledger; one that it does not hold was in a file that is gone, and is not sent any more.
    static func states(
        of open: Set<BeaconKey>,
        in entries: [LedgerEntry],
        ended: Set<BeaconKey> = []
    ) -> [String: LedgerLine.State] {
        let found = entries.filter { open.contains($0.beacon.key) }
        let lost = open.subtracting(found.map(\.beacon.key)).subtracting(ended)
        let reason = "it is no longer in the ledger, which was replaced meanwhile"
        return Dictionary(
            found.map { (self.name(of: $0.beacon.key), LedgerLine($0).state) }
                + lost.map { (self.name(of: $0), .unconfirmed(reason: reason)) }
        ) { first, _ in first }
    }

    /// The beacons whose end was reported meanwhile.
    private static func ended(_ records: [AdRecord]) -> Set<BeaconKey> {
        var keys: Set<BeaconKey> = []
        for record in records {
            switch record.event {
            case .beaconDelivered(let key, _), .beaconUnconfirmed(let key, _), .beaconDead(let key, _): keys.insert(key)
            default: break
            }
        }
        return keys
    }

    /// The key as verdicts know it: a provider's own says nothing of the event.
    private static func name(of key: BeaconKey) -> String {
        key.text.contains("/\(key.event)/") ? key.text : BeaconKey(ad: key.ad, event: key.event).text
    }

    /// The beacons that were recorded and whose end is not known.
    private static func unsettled(_ records: [AdRecord]) -> Set<BeaconKey> {
        var keys: Set<BeaconKey> = []
        for record in records {
            switch record.event {
            case .beaconRecorded(let key, _): keys.insert(key)
            case .beaconDelivered(let key, _), .beaconUnconfirmed(let key, _), .beaconDead(let key, _): keys.remove(key)
            default: break
            }
        }
        return keys
    }

    private func show(_ ad: Ad) async throws(AdError) {
        let settings = self.play.settings
        let isSilent = settings.isJSON || settings.stage == .none || settings.repeats > 1
        let isLive = !isSilent && self.play.isRealTime
        // A script may have left the last ad covered or in the background.
        if self.isAlone {
            self.play.board.post(.covered(false))
            self.play.board.post(.background(false))
        }
        var spectator: (any Onlooker)?
        if isLive {
            spectator =
                self.onlooker
                ?? Spectator(
                    self.play.console,
                    clock: self.play.clock,
                    ad: ad,
                    board: self.play.board,
                    departure: self.departure
                )
        }
        // The stage ends it as well, but may be later than the verdict.
        defer { spectator?.end() }
        let container = self.play.container(for: ad)
        if let kind = ad.offer?.terms.kind { self.play.printer.note(container, of: ad.id, kind) }
        if let issue = container.issue { self.play.printer.observe(issue, of: ad, at: self.play.clock.now) }
        if let browser = self.play.browser {
            let presenter = BrowserShow(
                browser,
                self.play.console,
                clock: self.play.clock,
                board: self.play.board,
                script: self.script,
                isSilent: isSilent,
                speed: settings.speed,
                container: container,
                spectator: spectator,
                picture: self.play.picture,
                book: self.play.report?.book,
                hear: { [printer = self.play.printer, clock = self.play.clock, provider = ad.provider] id, news in
                    printer.observe(news, of: id, provider, at: clock.now)
                }
            )
            try await ad.show(on: presenter)
            return await ad.restUntilOver()
        }
        let presenter = TerminalPresenter(
            self.play.console,
            clock: self.play.clock,
            board: self.play.board,
            script: self.script,
            container: container,
            turnstile: self.play.turnstile,
            probe: MediaProbe(transport: self.play.services.transport, userAgent: Play.userAgent),
            base: self.play.base,
            isSilent: isSilent,
            spectator: spectator,
            hear: { [printer = self.play.printer, clock = self.play.clock, provider = ad.provider] id, news in
                printer.observe(news, of: id, provider, at: clock.now)
            }
        )
        try await ad.show(on: presenter)
        // An ad is over after its close, and after the links that were clicked before it.
        await ad.restUntilOver()
    }

    private mutating func note(_ code: ExitCode, _ message: String) {
        let worst = self.worst.worse(code)
        guard worst != self.worst else { return }
        self.worst = worst
        self.worstError = message
    }

    private mutating func conclude(
        _ ad: Ad,
        named name: String,
        offer: Offer?,
        _ reading: CreativeReading?,
        open: [String: LedgerLine.State]
    ) {
        let records = self.play.printer.records(of: ad.id)
        if !self.play.settings.allowsBlank, let blank = records.lazy.compactMap(\.event.blank).first {
            self.failures += 1
            let words = "\(name) stayed blank: \(DiagnosticText.words(blank))"
            self.note(.showFailed, "\(words); --allow-blank accepts a blank ad")
        }
        var pending: [String: String] = [:]
        var others: [String: String] = [:]
        var isBad = records.contains { record in
            switch record.event {
            case .beaconUnconfirmed, .beaconDead: true
            default: false
            }
        }
        for (key, state) in open {
            switch state {
            case .pending(let reason): pending[key] = reason
            // Whoever shares the ledger may have been faster.
            case .delivered: others[key] = "delivered by another process"
            case .unconfirmed(let reason), .dead(let reason):
                others[key] = reason
                isBad = true
            }
        }
        var verdicts = Verdict.list(records, offer: offer, pending: pending, others: others)
        if case .page? = offer?.creative {
            let told = self.play.printer.told(by: ad.id)
            self.told += told
            verdicts = Verdict.list(records, told: told)
        }
        if isBad || !pending.isEmpty {
            let fate = isBad ? "unconfirmed or dead" : "still pending"
            let list = verdicts.filter(\.hasFired).map { "\($0.event): \($0.reason)" }.joined(separator: "; ")
            let which = self.play.settings.repeats == 1 ? "the list above says which" : Style.printable(list, upTo: 300)
            self.note(.beacons, "a beacon of \(ad.id) is \(fate); \(which)")
        }
        self.tell(verdicts, of: ad)
        self.tell(of: ad, named: name, offer, reading, verdicts)
        self.play.printer.forget(ad.id)
        ad.destroy()
    }

    /// Has the report tell of an ad.
    private func tell(
        of ad: Ad,
        named name: String,
        _ offer: Offer?,
        _ reading: CreativeReading?,
        _ verdicts: [Verdict]
    ) {
        guard let report = self.play.report else { return }
        report.book.finish(
            AdStory(
                ad: ad.id,
                provider: ad.provider,
                name: name,
                title: self.play.title(of: name) ?? reading?.title,
                offer: offer,
                records: self.play.printer.records(of: ad.id),
                verdicts: verdicts,
                lint: self.play.markup(of: name, offer).map { Lint.check($0, charset: "utf-8", from: self.play.base) }
            )
        )
    }

    private func tell(_ verdicts: [Verdict], of ad: Ad) {
        guard self.play.settings.repeats == 1 else { return }
        let (console, now) = (self.play.console, self.play.clock.now)
        let style = Style(isColoured: console.isColoured)
        guard !self.play.settings.isJSON else {
            for verdict in verdicts { console.out(verdict.json(of: ad.id, ad.provider, at: now)) }
            return
        }
        for line in Verdict.lines(verdicts, style) { console.out(line) }
    }

    private func describe(_ offer: Offer, _ reading: CreativeReading, of ad: Ad) {
        if self.play.settings.isJSON {
            self.play.console.out(OfferText.json(offer, reading, of: ad.id, at: self.play.clock.now).text())
        } else {
            for line in OfferText.lines(offer, reading) { self.play.console.out(line) }
        }
    }
}
