import AdCore
import AdRuntime
import PlayConsole
import PlayReport
import PlayStages
import PlayText
import WebStage

extension RunContext {
    /// Shows a loaded ad on the stage of this run until it closes.
    ///
    /// Without a watcher the ad gets its own. If it is the only ad on screen, the host signals are reset first.
    func present(
        _ ad: Ad,
        _ script: UserScript,
        watcher: (any AdWatcher)?,
        _ exit: ExitRequest,
        isAlone: Bool
    ) async throws(AdError) {
        // The script of the previous ad may have left the app covered or in the background.
        if isAlone {
            self.signals.post(.covered(false))
            self.signals.post(.background(false))
        }
        let shared = watcher
        let watcher: (any AdWatcher)? =
            self.plan.live?.watcher(of: ad)
            ?? (self.plan.isSilent || self.plan.time.isVirtual ? nil : shared ?? self.watcher(of: ad, exit))
        // The stage ends it as well, but possibly after the verdicts are printed.
        defer { watcher?.end() }
        let container = self.container(for: ad)
        if let kind = ad.offer?.rules.kind { self.printer.setContainer(container.detail(for: kind), of: ad.id) }
        if let issue = container.issue { self.printer.observe(issue, of: ad, at: self.clock.now) }
        let services = ShowServices(
            self.console,
            clock: self.clock,
            signals: self.signals,
            script: script,
            container: container,
            isSilent: self.plan.isSilent,
            watcher: watcher,
            onPageMessage: self.pageMessages(of: ad)
        )
        if let browser {
            let presenter = BrowserShowPresenter(
                browser,
                services,
                speed: self.plan.time.speed,
                picture: self.picture,
                recorder: self.log.recorder,
                takesPictures: self.plan.live?.takesPictures ?? true,
                observer: self.plan.live
            )
            try await ad.show(on: presenter)
            await ad.waitUntilEnded()
            await presenter.waitUntilClosed()
        } else {
            try await ad.show(
                on: TerminalPresenter(
                    services,
                    sequencer: self.sequencer,
                    probe: MediaProbe(transport: self.services.transport, userAgent: self.plan.userAgent),
                    base: self.origin.base
                )
            )
        }
        // The ad is over after its close, and after the links clicked before it were opened.
        await ad.waitUntilEnded()
    }

    private func watcher(of ad: Ad, _ exit: ExitRequest) -> any AdWatcher {
        TerminalWatcher(self.console, clock: self.clock, ad: ad, signals: self.signals, exit: exit)
    }

    /// Prints the messages of an ad's page.
    private func pageMessages(of ad: Ad) -> @Sendable (AdID, PageMessage) -> Void {
        { [printer, clock, provider = ad.provider] id, message in
            printer.observe(message, of: id, provider, at: clock.now)
        }
    }
}
