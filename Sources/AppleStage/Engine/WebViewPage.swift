#if canImport(UIKit) && canImport(WebKit)
    import AdCore
    import SystemSupport
    import UIKit
    import WebKit
    import WebStage

    /// A page in a WKWebView; the engine's thread is the main thread.
    final class WebViewPage: EnginePage {
        private struct State {
            var handler: (@Sendable (EngineEvent) -> Void)?
            var onEnd: [Int: @Sendable () -> Void] = [:]
            var lastNumber = 0
            var hasEnded = false
        }

        let target: EngineTarget
        /// The view with its delegates.
        @MainActor let shell: WebViewShell
        private let state = Locked(State())

        @MainActor
        init(_ number: Int, screen: Size, rules: ContentRules, list: WKContentRuleList, in room: UIView?) {
            let token = [UInt64.random(in: .min ... .max), .random(in: .min ... .max)].map { String($0, radix: 36) }
            let translator = PageTranslator(page: number, token: token.joined(), rules: rules)
            self.target = translator.target
            self.shell = WebViewShell(translator, screen: screen, list: list)
            room?.addSubview(self.shell.view)
            self.shell.report = { [weak self] event in self?.state.withLock(\.handler)?(event) }
            self.shell.start()
        }

        var frame: String { PageFrames.main }
        var hasEnded: Bool { self.state.withLock(\.hasEnded) }
        var lastError: String? { nil }

        func setHandler(_ handler: (@Sendable (EngineEvent) -> Void)?) {
            self.state.withLock { $0.handler = handler }
        }

        // MARK: Commands

        func send(_ command: EngineCommand) {
            WebViewPage.onMain { self.shell.execute(command) { _ in } }
        }

        func query(
            _ command: EngineCommand,
            within limit: Duration,
            reply: @escaping @Sendable (Result<EngineReply, EngineError>) -> Void
        ) {
            let pending = PendingReply(reply)
            // An engine that has ended answers nothing.
            guard let number = self.addEndHandler({ pending.set(.failure(.gone)) }) else {
                return pending.set(.failure(.gone))
            }
            WebViewPage.onMain {
                self.shell.execute(command) { result in
                    self.removeEndHandler(number)
                    pending.set(result)
                }
            }
            self.schedule(after: limit) {
                self.removeEndHandler(number)
                pending.set(.failure(.late(String("\(command)".prefix { $0 != "(" }))))
            }
        }

        /// Calls a closure on the main thread, in the order of the calls.
        private static func onMain(_ body: @escaping @MainActor @Sendable () -> Void) {
            DispatchQueue.main.async { MainActor.assumeIsolated(body) }
        }

        // MARK: The engine

        func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
            Task { @MainActor in
                try? await Task.sleep(for: delay)
                if !self.hasEnded { body() }
            }
        }

        func addEndHandler(_ body: @escaping @Sendable () -> Void) -> Int? {
            self.state.withLock { state in
                guard !state.hasEnded else { return nil }
                state.lastNumber += 1
                state.onEnd[state.lastNumber] = body
                return state.lastNumber
            }
        }

        func removeEndHandler(_ number: Int) { self.state.withLock { $0.onEnd[number] = nil } }

        func resizeWindow(to screen: Size) {}

        /// Always by a finger: WKWebView does not tell which elements have listeners.
        func listensToTouches(x: Double, y: Double, in target: EngineTarget, within limit: Duration) async -> Bool {
            true
        }

        func dispose() async {
            self.setHandler(nil)
            await self.shell.close()
        }

        /// The engine has ended, and the page with it.
        func end() async {
            let waiting = self.state.withLock { state in
                state.hasEnded = true
                defer { state.onEnd = [:] }
                return state.onEnd.sorted { $0.key < $1.key }.map(\.value)
            }
            await self.shell.close()
            for each in waiting { each() }
        }
    }

    /// A reply that is given once: the first of the result, the end of its time, and the end of the engine.
    private struct PendingReply: Sendable {
        private let reply: Locked<(@Sendable (Result<EngineReply, EngineError>) -> Void)?>

        init(_ reply: @escaping @Sendable (Result<EngineReply, EngineError>) -> Void) { self.reply = Locked(reply) }

        func set(_ result: Result<EngineReply, EngineError>) {
            let reply = self.reply.withLock { reply in
                defer { reply = nil }
                return reply
            }
            reply?(result)
        }
    }
#endif
