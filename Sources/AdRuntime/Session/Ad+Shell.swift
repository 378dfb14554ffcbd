import AdCore
import AdTrace
import SystemSupport

/// Executing the actions of the lifecycle.
extension Ad {
    func post(_ input: AdInput) { self.post(.input(input)) }

    func post(_ event: Event) {
        self.services.clock.workStarted()
        self.mailbox.post(event) { event in
            self.handle(event: event)
            self.services.clock.workEnded()
        }
    }

    private func handle(event: Event) {
        switch event {
        case .input(let input):
            _ = self.handle(input)
        case .show(let command, let presenter):
            let previous = self.parts.withLock { parts in
                defer { parts.presenter = presenter }
                return parts.presenter
            }
            let input = self.capRefusal().map { AdInput.showCapped(command, $0) } ?? .show(command)
            // A refused show keeps the presenter of the accepted one.
            if self.handle(input) != .accepted { self.parts.withLock { $0.presenter = previous } }
        case .loadEnded(.success(let loaded)):
            let offer = loaded.rewarding(self.services.random)
            self.parts.withLock { parts in
                parts.offer = offer
                parts.loadTask = nil
            }
            let result = self.handle(.offerArrived(offer.boxedRules))
            if result != .accepted { self.parts.withLock { $0.offer = nil } }
        case .loadEnded(.failure(let error)):
            if self.phase == .loading { for issue in error.issues { self.report(.issue(issue)) } }
            _ = self.handle(.loadFailed(error))
        case .nextChosen(.success(let choice)):
            let offer = choice.offer.rewarding(self.services.random)
            self.parts.withLock { parts in
                parts.loadTask = nil
                guard !parts.isReleased else { return }
                (parts.offer, parts.reservation, parts.origin) = (offer, choice.reservation, choice.context)
                parts.placementName = choice.placementName
            }
            for issue in offer.issues { self.report(.issue(issue)) }
            _ = self.handle(.offerArrived(offer.boxedRules))
        case .nextChosen(.failure(let error)):
            _ = self.handle(.loadFailed(error))
        // A stage of an offer that was replaced has nothing more to say.
        case .stage(let event, let queue): if self.isCurrent(queue) { _ = self.handle(.stage(event)) }
        case .presentFailed(let error, let queue): if self.isCurrent(queue) { _ = self.handle(.presentFailed(error)) }
        case .report(let event): self.report(event)
        case .recorded(let source, let beacons, let issues, let held):
            for issue in issues { self.report(.issue(issue)) }
            for beacon in beacons {
                self.report(.beaconRecorded(beacon.key, beacon.call.address))
                if let reason = beacon.call.address.uncallableReason {
                    self.report(.beaconDead(beacon.key, reason: reason))
                }
            }
            switch source {
            case .event(let event): _ = self.handle(.recorded(event))
            case .trackingEvent: _ = self.handle(.tracked)
            case .loadErrors, .notices: break
            }
            self.services.beacons.releaseReports(of: held)
        }
    }

    private func handle(_ input: AdInput) -> AdInputResult {
        let now = self.services.clock.now
        let (result, actions) = self.lifecycle.withLock { $0.handle(input, at: now) }
        self.services.trace?.record(input, to: self.id, at: now, result, actions)
        for action in actions { self.execute(action) }
        if case .signal(let signal) = input {
            self.parts.withLock { $0.hostState = $0.hostState.filter { !$0.isOfSameKind(as: signal) } + [signal] }
            self.notifyStage(.host(signal))
        }
        if case .linkOpened(let link, .notOpened) = input { self.notifyStage(.linkNotOpened(link)) }
        if case .ignored(let reason) = result, let observer = self.services.observer, let name = input.reportedName {
            let ignored = IgnoredInput(at: now, ad: self.id, provider: self.provider, input: name, reason: reason)
            observer.observe(ignored)
        }
        return result
    }

    private func execute(_ action: AdAction) {
        switch action {
        case .request: self.request()
        case .cancelRequest: self.parts.withLock { $0.loadTask }?.cancel()
        case .finish(let command, let error): self.finish(command, error)
        case .emit(let event): self.report(event)
        case .setTimer(let timer, let moment): self.setTimer(timer, at: moment)
        case .cancelTimer(let timer): self.cancelTimer(timer)
        case .present: self.present()
        case .stage(let command): self.parts.withLock { $0.stageQueue }?.append(command)
        case .record(let event):
            self.record(event)
            if event == .view {
                self.countView()
                self.notifyStage(.tracked(TrackingEvent(.view, spot: nil)))
            }
        case .track(let event):
            self.record(event)
            self.notifyStage(.tracked(event))
        case .open(let link): self.open(link)
        case .settle(let outcome):
            let auction = self.parts.withLock { parts in
                parts.awaitsWinNotices = outcome == .won && parts.auction != nil
                return parts.auction
            }
            auction?.settle(outcome, of: self)
        case .requestNext(let reason): self.requestNext(after: reason)
        case .release: self.release()
        }
    }

    private func notifyStage(_ notice: StageNotice) { self.parts.withLock { $0.stageQueue }?.append(notice) }

    /// Whether the stage is that of the current offer.
    private func isCurrent(_ queue: StageCommandQueue) -> Bool {
        self.parts.withLock { $0.stageQueue === queue || $0.isReleased }
    }

    private func requestNext(after reason: LossReason) {
        let auction = self.parts.withLock { parts in
            parts.failedOffers += 1
            parts.stageQueue = nil
            parts.presentTask = nil
            return parts.auction
        }
        guard let auction else { preconditionFailure("Only an auction has a next offer.") }
        let end = self.services.clock.now + self.services.timing.loading
        let task = self.services.clock.startWorkImmediately {
            do throws(AdError) {
                var choice = try await auction.next(after: reason, until: end)
                // What was shown since the load counts as well.
                while let refusal = self.services.refusal(of: choice.capped) {
                    self.post(.report(.offerFailed(refusal)))
                    choice = try await auction.next(after: .filtered, until: end)
                }
                self.post(.nextChosen(.success(choice)))
            } catch {
                self.post(.nextChosen(.failure(error)))
            }
        }
        self.parts.withLock { if !$0.isReleased { $0.loadTask = task } }
    }

    private func request() {
        guard
            let source = self.parts.withLock({ parts in
                defer { parts.source = nil }
                return parts.source
            })
        else { preconditionFailure("An ad loads its offer once.") }
        let task = self.services.clock.startWorkImmediately {
            do throws(AdError) {
                self.post(.loadEnded(.success(try await source.load(self))))
            } catch {
                self.post(.loadEnded(.failure(error)))
            }
        }
        // The task may already have finished; then it is not stored.
        self.parts.withLock { parts in
            if !parts.isReleased, parts.offer == nil { parts.loadTask = task }
        }
    }

    private func finish(_ command: CommandID, _ error: AdError?) {
        let caller = self.parts.withLock { parts -> (id: CommandID, outcome: OneShot<AdError?>, wait: ClockWait?)? in
            guard let index = parts.commands.firstIndex(where: { $0.id == command }) else { return nil }
            return parts.commands.takeElement(at: index)
        }
        caller?.outcome.set(error)
        caller?.wait?.end()
    }

    func report(_ event: AdEvent) {
        let (offer, size, listener) = self.parts.withLock { parts in
            (parts.offer, parts.size, parts.listener)
        }
        if let observer = self.services.observer {
            let detail = event.detail(offer: offer, size: size)
            var record = AdRecord(
                at: self.services.clock.now,
                ad: self.id,
                provider: self.provider,
                event: event,
                detail: detail
            )
            record.attribution = offer?.info.attribution
            observer.observe(record)
        }
        if event == .shown {
            self.parts.withLock { $0.reservation }?.markShown()
            self.bridge?.report(.shown)
        }
        // The observer comes before listeners and streams, so that a log has an event before the app reacts to it.
        listener?(event)
        self.parts.withLock { $0.broadcaster }?.send(event)
        if event == .loaded, let offer {
            for issue in offer.issues { self.report(.issue(issue)) }
        }
    }

    private func setTimer(_ timer: AdTimer, at moment: Moment) {
        self.cancelTimer(timer)
        let ad = WeakReference(to: self)
        let alarm = self.services.clock.schedule(at: moment) { ad.object?.post(.timer(timer)) }
        self.parts.withLock { $0.alarms.append((timer, alarm)) }
    }

    private func cancelTimer(_ timer: AdTimer) {
        let alarm = self.parts.withLock { parts -> AlarmID? in
            guard let index = parts.alarms.firstIndex(where: { $0.timer == timer }) else { return nil }
            return parts.alarms.takeElement(at: index).alarm
        }
        if let alarm { self.services.clock.cancel(alarm) }
    }

    private func present() {
        let queue = StageCommandQueue(clock: self.services.clock)
        let (offer, presenter) = self.parts.withLock { parts in
            parts.stageQueue = queue
            return (parts.offer, parts.presenter)
        }
        guard let offer, let presenter else { preconditionFailure("An ad is presented when it was offered and shown.") }
        // A stage that follows another one does not get the signals that came before.
        for signal in self.parts.withLock({ $0.hostState }) { queue.append(.host(signal)) }
        let bridged = self.bridge?.wrap(presenter) ?? presenter
        self.services.stage.insert(self)
        let isObserving = self.parts.withLock { $0.observation != nil }
        let observation =
            isObserving ? nil : self.services.signals.observe { [weak self] in self?.post(.signal($0)) }
        let ad = WeakReference(to: self)
        let task = self.services.clock.work {
            let container = await presenter.container(for: offer.rules.kind)
            let size = CreativeLayout(offer.size, in: container)
            self.parts.withLock { $0.size = size }
            let location = self.shareLocation()
            let options = StageOptions(
                ad: self.id,
                kind: offer.rules.kind,
                size: size,
                closeControl: offer.rules.closeControl,
                closeDelay: ClosePlan(offer.rules, timing: self.services.timing).closeAfter,
                location: location
            )
            do throws(StageError) {
                let stage = try await bridged.present(offer.creative, options) {
                    ad.object?.post(.stage($0, of: queue))
                }
                queue.open(stage)
                self.parts.withLock { $0.presentTask = nil }
            } catch {
                queue.abandon()
                self.post(.presentFailed(error, of: queue))
            }
        }
        let isOver = self.parts.withLock { parts in
            guard !parts.isReleased else { return true }
            if let observation { parts.observation = observation }
            // Once the stage exists, its task is not kept.
            if !queue.isOpen { parts.presentTask = task }
            return false
        }
        if isOver { observation?.cancel() }
    }

    /// The position that the creative may have; the stage is told when the consent allows less.
    private func shareLocation() -> AdContext.Location? {
        let context = self.services.context
        guard context.lastLocation != nil else { return nil }
        let observation = context.observeWithdrawals { [weak self] in
            self?.notifyStage(.location(context.lastLocation))
        }
        let old = self.parts.withLock { parts -> HostObservation? in
            guard !parts.isReleased else { return observation }
            defer { parts.consentObservation = observation }
            return parts.consentObservation
        }
        old?.cancel()
        // What was taken back meanwhile is not shared.
        return context.lastLocation
    }

    /// Sends a message to the page as soon as there is a stage.
    func sendToPage(_ message: String) { self.parts.withLock { $0.stageQueue }?.append(.post(message)) }

    private func open(_ link: ClickThroughURL) {
        let isAnswered = OneShot<Void>()
        // An opener that never returns must not keep the ad alive.
        let alarm = self.services.clock.schedule(at: self.services.clock.now + .seconds(10)) {
            if isAnswered.set(()) { self.post(.linkOpened(link, .notOpened)) }
        }
        self.services.clock.work {
            var outcome = await self.openStore(link)
            for mode in self.origin.openMode.ways(for: link) where !isAnswered.isSet && !outcome.isOpened {
                if await self.services.opener.open(link, mode) { outcome = .opened(mode) }
            }
            self.services.clock.cancel(alarm)
            if isAnswered.set(()) { self.post(.linkOpened(link, outcome)) }
        }
    }

    /// Opens the App Store's page over the host if the bid is signed for it: by another way no install is attributed.
    private func openStore(_ link: ClickThroughURL) async -> LinkOpenResult {
        let attribution = self.parts.withLock { $0.offer?.info.attribution }
        guard let opener = self.services.opener as? any StoreOpener,
            let product = StoreProduct(link, signed: attribution), product.impression != nil,
            await opener.open(product)
        else { return .notOpened }
        return .opened(.inApp)
    }

    private func release() {
        let parts = self.parts.withLock { parts -> Parts in
            let released = parts
            parts = Parts(lastCommand: released.lastCommand, isReleased: true)
            // Open commands still get an outcome, and what happened before is still recorded.
            parts.commands = released.commands
            parts.pendingRecords = released.pendingRecords
            parts.isRecording = released.isRecording
            parts.awaitsWinNotices = released.awaitsWinNotices
            return released
        }
        for entry in parts.alarms { self.services.clock.cancel(entry.alarm) }
        parts.observation?.cancel()
        parts.consentObservation?.cancel()
        parts.loadTask?.cancel()
        parts.presentTask?.cancel()
        parts.broadcaster?.finish()
        for wait in parts.endWaits { wait.end() }
        self.services.stage.remove(self.id)
        // An auction that ended while its ad was being released has no other end; after a win or loss this does nothing.
        parts.auction?.settle(.lost(.expired), of: self)
        self.bridge?.report(.gone)
    }
}

extension HostSignal {
    fileprivate func isOfSameKind(as other: HostSignal) -> Bool {
        switch (self, other) {
        case (.covered, .covered), (.background, .background), (.network, .network), (.volume, .volume),
            (.obstructed, .obstructed):
            true
        default: false
        }
    }
}

extension Array {
    /// Removes an element; an array that is empty then keeps no buffer, because an ad lives longer than its commands.
    fileprivate mutating func takeElement(at index: Int) -> Element {
        let element = self.remove(at: index)
        if self.isEmpty { self = [] }
        return element
    }
}
