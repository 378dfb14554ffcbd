import AdBundle
import AdCore
import AdLint
import AdMarkup
import AdRuntime
import PlayConsole
import PlayReport
import PlayStages
import PlayText

/// Loads ads, shows them one after the other, waits for their beacons, and collects the results.
struct AdRunner {
    let context: RunContext
    let script: UserScript
    private(set) var totals = RunTotals()

    /// The shared watcher; nil if each ad gets its own.
    var watcher: (any AdWatcher)?
    /// Requested when the user quits the run.
    var exit = ExitRequest()
    /// Whether no other ad is on screen.
    ///
    /// Covering and backgrounding affect all ads on screen.
    var isAlone = true

    private var beacons: BeaconWait

    init(_ context: RunContext, script: UserScript) {
        self.context = context
        self.script = script
        self.beacons = BeaconWait(context)
    }

    /// Loads the ads of a request and, with `shows`, shows each until it closes.
    mutating func run(_ request: AdRequest, shows: Bool) async {
        // Virtual time stands still while the next step is decided.
        self.context.clock.workStarted()
        defer { self.context.clock.workEnded() }
        let (ad, others) = request.ads()
        self.totals.add(ad.id)
        let start = ContinuousClock.now
        do throws(AdError) {
            // Between retries virtual time has to pass.
            try await ad.loadSuspendingWork()
        } catch {
            let message = request.explanation(error)
            self.totals.fail(ExitCode(loading: error), message)
            let context = self.context
            context.plan.live?.failed(ad, context.reported(ad, named: request.name, nil, nil), message)
            // A failed load has beacons too: the error URLs of VAST (VAST 4.3 §2.3.6).
            await self.beacons.wait(for: ad)
            return await self.conclude(ad, named: request.name, offer: nil, nil)
        }
        self.totals.fill(after: start.duration(to: .now))
        await self.show(ad, named: request.name, shows: shows)
        for other in await others() {
            self.totals.include(other.id)
            if self.exit.isRequested {
                other.destroy()
                continue
            }
            await self.show(other, named: request.name, shows: shows)
        }
    }

    /// Shows a pushed ad, which is already loaded.
    ///
    /// The caller holds virtual time.
    mutating func run(_ ad: Ad, loadedAfter latency: Duration, shows: Bool) async {
        self.totals.add(ad.id)
        self.totals.fill(after: latency)
        await self.show(ad, named: ad.provider.rawValue, shows: shows)
    }

    /// Counts an ad that was not created.
    mutating func addMissing(_ error: PlayError) {
        self.totals.add(nil)
        self.totals.fail(error.code, error.message)
    }

    /// Records an error that belongs to no ad.
    mutating func fail(_ error: PlayError) { self.totals.worsen(to: error.code, error.message) }

    // MARK: Loaded ads

    private mutating func show(_ ad: Ad, named name: String, shows: Bool) async {
        let (offer, context) = (ad.offer, self.context)
        let reading =
            context.plan.repeats == 1 ? offer.map { CreativeReading($0.creative, base: context.origin.base) } : nil
        for issue in (context.plan.repeats == 1 ? context.origin.document?.issues : nil) ?? [] {
            context.printer.observe(issue, of: ad, at: context.clock.now)
        }
        for issue in reading?.issues ?? [] { context.printer.observe(issue, of: ad, at: context.clock.now) }
        guard shows else {
            if let offer, let reading { self.describe(offer, reading, of: ad) }
            self.addToReport(ad, named: name, offer, reading, [])
            context.printer.forget(ad.id)
            ad.destroy()
            return
        }
        context.plan.live?.loaded(context.reported(ad, named: name, offer, reading))
        do throws(AdError) {
            try await context.present(ad, self.script, watcher: self.watcher, self.exit, isAlone: self.isAlone)
        } catch {
            self.totals.fail(.showFailed, error.description)
        }
        await self.beacons.wait(for: ad)
        await self.conclude(ad, named: name, offer: offer, reading)
    }

    /// Prints the verdicts on an ad and its beacons, and releases the ad.
    private mutating func conclude(_ ad: Ad, named name: String, offer: Offer?, _ reading: CreativeReading?) async {
        let unsettled = await self.beacons.unsettledStates(of: ad)
        let records = self.context.printer.records(of: ad.id)
        let allowsBlank = self.context.plan.stage.browser?.allowsBlank ?? false
        if !allowsBlank, let blank = records.lazy.compactMap(\.event.blank).first {
            let message = "\(name) stayed blank: \(DiagnosticText.text(blank))"
            let fix = self.context.plan.live == nil ? "; use --allow-blank to accept a blank ad" : ""
            self.totals.fail(.showFailed, message + fix)
        }
        let outcomes = BeaconOutcomes(records, unsettled)
        var verdicts = Verdict.list(
            records,
            offer: offer,
            pending: outcomes.pending,
            others: outcomes.others,
            activities: self.context.printer.activities(of: ad.id)
        )
        if case .page? = offer?.creative {
            let sent = self.context.printer.pageMessages(of: ad.id)
            self.totals.pageMessages += sent
            verdicts = Verdict.list(records, pageMessages: sent)
        }
        if let worst = outcomes.worst {
            let list = verdicts.filter(\.hasFired).map { "\($0.event): \($0.reason)" }.joined(separator: "; ")
            let isOne = self.context.plan.repeats == 1
            let which = isOne ? "see the list above" : Style.printable(list, upTo: 300)
            self.totals.worsen(to: .beacons, "a beacon of \(ad.id) is \(worst); \(which)")
        }
        self.print(verdicts, of: ad)
        self.addToReport(ad, named: name, offer, reading, verdicts)
        self.context.printer.forget(ad.id)
        ad.destroy()
    }

    // MARK: Output

    private func addToReport(
        _ ad: Ad,
        named name: String,
        _ offer: Offer?,
        _ reading: CreativeReading?,
        _ verdicts: [Verdict]
    ) {
        guard let recorder = self.context.log.recorder else { return }
        recorder.finish(
            self.context.reported(ad, named: name, offer, reading).updated(from: self.context.printer, verdicts)
        )
    }

    private func print(_ verdicts: [Verdict], of ad: Ad) {
        guard self.context.plan.repeats == 1 else { return }
        let (console, now) = (self.context.console, self.context.clock.now)
        guard !self.context.options.isJSON else {
            for verdict in verdicts { console.out(verdict.json(of: ad.id, ad.provider, at: now)) }
            return
        }
        for line in Verdict.lines(verdicts, Style(isColored: console.isColored)) { console.out(line) }
    }

    private func describe(_ offer: Offer, _ reading: CreativeReading, of ad: Ad) {
        let (console, now) = (self.context.console, self.context.clock.now)
        guard !self.context.options.isJSON else {
            return console.out(OfferText.json(offer, reading, of: ad.id, at: now).text())
        }
        for line in OfferText.lines(offer, reading) { console.out(line) }
    }
}

extension RunContext {
    /// The URL from which the linter reads the ad's document: a server of a private network that the user allows may be
    /// named by a document that was not fetched.
    var lintBase: HTTPURL? {
        self.origin.lintBase ?? self.plan.stage.browser?.allowedHosts.first { $0.isPrivate }
    }

    /// The part of an ad's report that is known when it is loaded.
    fileprivate func reported(_ ad: Ad, named name: String, _ offer: Offer?, _ reading: CreativeReading?) -> ReportedAd
    {
        ReportedAd(
            ad: ad.id,
            provider: ad.provider,
            name: name,
            title: self.origin.title(of: name) ?? reading?.title,
            offer: offer,
            records: [],
            verdicts: [],
            lint: self.origin.markup(of: name, offer).map {
                Lint.check($0, charset: "utf-8", from: self.lintBase)
            }
        )
    }
}
