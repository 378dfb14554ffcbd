import AdCore
import SystemLock

/// Makes pages, one of them ahead: its process, and our page in it, take half of the time in which a creative is shown.
final class BrowserPlaces: Sendable {
    private struct Spare {
        let browser: Browser
        /// What our page in it is for; nil where there is none yet, and it suits everything.
        let kind: WrapperKind?
        let making: Task<BrowserPlace?, Never>
    }

    private struct State {
        var last: UInt64 = 0
        var spare: Spare?
        /// What the last two were for; nil for what is a page itself.
        var kinds: [WrapperKind?] = []
    }

    /// How long each step of one that is made ahead may take: an ad may wait for it already.
    private static let patience = Duration.seconds(2)

    private let screen: Size
    private let hasWindows: Bool
    /// Names must not come again in another process: what a browser keeps of one of them is not the other's.
    private let seed = UInt64.random(in: .min ... .max)
    private let state = Locked(State())

    /// Pages for this screen, each in a window of its own where people are to see it.
    init(_ screen: Size, hasWindows: Bool) {
        self.screen = screen
        self.hasWindows = hasWindows
    }

    /// A page for something of this kind, the one that was made ahead where there is one; nil for what is a page itself.
    func take(for kind: WrapperKind?, in browser: Browser) async throws(DevToolsFault) -> BrowserPlace {
        let spare = self.state.withLock { state in
            state.kinds = state.kinds.suffix(1) + [kind]
            defer { state.spare = nil }
            return state.spare
        }
        // What was made in a browser that is gone is gone with it.
        if let spare, spare.browser === browser {
            guard spare.kind == nil || spare.kind == kind else {
                // It is thrown away as soon as it is there, and nobody waits for that.
                Task { await spare.making.value?.dispose(in: browser) }
                return try await self.make(in: browser)
            }
            if let place = await spare.making.value {
                if await place.isAlive(in: browser) {
                    // While this one's creative is on its way the processors have time for the next.
                    self.prepare(in: browser)
                    return place
                }
                place.dispose(in: browser)
            }
        }
        return try await self.make(in: browser)
    }

    private func make(in browser: Browser) async throws(DevToolsFault) -> BrowserPlace {
        try await BrowserPlace.make(self.name(), in: browser, screen: self.screen, hasWindow: self.hasWindows)
    }

    /// Makes a page ahead, where there is none: for what was shown last, unless that differs from what was before it; then
    /// for anything.
    func prepare(in browser: Browser) {
        // A window would be seen.
        guard !self.hasWindows else { return }
        let name = self.name()
        let screen = self.screen
        self.state.withLock { state in
            guard state.spare?.browser !== browser else { return }
            let kind = Set(state.kinds).count == 1 ? state.kinds.first ?? nil : nil
            let making = Task { () -> BrowserPlace? in
                let patience = BrowserPlaces.patience
                guard
                    var place = try? await BrowserPlace.make(name, in: browser, screen: screen, within: patience)
                else { return nil }
                guard let kind else { return place }
                do throws(DevToolsFault) {
                    try await place.open(kind, on: screen, in: browser, within: patience)
                    return place
                } catch {
                    place.dispose(in: browser)
                    return nil
                }
            }
            state.spare = Spare(browser: browser, kind: kind, making: making)
        }
    }

    /// The browser is to go.
    func forget() { self.state.withLock { $0.spare = nil } }

    /// A name that none had before.
    private func name() -> String {
        let number = self.state.withLock { state in
            state.last += 1
            return state.last
        }
        return "ad-" + String(self.seed, radix: 36) + "-\(number)"
    }
}
