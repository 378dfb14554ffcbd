import PlayStages
import SystemSupport

/// The user of an ad in the lab: its actions come from the page.
final class LabWatcher: AdWatcher {
    private let handler = Locked<InputHandler?>(nil)

    func start(_ onInput: @escaping InputHandler) -> Bool {
        self.handler.withLock { $0 = onInput }
        return true
    }

    func end() { self.handler.withLock { $0 = nil } }

    /// Performs an action; false if the ad is not on screen.
    func perform(_ action: UserScript.Action) -> Bool {
        guard let handler = self.handler.withLock({ $0 }) else { return false }
        handler(.action(action))
        return true
    }
}
