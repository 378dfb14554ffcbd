import AdCore
import AdRuntime
import YabbiAds

/// One ad after the other: load, show, wait for its end and for its beacons.
struct Rounds {
    let play: Play
    let provider: Settings.Provider
    let script: Script
    private(set) var loads: [Duration] = []
    private(set) var asked = 0
    private(set) var fills = 0
    /// How many ads were not shown although they should have been.
    private(set) var failures = 0
    private(set) var worst = ExitCode.done
    /// What the exit code stands for; nil where all went well.
    private(set) var worstError: String?

    init(_ play: Play, provider: Settings.Provider, script: Script) {
        self.play = play
        self.provider = provider
        self.script = script
    }

    /// Loads one ad and, unless it is only to be loaded, shows it to its close.
    mutating func round(unit: String, shows: Bool) async throws(PlayError) {
        let (loader, placement) = try self.play.loader(unit: unit, provider: self.provider)
        let clock = self.play.clock
        // Time stands still while the next step is being decided.
        clock.workBegan()
        defer { clock.workEnded() }
        let ad = loader.ad(for: placement)
        self.asked += 1
        let start = ContinuousClock.now
        do throws(AdError) {
            try await ad.load()
        } catch {
            self.failures += 1
            self.note(ExitCode(loading: error), self.play.message(self.play.naming(error), unit: unit))
            // Whoever is to be told of the failure is told.
            await loader.services.beacons.restUntilSettled(within: self.play.settings.timeout)
            return self.conclude(ad, offer: nil, pending: await self.pending(of: ad))
        }
        self.loads.append(start.duration(to: .now))
        self.fills += 1
        let offer = ad.offer
        let reading =
            self.play.settings.repeats == 1 ? offer.map { CreativeReading($0.creative, base: self.play.base) } : nil
        for issue in reading?.issues ?? [] { self.play.printer.observe(issue, of: ad, at: clock.now) }
        guard shows else {
            if let offer, let reading { self.describe(offer, reading, of: ad) }
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
        await loader.services.beacons.restUntilSettled(within: self.play.settings.timeout)
        self.conclude(ad, offer: offer, pending: await self.pending(of: ad))
    }

    /// Why beacons of an ad are still on their way.
    private func pending(of ad: Ad) async -> [String: String] {
        // The ledger holds every beacon of every round: it is asked only where the records leave something open.
        guard Rounds.isUnsettled(self.play.printer.records(of: ad.id)) else { return [:] }
        let entries = (try? await self.play.services.beacons.entries()) ?? []
        var pending: [String: String] = [:]
        for entry in entries where entry.beacon.key.ad == ad.id {
            let line = LedgerLine(entry)
            if case .pending(let reason) = line.state { pending[line.key] = reason }
        }
        return pending
    }

    /// Whether a beacon was recorded whose end is not known.
    private static func isUnsettled(_ records: [AdRecord]) -> Bool {
        let recorded = records.count { $0.event.name == "beaconRecorded" }
        let settled = records.count { ["beaconDelivered", "beaconUnconfirmed", "beaconDead"].contains($0.event.name) }
        return recorded > settled
    }

    private func show(_ ad: Ad) async throws(AdError) {
        let settings = self.play.settings
        let isSilent = settings.isJSON || settings.stage == .none || settings.repeats > 1
        let isLive = !isSilent && self.play.isRealTime
        // A script may have left the last ad covered or in the background.
        self.play.board.post(.covered(false))
        self.play.board.post(.background(false))
        let spectator =
            isLive ? Spectator(self.play.console, clock: self.play.clock, ad: ad, board: self.play.board) : nil
        // The stage ends it as well, but may be later than the verdict.
        defer { spectator?.end() }
        let presenter = TerminalPresenter(
            self.play.console,
            clock: self.play.clock,
            board: self.play.board,
            script: self.script,
            room: settings.container,
            turnstile: self.play.turnstile,
            probe: MediaProbe(transport: self.play.services.transport, userAgent: Play.userAgent),
            base: self.play.base,
            isSilent: isSilent,
            spectator: spectator
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

    private mutating func conclude(_ ad: Ad, offer: Offer?, pending: [String: String]) {
        let records = self.play.printer.records(of: ad.id)
        let verdicts = Verdict.list(records, offer: offer, pending: pending)
        let isOpen = records.contains { record in
            switch record.event {
            case .beaconUnconfirmed, .beaconDead: true
            default: false
            }
        }
        if isOpen || Rounds.isUnsettled(records) {
            let fate = isOpen ? "unconfirmed or dead" : "still pending"
            let list = verdicts.filter(\.hasFired).map { "\($0.event): \($0.reason)" }.joined(separator: "; ")
            let which = self.play.settings.repeats == 1 ? "the list above says which" : Style.printable(list, upTo: 300)
            self.note(.beacons, "a beacon of \(ad.id) is \(fate); \(which)")
        }
        self.tell(verdicts, of: ad)
        self.play.printer.forget(ad.id)
        ad.destroy()
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
