#if canImport(UIKit) && canImport(WebKit)
    import AdCore
    import UIKit
    import WebKit
    import WebStage

    /// A WKWebView with its delegates: executes calls, and passes on what WKWebView asks and reports.
    @MainActor
    final class WebViewShell: NSObject {
        let view: WKWebView
        /// Whether the app decides on the view's size, and not the stage.
        private var isPlaced = false
        var report: ((EngineEvent) -> Void)?
        var translator: PageTranslator
        /// The navigations that wait for a decision.
        var decisions: [Int: @MainActor @Sendable (WKNavigationActionPolicy) -> Void] = [:]
        /// The requests of the stage's scheme that wait for an answer.
        var schemeTasks: [Int: any WKURLSchemeTask] = [:]
        /// The latest document of each frame, by which WKWebView finds the frame again.
        private var frames: [String: WKFrameInfo] = [:]
        private var lastNumber = 0
        /// The reply to `load`, which waits for the document.
        private var loading: ((WebResult) -> Void)?
        private var pendingScripts: [InjectedScript]?
        /// The texts for injected scripts, and the pings that wait for an answer.
        private var texts = TextQueue<@MainActor @Sendable (Any?, String?) -> Void>()
        private var pings: [String: (WebResult) -> Void] = [:]
        private let messages = MessageReceiver()
        private let schemes = SchemeReceiver()
        static let world = WKContentWorld.world(name: "yabbi")
        /// How long a new frame waits for the stage.
        private static let resumeLimit = Duration.seconds(2)

        init(_ translator: PageTranslator, screen: Size, list: WKContentRuleList) {
            let configuration = WKWebViewConfiguration()
            // Cookies, storage and caches of its own, in memory; and so a process of its own.
            configuration.websiteDataStore = .nonPersistent()
            configuration.preferences.javaScriptCanOpenWindowsAutomatically = false
            // It asks a service of the system about the addresses of pages.
            configuration.preferences.isFraudulentWebsiteWarningEnabled = false
            configuration.allowsInlineMediaPlayback = true
            configuration.allowsAirPlayForMediaPlayback = false
            configuration.allowsPictureInPictureMediaPlayback = false
            configuration.mediaTypesRequiringUserActionForPlayback = .audio
            configuration.userContentController.add(list)
            configuration.setURLSchemeHandler(self.schemes, forURLScheme: StageScheme.name)
            let content = configuration.userContentController
            for world in [WebViewShell.world, .page] {
                content.add(self.messages, contentWorld: world, name: PageScripts.handler)
                content.addScriptMessageHandler(self.messages, contentWorld: world, name: PageScripts.waitingHandler)
            }
            let frame = CGRect(x: 0, y: 0, width: screen.width, height: screen.height)
            self.view = WKWebView(frame: frame, configuration: configuration)
            self.translator = translator
            super.init()
        }

        /// Connects the delegates.
        func start() {
            self.view.navigationDelegate = self
            self.view.uiDelegate = self
            self.view.allowsLinkPreview = false
            self.view.allowsBackForwardNavigationGestures = false
            self.view.isOpaque = false
            self.view.backgroundColor = .clear
            self.view.scrollView.contentInsetAdjustmentBehavior = .never
            self.view.scrollView.bounces = false
            self.messages.shell = self
            self.schemes.shell = self
        }

        /// The view leaves the place in which it was loaded; from now on the app decides on its size.
        func place() { self.isPlaced = true }

        func number() -> Int {
            self.lastNumber += 1
            return self.lastNumber
        }

        // MARK: Commands

        /// Executes a command of the stage; `reply` is called once.
        func execute(_ command: EngineCommand, reply: @escaping (Result<EngineReply, EngineError>) -> Void) {
            var step = self.translator.execute(command)
            let last = step.reply == nil ? step.calls.popLast() : nil
            self.follow(step)
            guard let last else { return reply(step.reply ?? .success(.done)) }
            self.execute(last) { [weak self] result in
                guard let self else { return reply(.failure(.gone)) }
                reply(self.translator.reply(result, to: command))
            }
        }

        /// Reports what has happened, then executes what follows.
        func follow(_ step: PageTranslator.Step) {
            for event in step.events { self.deliver(event) }
            for call in step.calls { self.execute(call) { _ in } }
        }

        private func deliver(_ event: EngineEvent) {
            switch event.kind {
            case .committed(let document) where document.frame == PageFrames.main: self.finishLoading(.done)
            case .detached(let target): self.frames = self.frames.filter { !target.name.hasSuffix("/\($0.key)") }
            case .attached(let new):
                Task { [weak self] in
                    try? await Task.sleep(for: WebViewShell.resumeLimit)
                    guard let self else { return }
                    self.follow(self.translator.giveUp(new.target))
                }
            default: break
            }
            self.report?(event)
        }

        /// Replies to `load`.
        func finishLoading(_ result: WebResult) {
            let reply = self.loading
            self.loading = nil
            reply?(result)
        }

        /// Handles a message of an injected script.
        func handle(_ report: ScriptReport, from frame: WKFrameInfo) {
            if let number = report.pong, self.translator.isGenuine(report) {
                self.pings.removeValue(forKey: number)?(.text("{}"))
                return
            }
            let events = self.translator.handle(report, at: .now)
            if let known = self.translator.frames.frame(at: report.place), report.isHost {
                self.frames[known.id] = frame
            }
            for event in events { self.deliver(event) }
        }

        /// An injected script waits for a text.
        func handle(
            waiting report: ScriptReport,
            from frame: WKFrameInfo,
            reply: @escaping @MainActor @Sendable (Any?, String?) -> Void
        ) {
            guard self.translator.isGenuine(report) else { return reply(nil, "closed") }
            self.handle(report, from: frame)
            guard self.translator.frames.frame(at: report.place) != nil else { return reply(nil, "closed") }
            self.texts.keep { self.translator.frames.frame(at: $0) != nil }
            let text = self.texts.wait(reply, for: .init(place: report.place, isHost: report.isHost))
            if let text { reply(text, nil) }
        }

        private func ask(_ frame: String, isHost: Bool, _ text: String, done: @escaping (WebResult) -> Void) {
            guard let place = self.translator.frames[frame]?.place else {
                return done(.failed("the frame does not exist"))
            }
            if isHost { self.pings[text] = done } else { done(.done) }
            self.texts.add(text, for: .init(place: place, isHost: isHost))?(text, nil)
        }

        // MARK: Calls

        private func execute(_ call: WebCall, done: @escaping (WebResult) -> Void) {
            if case .setScripts(let scripts) = call {
                self.pendingScripts = scripts
                return done(.done)
            }
            self.installScripts()
            switch call {
            case .setScripts: break
            case .load(let url):
                guard let url = URL(string: url) else { return done(.failed("its URL is not valid")) }
                self.finishLoading(.failed("another page was loaded"))
                self.loading = done
                self.view.load(URLRequest(url: url))
                return
            case .run(let script): return self.run(script, done: done)
            case .ask(let frame, let isHost, let text): return self.ask(frame, isHost: isHost, text, done: done)
            case .resize(let size):
                guard !self.isPlaced else { break }
                self.view.frame = CGRect(x: 0, y: 0, width: size.width, height: size.height)
            case .setUserAgent(let name): self.view.customUserAgent = name
            case .capture(let capture): return self.capture(capture, done: done)
            case .decide(let number, let isAllowed):
                self.decisions.removeValue(forKey: number)?(isAllowed ? .allow : .cancel)
            case .answer(let number, let response): self.answer(number, response)
            case .fail(let number):
                self.schemeTasks.removeValue(forKey: number)?.didFailWithError(URLError(.cancelled))
            case .end: self.close()
            }
            done(.done)
        }

        /// Installs the scripts for new documents, before anything that can make one.
        private func installScripts() {
            guard let scripts = self.pendingScripts else { return }
            self.pendingScripts = nil
            let content = self.view.configuration.userContentController
            content.removeAllUserScripts()
            for script in scripts {
                content.addUserScript(
                    WKUserScript(
                        source: script.source,
                        injectionTime: .atDocumentStart,
                        forMainFrameOnly: script.isForMainFrame,
                        in: script.isHost ? WebViewShell.world : .page
                    )
                )
            }
        }

        private func run(_ script: WebScript, done: @escaping (WebResult) -> Void) {
            let frame = self.frames[script.frame]
            guard frame != nil || script.frame == PageFrames.main else {
                return done(.failed("the frame does not exist"))
            }
            let parameters: [String: Any] = script.argument.map { ["argument": $0] } ?? [:]
            self.view.callAsyncJavaScript(
                script.body,
                arguments: parameters,
                in: script.frame == PageFrames.main ? nil : frame,
                in: script.isHost ? WebViewShell.world : .page
            ) { result in
                switch result {
                case .success(let value): done(.text(value as? String ?? "{}"))
                case .failure(let error): done(.failed((error as NSError).localizedDescription))
                }
            }
        }

        private func capture(_ capture: EngineCapture, done: @escaping (WebResult) -> Void) {
            let configuration = WKSnapshotConfiguration()
            if let size = capture.clip {
                let corner = CGPoint(x: capture.origin.x, y: capture.origin.y)
                configuration.rect = CGRect(origin: corner, size: CGSize(width: size.width, height: size.height))
            }
            self.view.takeSnapshot(with: configuration) { image, error in
                guard let data = image?.pngData() else {
                    let reason = error.map { ($0 as NSError).localizedDescription } ?? "there is no picture"
                    return done(.failed(reason))
                }
                done(.picture(data.base64EncodedString()))
            }
        }

        private func answer(_ number: Int, _ response: EngineResponse) {
            guard let task = self.schemeTasks.removeValue(forKey: number) else { return }
            let fields = Dictionary(response.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
            guard let url = task.request.url,
                let head = HTTPURLResponse(
                    url: url,
                    statusCode: response.status,
                    httpVersion: "HTTP/1.1",
                    headerFields: fields
                )
            else { return task.didFailWithError(URLError(.cancelled)) }
            task.didReceive(head)
            task.didReceive(Data(response.body ?? []))
            task.didFinish()
        }

        /// Removes the view, and with it the page's process; everything that waits is refused, as WKWebView demands.
        func close() {
            for decide in self.decisions.values { decide(.cancel) }
            self.decisions = [:]
            self.schemeTasks = [:]
            self.pings = [:]
            self.texts.keep { _ in false }
            self.finishLoading(.failed("the page was closed"))
            self.view.stopLoading()
            self.view.navigationDelegate = nil
            self.view.uiDelegate = nil
            let content = self.view.configuration.userContentController
            content.removeAllUserScripts()
            content.removeAllScriptMessageHandlers()
            self.view.removeFromSuperview()
        }
    }
#endif
