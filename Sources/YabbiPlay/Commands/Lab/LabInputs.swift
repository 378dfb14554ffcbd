import AdCore
import PlayLab
import SystemSupport
import WebStage

/// The inputs of a page to a stage, in order and one at a time; moves that wait are replaced by later ones.
final class LabInputs: Sendable {
    private struct State {
        var waiting: [LabInput] = []
        var stage: BrowserStage?
        var hasTouch = false
        var isRunning = false
        /// How the current gesture is sent; nil if nothing is pressed.
        var isTouch: Bool?
    }

    private static let maxWaiting = 500
    private let state = Locked(State())

    func open(_ stage: BrowserStage, hasTouch: Bool) {
        self.state.withLock { state in
            state.stage = stage
            state.hasTouch = hasTouch
        }
    }

    func close() {
        self.state.withLock { state in
            state.stage = nil
            state.waiting = []
            state.isTouch = nil
        }
    }

    func append(_ input: LabInput) {
        let starts = self.state.withLock { state in
            guard state.stage != nil else { return false }
            if case .point(.move, _, _) = input, case .point(.move, _, _)? = state.waiting.last {
                state.waiting.removeLast()
            }
            guard state.waiting.count < LabInputs.maxWaiting else { return false }
            state.waiting.append(input)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { Task { await self.run() } }
    }

    private func run() async {
        while true {
            let next = self.state.withLock { state -> (LabInput, BrowserStage, Bool)? in
                guard let stage = state.stage, !state.waiting.isEmpty else {
                    state.isRunning = false
                    return nil
                }
                return (state.waiting.removeFirst(), stage, state.hasTouch)
            }
            guard let (input, stage, hasTouch) = next else { return }
            await self.send(input, to: stage, hasTouch: hasTouch)
        }
    }

    private func send(_ input: LabInput, to stage: BrowserStage, hasTouch: Bool) async {
        switch input {
        case .tap(let x, let y):
            let place = ScreenPoint(x: x, y: y)
            let isTouch = hasTouch ? await stage.wantsTouch(at: place) : false
            stage.point(.press, at: place, isTouch: isTouch, isPressed: true)
            stage.point(.release, at: place, isTouch: isTouch, isPressed: true)
        case .point(.press, let x, let y):
            let place = ScreenPoint(x: x, y: y)
            let isTouch = hasTouch ? await stage.wantsTouch(at: place) : false
            self.state.withLock { $0.isTouch = isTouch }
            stage.point(.press, at: place, isTouch: isTouch, isPressed: true)
        case .point(let step, let x, let y):
            let isTouch = self.state.withLock { state in
                defer { if step == .release { state.isTouch = nil } }
                return state.isTouch
            }
            // A release without a press has no effect, nor has the move of a finger that does not touch the screen.
            guard isTouch != nil || step == .move && !hasTouch else { return }
            stage.point(step, at: ScreenPoint(x: x, y: y), isTouch: isTouch ?? false, isPressed: isTouch != nil)
        case .scroll(let x, let y, let dx, let dy): stage.turnWheel(dx: dx, dy: dy, at: ScreenPoint(x: x, y: y))
        case .key(let key): stage.type(key)
        }
    }
}
