import AdCore
import AdTrace
import SystemSupport

/// Carrying out what the lifecycle decides.
extension Ad {
    func put(_ input: AdInput) { self.put(.input(input)) }

    func put(_ news: Event) {
        self.services.clock.workBegan()
        self.mailbox.post(news) { news in
            self.take(news)
            self.services.clock.workEnded()
        }
    }

    private func take(_ news: Event) {
        switch news {
        case .input(let input):
            _ = self.handle(input)
        case .show(let command, let presenter):
            let before = self.parts.withLock { parts in
                defer { parts.presenter = presenter }
                return parts.presenter
            }
            // A show that is refused changes nothing for the one that was not.
            if self.handle(.show(command)) != .accepted { self.parts.withLock { $0.presenter = before } }
        case .answer(.success(let offer)):
            self.parts.withLock { parts in
                parts.offer = offer
                parts.asking = nil
            }
            let verdict = self.handle(.offerArrived(offer.terms))
            if verdict != .accepted { self.parts.withLock { $0.offer = nil } }
        case .answer(.failure(let error)):
            if self.phase == .loading { for issue in error.issues { self.tell(.issue(issue)) } }
            _ = self.handle(.loadFailed(error))
        case .recorded(let what, let beacons, let issues):
            for issue in issues { self.tell(.issue(issue)) }
            for beacon in beacons {
                self.tell(.beaconRecorded(beacon.key, beacon.call.address))
                if let fault = beacon.call.address.fault { self.tell(.beaconDead(beacon.key, reason: fault)) }
            }
            switch what {
            case .event(let event): _ = self.handle(.recorded(event))
            case .fact: _ = self.handle(.told)
            case .pings: break
            }
            if !beacons.isEmpty { self.services.beacons.deliver() }
        }
    }

    private func handle(_ input: AdInput) -> AdInputResult {
        let now = self.services.clock.now
        let (verdict, actions) = self.life.withLock { $0.handle(input, at: now) }
        self.services.trace?.note(input, to: self.id, at: now, verdict, actions)
        for action in actions { self.carryOut(action) }
        if case .ignored(let reason) = verdict, let observer = self.services.observer, let name = input.reportedName {
            let notice = IgnoredInput(at: now, ad: self.id, provider: self.provider, input: name, reason: reason)
            observer.observe(notice)
        }
        return verdict
    }

    private func carryOut(_ action: AdAction) {
        switch action {
        case .request: self.request()
        case .cancelRequest: self.parts.withLock { $0.asking }?.cancel()
        case .finish(let command, let error): self.finish(command, error)
        case .emit(let event): self.tell(event)
        case .setTimer(let timer, let moment): self.setTimer(timer, at: moment)
        case .cancelTimer(let timer): self.cancelTimer(timer)
        case .present: self.present()
        case .stage(let command): self.parts.withLock { $0.lane }?.tell(command)
        case .record(let event): self.record(event)
        case .tell(let fact): self.record(fact)
        case .open(let link): self.open(link)
        case .release: self.release()
        }
    }

    private func request() {
        guard
            let source = self.parts.withLock({ parts in
                defer { parts.source = nil }
                return parts.source
            })
        else { preconditionFailure("An ad loads its offer once.") }
        let task = self.services.clock.workAtOnce {
            do throws(AdError) {
                self.put(.answer(.success(try await source.load(self))))
            } catch {
                self.put(.answer(.failure(error)))
            }
        }
        // The task may have been over before it was known here; then it is not kept.
        self.parts.withLock { parts in
            if !parts.isReleased, parts.offer == nil { parts.asking = task }
        }
    }

    private func finish(_ command: CommandID, _ error: AdError?) {
        let caller = self.parts.withLock { parts -> (id: CommandID, outcome: OneShot<AdError?>, rest: ClockWait?)? in
            guard let index = parts.commands.firstIndex(where: { $0.id == command }) else { return nil }
            return parts.commands.remove(at: index)
        }
        caller?.outcome.resolve(error)
        caller?.rest?.end()
    }

    private func tell(_ event: AdEvent) {
        let (offer, size) = self.parts.withLock { parts in
            (parts.offer, parts.size)
        }
        if let observer = self.services.observer {
            let detail = event.detail(offer: offer, size: size)
            let record = AdRecord(
                at: self.services.clock.now,
                ad: self.id,
                provider: self.provider,
                event: event,
                detail: detail
            )
            observer.observe(record)
        }
        if event == .shown {
            self.parts.withLock { $0.lease }?.markShown()
            self.bridge?.hear(.shown)
        }
        // The observer first: whoever waits for an event finds it written down already.
        self.eventBroadcaster.send(event)
        if event == .loaded, let offer {
            for issue in offer.issues { self.tell(.issue(issue)) }
        }
    }

    private func setTimer(_ timer: AdTimer, at moment: Moment) {
        self.cancelTimer(timer)
        let alarm = self.services.clock.schedule(at: moment) { [weak self] in self?.put(.timer(timer)) }
        self.parts.withLock { $0.alarms.append((timer, alarm)) }
    }

    private func cancelTimer(_ timer: AdTimer) {
        let alarm = self.parts.withLock { parts -> AlarmID? in
            guard let index = parts.alarms.firstIndex(where: { $0.timer == timer }) else { return nil }
            return parts.alarms.remove(at: index).alarm
        }
        if let alarm { self.services.clock.cancel(alarm) }
    }

    private func present() {
        let lane = StageCommandQueue(clock: self.services.clock)
        let (offer, presenter) = self.parts.withLock { parts in
            parts.lane = lane
            return (parts.offer, parts.presenter)
        }
        guard let offer, let presenter else { preconditionFailure("An ad is presented when it was offered and shown.") }
        let bridged = self.bridge?.through(presenter) ?? presenter
        self.services.stage.insert(self)
        let observation = self.services.signals.observe { [weak self] in self?.put(.signal($0)) }
        let task = self.services.clock.work {
            let container = await presenter.container(for: offer.terms.kind)
            let size = CreativeLayout(offer.size, in: container)
            self.parts.withLock { $0.size = size }
            let options = StageOptions(
                ad: self.id,
                kind: offer.terms.kind,
                size: size,
                closeControl: offer.terms.closeControl
            )
            do throws(StageError) {
                let stage = try await bridged.present(offer.creative, options) { [weak self] in
                    self?.put(.stage($0))
                }
                lane.open(stage)
                self.parts.withLock { $0.presenting = nil }
            } catch {
                lane.abandon()
                self.put(.presentFailed(error))
            }
        }
        let isOver = self.parts.withLock { parts in
            guard !parts.isReleased else { return true }
            parts.observation = observation
            // A stage that is there already needs no task any more.
            if !lane.isOpen { parts.presenting = task }
            return false
        }
        if isOver { observation.cancel() }
    }

    /// Tells the page something, now or as soon as there is a stage.
    func post(_ message: String) { self.parts.withLock { $0.lane }?.tell(.post(message)) }

    private func open(_ link: ClickThroughURL) {
        let isAnswered = OneShot<Void>()
        // An opener that never answers must not keep the ad for ever.
        let alarm = self.services.clock.schedule(at: self.services.clock.now + .seconds(10)) {
            if isAnswered.resolve(()) { self.put(.linkOpened(link, .notOpened)) }
        }
        self.services.clock.work {
            var outcome = LinkOpenResult.notOpened
            for mode in self.context.openMode.ways(for: link) where !isAnswered.isResolved && !outcome.isOpened {
                if await self.services.opener.open(link, mode) { outcome = .opened(mode) }
            }
            self.services.clock.cancel(alarm)
            if isAnswered.resolve(()) { self.put(.linkOpened(link, outcome)) }
        }
    }

    private func release() {
        let parts = self.parts.withLock { parts -> Parts in
            let released = parts
            parts = Parts(last: released.last, isReleased: true)
            // What is asked of an ad that is over still gets its answer, and what was told before is still written down.
            parts.commands = released.commands
            parts.unwritten = released.unwritten
            parts.isWriting = released.isWriting
            return released
        }
        for entry in parts.alarms { self.services.clock.cancel(entry.alarm) }
        parts.observation?.cancel()
        parts.asking?.cancel()
        parts.presenting?.cancel()
        self.eventBroadcaster.finish()
        for rest in parts.waiting { rest.end() }
        self.services.stage.remove(self.id)
        self.bridge?.hear(.gone)
    }
}
