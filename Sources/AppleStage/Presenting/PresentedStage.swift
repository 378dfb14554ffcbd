#if canImport(UIKit) && canImport(WebKit)
    import AdCore
    import SystemSupport
    import UIKit
    import WebKit
    import WebStage

    /// One ad in the app's views: the stage of its page, and the frame around it.
    final class PresentedStage: Stage {
        private let stage: BrowserStage
        private let report: @Sendable (StageEvent) -> Void
        @MainActor private let page: WebViewPage
        @MainActor private let frame: any AdFrame
        @MainActor private var countdown: CloseCountdown?
        @MainActor private var ticking: Task<Void, Never>?
        /// What the app says that is drawn over the ad, and what its views hide of it.
        @MainActor private var obstructions: [AdObstruction] = []
        @MainActor private var hidden: [AdObstruction] = []
        private let start = ContinuousClock.now
        private static let interval = Duration.milliseconds(200)

        @MainActor
        init(
            _ stage: BrowserStage,
            in page: WebViewPage,
            _ frame: any AdFrame,
            closeDelay: Duration?,
            report: @escaping @Sendable (StageEvent) -> Void
        ) {
            self.stage = stage
            self.report = report
            self.page = page
            self.frame = frame
            self.countdown = closeDelay.map(CloseCountdown.init)
            frame.onPress = { [weak self] in self?.pressed($0) }
            frame.onResize = { [weak stage] in stage?.resize(to: $0) }
            frame.onRemoval = { report(.gone) }
        }

        /// A press on a control of the host.
        @MainActor
        private func pressed(_ control: StageControl) {
            let (stage, report) = (self.stage, self.report)
            Task {
                // What the ad's page still has to report comes first, if it answers in time.
                await stage.prepareToClose()
                report(control == .close ? .closeRequested(by: .user) : .skipRequested)
            }
        }

        func reveal() async {
            await self.show()
            await self.stage.reveal()
        }

        @MainActor
        private func show() async {
            self.page.shell.place()
            await self.frame.show()
            self.countdown?.reveal(at: .now - self.start)
            self.ticking = Task { [weak self] in
                while !Task.isCancelled, self != nil {
                    await self?.tick()
                    try? await Task.sleep(for: PresentedStage.interval)
                }
            }
        }

        @MainActor
        private func tick() async {
            if let countdown { self.frame.setCountdown(countdown.remaining(at: .now - self.start)) }
            self.frame.checkScreen()
            guard let hidden = self.frame.hiddenParts, hidden != self.hidden else { return }
            self.hidden = hidden
            await self.stage.notify(.host(.obstructed(self.obstructions + hidden)))
        }

        func setControl(_ control: StageControl, visible: Bool) async {
            guard await self.frame.hasOwnControls else {
                return await self.stage.setControl(control, visible: visible)
            }
            await self.frame.set(control, visible: visible)
        }

        func control(_ command: VideoCommand) async { await self.stage.control(command) }
        func post(_ message: String) async { await self.stage.post(message) }
        func notify(_ notice: StageNotice) async { await self.stage.notify(self.note(notice)) }

        @MainActor
        private func note(_ notice: StageNotice) -> StageNotice {
            self.countdown?.handle(notice, at: .now - self.start)
            guard case .host(.obstructed(let views)) = notice else { return notice }
            self.obstructions = views
            return .host(.obstructed(views + self.hidden))
        }

        func close(_ reason: CloseReason) async {
            await self.stop()
            await self.stage.close(reason)
        }

        @MainActor
        private func stop() {
            self.ticking?.cancel()
            self.ticking = nil
            self.frame.remove()
        }
    }
#endif
