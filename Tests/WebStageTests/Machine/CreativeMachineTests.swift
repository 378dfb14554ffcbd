import AdCore
import Testing

@testable import WebStage

@Suite("Decisions of the creative's machine")
struct CreativeMachineTests {
    private let page = EngineTarget(name: "PAGE")
    private let root = EngineTarget(name: "ROOT")
    private let inner = EngineTarget(name: "WITHIN")

    private func event(_ kind: EngineEvent.Kind, in target: EngineTarget) -> StageInput {
        .event(EngineEvent(kind, in: target))
    }

    private func attached(
        _ target: EngineTarget,
        in parent: EngineTarget,
        kind: AttachedTarget.Kind = .frame
    ) -> StageInput {
        self.event(.attached(AttachedTarget(kind, target, id: target.name, url: "https://c.example/")), in: parent)
    }

    private func reports(_ outputs: [StageOutput]) -> [StageEvent] {
        outputs.compactMap { if case .report(let event) = $0 { event } else { nil } }
    }

    private func commands(_ outputs: [StageOutput]) -> [EngineCommand] {
        outputs.compactMap { if case .send(let command) = $0 { command } else { nil } }
    }

    /// A machine whose creative's frame is attached.
    private func framed() -> CreativeMachine {
        let container = AdContainer.fullScreen(Size(width: 390, height: 844))
        let geometry = StageGeometry(screen: container.screen, size: CreativeLayout(.adaptive, in: container))
        let plan = StagePlan(name: "ad-x-1", layout: .full, geometry: geometry, document: "<p>ad</p>")
        let hostPage = HostPage(.creative(.full), plan.name, in: self.page, frame: "MAIN")
        var machine = CreativeMachine(plan, in: hostPage)
        _ = machine.start()
        for query in [StageQuery.armed, .navigated, .world, .hostReady] {
            _ = machine.handle(.reply(query, .success(.done)), at: .zero)
        }
        _ = machine.handle(self.attached(self.root, in: self.page), at: .zero)
        return machine
    }

    /// A machine whose creative is on screen.
    private func shown() -> CreativeMachine {
        var machine = self.framed()
        let ready = machine.handle(.alarm(.settleTimeout), at: .zero)
        #expect(self.reports(ready) == [.ready])
        let reveal = machine.handle(.reveal, at: .zero)
        #expect(self.reports(reveal) == [.revealed])
        #expect(reveal.contains(.setAlarm(.monitor(self.root), after: .seconds(2))))
        return machine
    }

    @Test("a creative is not monitored before it is on screen, and fails after the load timeout")
    func early() {
        var machine = self.framed()
        #expect(machine.handle(.alarm(.monitor(self.root)), at: .zero).isEmpty)
        let late = machine.handle(.alarm(.loadTimeout), at: .zero)
        guard case .fail? = late.first else {
            Issue.record("\(late)")
            return
        }
    }

    @Test("a creative that does not answer is ended and reported as crashed, once")
    func hangs() {
        var machine = self.shown()
        #expect(machine.handle(.alarm(.monitor(self.root)), at: .zero).count == 1)
        let late = machine.handle(.reply(.monitor(self.root), .failure(.late("x"))), at: .zero)
        #expect(self.commands(late) == [.terminate(self.root)])
        #expect(self.reports(late) == [.crashed("the creative does not answer any more")])
        #expect(machine.handle(self.event(.crashed, in: self.root), at: .zero).isEmpty)
    }

    private func flood(_ flood: EngineFlood, in target: EngineTarget) -> StageInput {
        self.event(.flooded(flood), in: target)
    }

    @Test("a flood of a creative is reported, and a persistent one ends the creative with the cause flood")
    func floods() {
        var machine = self.shown()
        let start = machine.handle(self.flood(.started, in: self.root), at: .zero)
        #expect(self.commands(start).isEmpty)
        #expect(self.reports(start) == [.blocked(BlockedAttempt(.other, EngineFlood.started.text("the creative")))])
        let persistent = machine.handle(self.flood(.persists(dropped: 9), in: self.root), at: .zero)
        #expect(self.commands(persistent).first == .terminate(self.root))
        let text = EngineFlood.persists(dropped: 9).text("the creative")
        #expect(text.contains("9 were dropped") && self.reports(persistent) == [.crashed(text, cause: .flood)])
        #expect(machine.handle(self.flood(.persists(dropped: 10), in: self.root), at: .zero).isEmpty)
    }

    @Test("a flood ends only the nested frame that causes it; a flood of a worker ends the creative")
    func floodsWithin() {
        var machine = self.shown()
        _ = machine.handle(self.attached(self.inner, in: self.root), at: .zero)
        let frame = machine.handle(self.flood(.persists(dropped: 9), in: self.inner), at: .zero)
        #expect(frame.contains(RendererMonitor.end(self.inner)) && !frame.contains(RendererMonitor.end(self.root)))
        let worker = machine.handle(self.flood(.persists(dropped: 9), in: EngineTarget(name: "WORKER")), at: .zero)
        #expect(worker.contains(RendererMonitor.end(self.root)))
    }

    @Test("if the host page does not answer, the creative is ended first, and the host page the next time")
    func busyPage() {
        var machine = self.shown()
        let first = machine.handle(.reply(.monitor(self.page), .failure(.late("x"))), at: .zero)
        #expect(
            first.contains(RendererMonitor.end(self.root))
                && first.contains(.setAlarm(.monitor(self.page), after: .seconds(2)))
        )
        guard case .crashed(_, .flood)? = self.reports(first).first else {
            Issue.record("\(first)")
            return
        }
        let second = machine.handle(.reply(.monitor(self.page), .failure(.late("x"))), at: .zero)
        #expect(self.reports(second).last == .gone)
    }

    @Test("a press that the page does not report closes the ad or skips the video")
    func pressed() {
        var machine = self.shown()
        let close = machine.handle(.pressed(.close), at: .zero)
        #expect(self.reports(close).last == .closeRequested(by: .user))
        let skip = machine.handle(.pressed(.skip), at: .zero)
        #expect(self.reports(skip).last == .skipRequested)
        #expect(StageInput.pressed(.close).isUrgent && StageInput.close.isUrgent && !StageInput.reveal.isUrgent)
    }

    @Test("a nested frame that hangs or crashes is reported, and the creative continues")
    func within() {
        for isCrash in [false, true] {
            var machine = self.shown()
            let attach = machine.handle(self.attached(self.inner, in: self.root), at: .zero)
            #expect(attach.contains(.setAlarm(.monitor(self.inner), after: .seconds(2))))
            let outputs = machine.handle(
                isCrash
                    ? self.event(.crashed, in: self.inner)
                    : .reply(.monitor(self.inner), .failure(.late("x"))),
                at: .zero
            )
            let text = isCrash ? "a nested frame crashed" : "a nested frame does not answer any more"
            #expect(self.reports(outputs) == [.blocked(BlockedAttempt(.other, text))])
            let check = machine.handle(.alarm(.monitor(self.root)), at: .zero)
            #expect(check.count == 1, "the creative itself is still monitored")
        }
    }

    @Test("closing the window ends an ad, or fails one that is not ready yet")
    func windowClosed() {
        let closed = self.event(.closed, in: self.page)
        var machine = self.shown()
        #expect(machine.handle(closed, at: .zero) == [.report(.gone)])
        var early = self.framed()
        let failed = StageError("the creative could not be shown: the window was closed")
        #expect(early.handle(closed, at: .zero) == [.fail(failed)])
    }

    @Test("a removed frame is not monitored any more")
    func gone() {
        var machine = self.shown()
        _ = machine.handle(self.attached(self.inner, in: self.root), at: .zero)
        let outputs = machine.handle(self.event(.detached(self.inner), in: self.root), at: .zero)
        #expect(outputs == [.send(.forget(self.inner))])
        #expect(machine.handle(.alarm(.monitor(self.inner)), at: .zero).isEmpty)
    }

    @Test("a creative that exceeds the byte limit is ended")
    func byteLimit() {
        var machine = self.shown()
        let data = self.event(.network(.received(bytes: 60_000_000)), in: self.root)
        _ = machine.handle(data, at: .zero)
        let outputs = machine.handle(data, at: .zero)
        #expect(outputs.contains(.setAlarm(.byteLimit, after: .zero)))
        let end = machine.handle(.alarm(.byteLimit), at: .zero)
        #expect(self.commands(end) == [.terminate(self.root)])
        #expect(self.reports(end) == [.crashed("the creative loaded more than 100 MB")])
        #expect(machine.handle(.alarm(.byteLimit), at: .zero).isEmpty)
    }

    @Test("a worker is observed; a service worker and a window are closed and reported")
    func others() {
        var machine = self.shown()
        let other = EngineTarget(name: "OTHER")
        let worker = machine.handle(self.attached(other, in: self.root, kind: .worker), at: .zero)
        #expect(self.commands(worker) == [.observeWorker(other), .resume(other)])
        for (kind, name) in [(AttachedTarget.Kind.serviceWorker, "service worker"), (.other("page"), "page")] {
            let outputs = machine.handle(self.attached(other, in: self.root, kind: kind), at: .zero)
            #expect(self.commands(outputs) == [.close(id: "OTHER")])
            #expect(self.reports(outputs) == [.blocked(BlockedAttempt(.popup, "\(name) https://c.example/"))])
        }
    }

    // MARK: Closing

    private func message(_ message: AdJSON, _ channel: EngineChannel, in target: EngineTarget) -> StageInput {
        self.event(.message(EngineMessage(channel, message.text(), from: nil)), in: target)
    }

    /// Runs all steps of a blank check; returns the outputs of the last one.
    private func runBlankCheck(_ machine: inout CreativeMachine, pixels: Int, at now: Duration) -> [StageOutput] {
        _ = machine.handle(.reply(.blankCheck(.place), .success(.value([0, 0, 320, 50]))), at: now)
        _ = machine.handle(.reply(.blankCheck(.images), .success(.value([]))), at: now)
        _ = machine.handle(.reply(.blankCheck(.picture(without: [])), .success(.picture("x"))), at: now)
        return machine.handle(.reply(.blankCheck(.count), .success(.value(.int(pixels)))), at: now)
    }

    private var closePress: StageInput { self.message(["k": "close"], .host, in: self.page) }

    @Test("a close waits for the final blank check, whose result is reported first", arguments: [0, 500])
    func finalBlankCheck(pixels: Int) {
        var machine = self.shown()
        let press = machine.handle(self.closePress, at: .seconds(2))
        #expect(self.reports(press).isEmpty && press.contains(.setAlarm(.finalBlankCheck, after: .milliseconds(300))))
        #expect(press.contains { if case .query(_, .blankCheck(.place), _) = $0 { true } else { false } })
        #expect(machine.handle(self.closePress, at: .seconds(2)).isEmpty, "a second press is ignored")
        let reports = self.reports(self.runBlankCheck(&machine, pixels: pixels, at: .seconds(2)))
        #expect(reports == (pixels > 0 ? [] : [.diagnostic(.blank(BlankCreative()))]) + [.closeRequested(by: .user)])
        #expect(machine.handle(.alarm(.finalBlankCheck), at: .seconds(3)).isEmpty)
    }

    @Test("a close waits for the final blank check until its time limit or the stage's own press")
    func lateCheck() {
        for input in [StageInput.alarm(.finalBlankCheck), .pressed(.close)] {
            var machine = self.shown()
            _ = machine.handle(self.closePress, at: .seconds(2))
            #expect(self.reports(machine.handle(input, at: .seconds(3))) == [.closeRequested(by: .user)])
        }
    }

    @Test("the outcome of a press is reported when the app closes the ad")
    func tapBeforeClose() {
        var machine = self.shown()
        let press: AdJSON = ["k": "gesture", "type": "pointerdown", "pointer": "mouse"]
        _ = machine.handle(self.message(press, .gesture, in: self.root), at: .zero)
        for input in [StageInput.prepareToClose, .close] {
            var copy = machine
            let reports = self.reports(copy.handle(input, at: .milliseconds(10)))
            #expect(reports.count == 1)
            guard case .tap? = reports.first else {
                Issue.record("\(reports)")
                continue
            }
        }
    }

    @Test("the creative's list of failed images is validated and limited")
    func failedImages() {
        #expect(FailedImage.list([[1, 2, 300, 250, 0, 1], [1, 2], "x", [1, 2, 3, 4, 5, .double(1e300)]]).count == 1)
        #expect(FailedImage.list(.array(Array(repeating: [1, 2, 3, 4, 0, 1], count: 1_000))).count == 100)
        #expect(FailedImage.list(nil).isEmpty)
    }

    @Test("after the end all requests fail")
    func over() {
        var machine = self.shown()
        _ = machine.handle(.close, at: .zero)
        let id = EngineRequestID(number: "1", target: self.root)
        let request = EngineRequest(id, url: "https://a.example/", kind: .other)
        let outputs = machine.handle(self.event(.requestHeld(request), in: self.root), at: .zero)
        #expect(self.commands(outputs) == [.fail(id, .aborted)])
    }
}
