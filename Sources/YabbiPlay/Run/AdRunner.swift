import AdCore
import AdLint
import AdMarkup
import AdRuntime
import PlayConsole
import PlayReport
import PlayStages
import YabbiAds

/// Loads ads and shows them one after the other, waits for the beacons of each, and collects what came of them.
struct AdRunner {
    let context: RunContext
    let script: Script
    private(set) var totals = RunTotals()

    /// The watcher of all ads; nil where each ad has one of its own.
    var watcher: (any AdWatcher)?
    /// Whether the user at the terminal has left the run.
    var exit = ExitRequest()
    /// Whether no other ad is on screen: covers and backgrounds concern all ads that are.
    var isAlone = true

    private var beacons: BeaconWait

    init(_ context: RunContext, script: Script) {
        self.context = context
        self.script = script
        self.beacons = BeaconWait(context)
    }

    /// Loads the ads of a request and, unless they are only loaded, shows each to its close.
    mutating func run(_ request: AdRequest, shows: Bool) async {
        // Time stands still while the next step is being decided.
        self.context.clock.workBegan()
        defer { self.context.clock.workEnded() }
        let (ad, others) = request.ads()
        self.totals.add(ad.id)
        let start = ContinuousClock.now
        do throws(AdError) {
            // A failed attempt may have to wait for the next one.
            try await ad.loadAtRest()
        } catch {
            self.totals.fail(ExitCode(loading: error), request.explanation(error))
            // A failed load has beacons too: VAST's error URLs.
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

    /// Shows an ad that a server pushed, and that is loaded already; the caller holds time.
    mutating func run(_ ad: Ad, loadedAfter latency: Duration, shows: Bool) async {
        self.totals.add(ad.id)
        self.totals.fill(after: latency)
        await self.show(ad, named: ad.provider.rawValue, shows: shows)
    }

    /// Counts an ad that did not come.
    mutating func miss(_ error: PlayError) {
        self.totals.add(nil)
        self.totals.fail(error.code, error.message)
    }

    /// Notes an error that is no ad's.
    mutating func fail(_ error: PlayError) { self.totals.worsen(to: error.code, error.message) }

    // MARK: A loaded ad

    private mutating func show(_ ad: Ad, named name: String, shows: Bool) async {
        let (offer, context) = (ad.offer, self.context)
        let reading =
            context.plan.repeats == 1 ? offer.map { CreativeReading($0.creative, base: context.origin.base) } : nil
        for issue in reading?.issues ?? [] { context.printer.observe(issue, of: ad, at: context.clock.now) }
        guard shows else {
            if let offer, let reading { self.describe(offer, reading, of: ad) }
            self.addToReport(ad, named: name, offer, reading, [])
            context.printer.forget(ad.id)
            ad.destroy()
            return
        }
        do throws(AdError) {
            try await context.present(ad, self.script, watcher: self.watcher, self.exit, isAlone: self.isAlone)
        } catch {
            self.totals.fail(.showFailed, error.description)
        }
        await self.beacons.wait(for: ad)
        await self.conclude(ad, named: name, offer: offer, reading)
    }

    /// Judges what became of an ad and its beacons, and releases it.
    private mutating func conclude(_ ad: Ad, named name: String, offer: Offer?, _ reading: CreativeReading?) async {
        let open = await self.beacons.open(of: ad)
        let records = self.context.printer.records(of: ad.id)
        let allowsBlank = self.context.plan.stage.browser?.allowsBlank ?? false
        if !allowsBlank, let blank = records.lazy.compactMap(\.event.blank).first {
            let words = "\(name) stayed blank: \(DiagnosticText.words(blank))"
            self.totals.fail(.showFailed, "\(words); --allow-blank accepts a blank ad")
        }
        let judged = JudgedBeacons(records, open)
        var verdicts = Verdict.list(records, offer: offer, pending: judged.pending, others: judged.others)
        if case .page? = offer?.creative {
            let told = self.context.printer.pageMessages(of: ad.id)
            self.totals.pageMessages += told
            verdicts = Verdict.list(records, told: told)
        }
        if let fate = judged.fate {
            let list = verdicts.filter(\.hasFired).map { "\($0.event): \($0.reason)" }.joined(separator: "; ")
            let isOne = self.context.plan.repeats == 1
            let which = isOne ? "the list above says which" : Style.printable(list, upTo: 300)
            self.totals.worsen(to: .beacons, "a beacon of \(ad.id) is \(fate); \(which)")
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
        guard let report = self.context.report else { return }
        let origin = self.context.origin
        report.book.finish(
            AdStory(
                ad: ad.id,
                provider: ad.provider,
                name: name,
                title: origin.title(of: name) ?? reading?.title,
                offer: offer,
                records: self.context.printer.records(of: ad.id),
                verdicts: verdicts,
                lint: origin.markup(of: name, offer).map { Lint.check($0, charset: "utf-8", from: origin.base) }
            )
        )
    }

    private func print(_ verdicts: [Verdict], of ad: Ad) {
        guard self.context.plan.repeats == 1 else { return }
        let (console, now) = (self.context.console, self.context.clock.now)
        guard !self.context.options.isJSON else {
            for verdict in verdicts { console.out(verdict.json(of: ad.id, ad.provider, at: now)) }
            return
        }
        for line in Verdict.lines(verdicts, Style(isColoured: console.isColoured)) { console.out(line) }
    }

    private func describe(_ offer: Offer, _ reading: CreativeReading, of ad: Ad) {
        let (console, now) = (self.context.console, self.context.clock.now)
        guard !self.context.options.isJSON else {
            return console.out(OfferText.json(offer, reading, of: ad.id, at: now).text())
        }
        for line in OfferText.lines(offer, reading) { console.out(line) }
    }
}
