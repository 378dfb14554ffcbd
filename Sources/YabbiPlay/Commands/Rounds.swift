import AdCore
import AdRuntime
import YabbiAds

/// One ad after the other: load, show, wait for its end and for its beacons.
struct Rounds {
    let play: Play
    let provider: Settings.Provider
    let script: Script
    private(set) var loads: [Duration] = []
    private(set) var fills = 0
    private(set) var worst = ExitCode.done
    private(set) var lastError: String?

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
        let start = ContinuousClock.now
        do throws(AdError) {
            try await ad.load()
        } catch {
            self.note(ExitCode(loading: error), self.play.naming(error).description)
            return self.conclude(ad, offer: nil, pending: [:])
        }
        self.loads.append(start.duration(to: .now))
        self.fills += 1
        let offer = ad.offer
        let reading =
            self.play.settings.repeats == 1 ? offer.map { CreativeReading($0.creative, base: self.play.base) } : nil
        for issue in reading?.issues ?? [] { self.play.printer.observe(issue, of: ad, at: clock.now) }
        guard shows else {
            if let offer, let reading { self.describe(offer, reading) }
            ad.destroy()
            return
        }
        do throws(AdError) {
            try await self.show(ad)
        } catch {
            self.note(.showFailed, error.description)
        }
        await loader.services.beacons.restUntilSettled(within: self.play.settings.timeout)
        self.conclude(ad, offer: offer, pending: await self.pending(of: ad))
    }

    /// Why beacons of an ad are still on their way.
    private func pending(of ad: Ad) async -> [String: String] {
        let entries = (try? await self.play.services.beacons.entries()) ?? []
        var pending: [String: String] = [:]
        for entry in entries where entry.beacon.key.ad == ad.id {
            switch entry.state {
            case .recorded(_, let reason): pending[entry.beacon.key.text] = reason ?? "it waits for its turn"
            case .inFlight: pending[entry.beacon.key.text] = "it is being sent"
            case .delivered, .unconfirmed, .dead: break
            }
        }
        return pending
    }

    private func show(_ ad: Ad) async throws(AdError) {
        let settings = self.play.settings
        let isSilent = settings.isJSON || settings.stage == .none || settings.repeats > 1
        let isLive = !isSilent && self.play.isRealTime
        let presenter = TerminalPresenter(
            self.play.console,
            clock: self.play.clock,
            board: self.play.board,
            script: self.script,
            room: settings.container,
            base: self.play.base,
            isSilent: isSilent,
            spectator: isLive ? Spectator(self.play.console, clock: self.play.clock, ad: ad) : nil
        )
        try await ad.show(on: presenter)
        // An ad is over after its close, and after the links that were clicked before it.
        await ad.restUntilOver()
    }

    private mutating func note(_ code: ExitCode, _ message: String) {
        self.worst = self.worst.worse(code)
        self.lastError = message
    }

    private mutating func conclude(_ ad: Ad, offer: Offer?, pending: [String: String]) {
        let records = self.play.printer.records(of: ad.id)
        let isOpen = records.contains { record in
            switch record.event {
            case .beaconUnconfirmed, .beaconDead: true
            default: false
            }
        }
        let recorded = records.count { $0.event.name == "beaconRecorded" }
        let settled = records.count { ["beaconDelivered", "beaconUnconfirmed", "beaconDead"].contains($0.event.name) }
        if isOpen || recorded > settled {
            let text =
                "a beacon of \(ad.id) is \(isOpen ? "unconfirmed or dead" : "still pending"); the list above says which"
            self.note(.beacons, text)
        }
        self.tell(Verdict.list(records, offer: offer, pending: pending), of: ad)
        self.play.printer.forget(ad.id)
        ad.destroy()
    }

    private func tell(_ verdicts: [Verdict], of ad: Ad) {
        guard self.play.settings.repeats == 1 else { return }
        if self.play.settings.isJSON {
            for verdict in verdicts {
                let line = JSON.object([
                    .init("ad", .string(ad.id.rawValue)), .init("provider", .string(ad.provider.rawValue)),
                    .init("event", "verdict"), .init("of", .string(verdict.event)),
                    .init("fired", .bool(verdict.hasFired)),
                    .init("reason", .string(verdict.reason)),
                ])
                self.play.console.out(line.text())
            }
        } else {
            let style = Style(isColoured: self.play.console.isColoured)
            for verdict in verdicts { self.play.console.out(verdict.line(style)) }
        }
    }

    private func describe(_ offer: Offer, _ reading: CreativeReading) {
        if self.play.settings.isJSON {
            self.play.console.out(OfferText.json(offer, reading).text())
        } else {
            for line in OfferText.lines(offer, reading) { self.play.console.out(line) }
        }
    }
}
