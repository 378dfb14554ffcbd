import AdCore
import Testing
import WebStage

@testable import AppleStage

@Suite("The translator of a page")
struct PageTranslatorTests {
    private static let hostURL = "yabbi-stage://ad-1.yabbi-stage.invalid/"
    private static let adURL = "yabbi-stage://ad-1.yabbi-creative.invalid/"
    private var page = PageTranslator(page: 1, token: "secret", rules: ContentRules())

    /// A message of an injected script.
    private static func report(
        _ text: String,
        _ path: String,
        _ url: String,
        name: String = PageScripts.channel,
        isHost: Bool = true,
        token: String = "secret",
        start: String = "1"
    ) -> ScriptReport {
        ScriptReport(
            token: token,
            name: name,
            place: DocumentPlace(path: path, start: start),
            url: url,
            text: text,
            isHost: isHost,
            isMainFrame: path.isEmpty
        )
    }

    private mutating func handle(_ report: ScriptReport) -> [EngineEvent] { self.page.handle(report, at: .now) }

    private static func held(_ step: PageTranslator.Step) -> EngineRequest? {
        step.events.compactMap { if case .requestHeld(let request) = $0.kind { request } else { nil } }.last
    }

    @Test("the response of a page's server is reported, and the stage's own is not")
    func respond() {
        let event = self.page.respond(status: 503, to: "https://popup.example/")
        guard case .network(.responded(_, let response, kind: .document, frame: PageFrames.main))? = event?.kind else {
            Issue.record("no response is reported")
            return
        }
        #expect(response.status == 503 && event?.target == self.page.target)
        #expect(self.page.respond(status: 200, to: Self.hostURL) == nil)
    }

    /// Opens the host page.
    private mutating func openHostPage() throws {
        let load = self.page.execute(.load("https://ad-1.yabbi-stage.invalid/", in: self.page.target))
        #expect(load.calls.last == .load(Self.hostURL) && load.reply == nil)
        let facts = NavigationFacts(number: 1, url: Self.hostURL, target: .main, isFromMain: true)
        #expect(self.page.decide(facts).calls == [.decide(1, isAllowed: true)])
        let request = try #require(Self.held(self.page.start(SchemeRequest(number: 2, url: Self.hostURL))))
        #expect(request.url == "https://ad-1.yabbi-stage.invalid/" && request.kind == .document)
        #expect(request.frame == PageFrames.main && request.target == self.page.target)
        let answer = self.page.answer(request.id, EngineResponse(200))
        #expect(answer.calls == [.answer(2, EngineResponse(200))])
        let document = EngineDocument(
            frame: PageFrames.main,
            load: request.load,
            url: "https://ad-1.yabbi-stage.invalid/",
            isErrorPage: false
        )
        let events = self.handle(Self.report(#"{"k":"document"}"#, "", Self.hostURL))
        #expect(events.map(\.kind) == [.committed(document), .worldCreated(frame: PageFrames.main)])
    }

    /// Opens the ad in its frame; returns the frame's target.
    private mutating func openAd() throws -> EngineTarget {
        try self.openHostPage()
        let facts = NavigationFacts(number: 3, url: Self.adURL, target: .frame(url: ""), isFromMain: true)
        #expect(self.page.decide(facts).calls == [.decide(3, isAllowed: true)])
        let request = try #require(Self.held(self.page.start(SchemeRequest(number: 4, url: Self.adURL))))
        #expect(request.url == "https://ad-1.yabbi-creative.invalid/" && request.target == self.page.target)
        let response = EngineResponse(200, [], Array("ad".utf8))
        let step = self.page.answer(request.id, response)
        #expect(step.calls.isEmpty)
        guard case .attached(let new)? = step.events.first?.kind else {
            Issue.record("the frame is not attached")
            return self.page.target
        }
        #expect(new.id == request.frame)
        _ = self.page.execute(.addChannel(.creative, in: new.target))
        let resumed = self.page.execute(.resume(new.target))
        #expect(resumed.calls == [self.page.injection, .answer(4, response)])
        let events = self.handle(Self.report(#"{"k":"document"}"#, "0", Self.adURL))
        let document = EngineDocument(
            frame: new.id,
            load: request.load,
            url: "https://ad-1.yabbi-creative.invalid/",
            isErrorPage: false
        )
        #expect(events.first == EngineEvent(.committed(document), in: new.target))
        return new.target
    }

    @Test("the ad's document waits until its frame is resumed, and is injected with the frame's scripts")
    mutating func ad() throws {
        let target = try self.openAd()
        guard case .setScripts(let scripts) = self.page.injection else { return }
        let own = scripts.filter { $0.source.contains("__yabbi_creative") }
        #expect(own.contains { $0.source.contains(Self.adURL) && !$0.isHost })
        #expect(own.contains { $0.source.contains("parent !== top") })
        #expect(target != self.page.target)
    }

    @Test("a frame that is not resumed stays empty")
    mutating func givenUp() throws {
        try self.openHostPage()
        _ = self.page.decide(NavigationFacts(number: 3, url: Self.adURL, target: .frame(url: ""), isFromMain: true))
        let request = try #require(Self.held(self.page.start(SchemeRequest(number: 4, url: Self.adURL))))
        let step = self.page.answer(request.id, EngineResponse(200))
        guard case .attached(let new)? = step.events.first?.kind else { return }
        #expect(self.page.giveUp(new.target).calls == [.fail(4)])
        #expect(self.page.resume(new.target).calls.count == 1)
    }

    @Test("messages without the secret, from another world or with another place are dropped")
    mutating func forged() throws {
        let target = try self.openAd()
        let good = Self.report("{}", "0", Self.adURL, name: EngineChannel.creative.rawValue, isHost: false)
        guard case .message(let message)? = self.handle(good).last?.kind else {
            Issue.record("no message")
            return
        }
        #expect(message.sender == self.page.frames.frame(of: target).map { .page(frame: $0.id) })
        let name = EngineChannel.creative.rawValue
        #expect(self.handle(Self.report("{}", "0", Self.adURL, name: name, isHost: false, token: "x")).isEmpty)
        #expect(self.handle(Self.report("{}", "0", Self.adURL, name: name, isHost: true)).isEmpty)
        let gesture = EngineChannel.gesture.rawValue
        #expect(self.handle(Self.report("{}", "0", Self.adURL, name: gesture, isHost: false)).isEmpty)
    }

    @Test("a navigation of the ad's frame is held with its target, one of a frame inside without a frame")
    mutating func navigations() throws {
        let target = try self.openAd()
        let away = NavigationFacts(
            number: 5,
            url: "https://x.example/",
            target: .frame(url: Self.adURL),
            isFromMain: false
        )
        let request = try #require(Self.held(self.page.decide(away)))
        #expect(request.target == target && self.page.frames.frame(of: target)?.id == request.frame)
        #expect(self.page.execute(.fail(request.id, .aborted)).calls == [.decide(5, isAllowed: false)])
        let inner = NavigationFacts(number: 6, url: "https://y.example/", target: .frame(url: ""), isFromMain: false)
        let nested = try #require(Self.held(self.page.decide(inner)))
        #expect(nested.frame.isEmpty && nested.target == self.page.target)
        #expect(self.page.execute(.proceed(nested.id)).calls == [.decide(6, isAllowed: true)])
        let events = self.handle(Self.report(#"{"k":"document"}"#, "0.0", "https://y.example/"))
        guard case .attached(let new)? = events.first?.kind else {
            Issue.record("the frame is not attached")
            return
        }
        #expect(events.first?.target == target)
        let gone = self.handle(Self.report(#"{"k":"gone"}"#, "0.0", "https://y.example/"))
        #expect(gone == [EngineEvent(.detached(new.target), in: nil)])
    }

    @Test("windows, downloads and other apps are refused and reported")
    mutating func attempts() {
        func decide(_ url: String, _ target: NavigationFacts.Target, isDownload: Bool = false) -> PageTranslator.Step {
            self.page.decide(
                NavigationFacts(number: 9, url: url, target: target, isFromMain: false, isDownload: isDownload)
            )
        }
        let steps = [
            decide("https://a.example/", .window), decide("https://a.example/a.zip", .main, isDownload: true),
            decide("tel:1", .frame(url: Self.adURL)),
        ]
        #expect(steps.allSatisfy { $0.calls == [.decide(9, isAllowed: false)] })
        #expect(
            steps.flatMap(\.events).map(\.kind) == [
                .windowRequested(url: "https://a.example/", frame: nil, gesture: nil),
                .downloadRequested(url: "https://a.example/a.zip"),
                .navigationRequested(url: "tel:1", frame: nil, gesture: nil, byPage: true),
            ]
        )
        #expect(decide("data:text/html,a", .main).calls == [.decide(9, isAllowed: false)])
        #expect(decide("about:blank", .frame(url: "")).calls == [.decide(9, isAllowed: true)])
    }

    @Test("the end of the process detaches all frames, and refuses what waits")
    mutating func end() throws {
        let target = try self.openAd()
        let away = NavigationFacts(
            number: 5,
            url: "https://x.example/",
            target: .frame(url: Self.adURL),
            isFromMain: false
        )
        _ = self.page.decide(away)
        let step = self.page.execute(.terminate(target))
        #expect(step.events.map(\.kind) == [.detached(target), .crashed])
        #expect(step.calls == [.decide(5, isAllowed: false), .end])
        #expect(self.page.end() == PageTranslator.Step())
        #expect(self.page.execute(.ping(self.page.target)).reply != .success(.done))
    }

    @Test("a navigation of the whole page to the host page does not touch the one that is there")
    mutating func again() throws {
        let target = try self.openAd()
        let before = self.page.frames
        let facts = NavigationFacts(number: 5, url: Self.hostURL, target: .main, isFromMain: false)
        _ = self.page.decide(facts)
        let request = try #require(Self.held(self.page.start(SchemeRequest(number: 6, url: Self.hostURL))))
        #expect(request.frame == PageFrames.main)
        #expect(self.page.execute(.fail(request.id, .aborted)).calls == [.fail(6)] && self.page.frames == before)
        #expect(self.page.frames.frame(of: target) != nil)
    }

    @Test("a new document of the whole page removes the frames of the last one")
    mutating func replaced() throws {
        let target = try self.openAd()
        let events = self.handle(Self.report(#"{"k":"document"}"#, "", "https://x.example/", start: "2"))
        #expect(events.first == EngineEvent(.detached(target), in: nil))
        guard case .committed(let document)? = events.dropFirst().first?.kind else {
            Issue.record("no document")
            return
        }
        #expect(document.load == nil && document.url == "https://x.example/")
    }

    @Test("frames of a provider's page that load at once are told apart, and each waits until it is resumed")
    mutating func providersPage() throws {
        let url = "https://page.example/"
        let whole = NavigationFacts(number: 1, url: url, target: .main, isFromMain: true)
        let request = try #require(Self.held(self.page.decide(whole)))
        #expect(self.page.execute(.proceed(request.id)).calls == [.decide(1, isAllowed: true)])
        _ = self.handle(Self.report(#"{"k":"document"}"#, "", url))
        var frames: Set<String> = []
        for number in 2...3 {
            let inner = NavigationFacts(
                number: number,
                url: "https://page.example/\(number)",
                target: .frame(url: ""),
                isFromMain: true
            )
            let held = try #require(Self.held(self.page.decide(inner)))
            frames.insert(held.frame)
            guard case .attached(let new)? = self.page.execute(.proceed(held.id)).events.first?.kind else {
                Issue.record("the frame is not attached")
                return
            }
            #expect(self.page.execute(.resume(new.target)).calls.last == .decide(number, isAllowed: true))
        }
        #expect(frames.count == 2)
    }

    @Test("a ping and a call of a stage's function give the ad's frame no activation")
    mutating func asks() throws {
        let target = try self.openAd()
        let frame = try #require(self.page.frames.frame(of: target)?.id)
        let ping = self.page.execute(.ping(target))
        guard case .ask(frame, isHost: true, let number)? = ping.calls.last else {
            Issue.record("no ping")
            return
        }
        #expect(ping.reply == nil)
        let pong = Self.report(PageScripts.pong + number, "0", Self.adURL)
        #expect(pong.pong == number && self.handle(pong).isEmpty)
        let function = "function (update) { __yabbi_mraid_update(update); }"
        let call = self.page.execute(.call(function: function, argument: "{}", .page(frame: frame), in: target))
        #expect(call.calls == [.ask(frame: frame, isHost: false, #"{"name":"__yabbi_mraid_update","argument":"{}"}"#)])
        let other = "function (text) { window.postMessage(text, \"*\"); }"
        #expect(WebScript.forwarded(other) == nil)
        guard case .run? = self.page.execute(.ping(self.page.target)).calls.last else {
            Issue.record("the host page is not asked")
            return
        }
    }

    @Test("texts wait for their script, and scripts for their texts")
    func texts() {
        var queue = TextQueue<Int>()
        let key = TextQueue<Int>.Key(place: DocumentPlace(path: "0", start: "1"), isHost: true)
        #expect(queue.add("a", for: key) == nil && queue.add("b", for: key) == nil)
        #expect(queue.wait(1, for: key) == "a" && queue.wait(2, for: key) == "b" && queue.wait(3, for: key) == nil)
        #expect(queue.add("c", for: key) == 3 && queue.add("d", for: key) == nil)
        queue.keep { _ in false }
        #expect(queue.wait(4, for: key) == nil)
    }

    @Test("a redirect by the stage sends the host page's frame to the new address, with the same load")
    mutating func redirect() throws {
        _ = try self.openAd()
        let second = Self.adURL + "second-1"
        _ = self.page.decide(NavigationFacts(number: 5, url: second, target: .frame(url: ""), isFromMain: true))
        let request = try #require(Self.held(self.page.start(SchemeRequest(number: 6, url: second))))
        let location = [EngineHeader("Location", "https://ads.example/expanded")]
        let step = self.page.answer(request.id, EngineResponse(302, location))
        guard case .fail(6)? = step.calls.first, case .run(let script)? = step.calls.last else {
            Issue.record("no redirect")
            return
        }
        #expect(script.body.contains("https://ads.example/expanded") && script.body.contains(second))
        let facts = NavigationFacts(
            number: 7,
            url: "https://ads.example/expanded",
            target: .frame(url: ""),
            isFromMain: true
        )
        let again = try #require(Self.held(self.page.decide(facts)))
        #expect(again.frame == request.frame && again.load == request.load)
        let proceeding = self.page.execute(.proceed(again.id))
        guard case .attached(let new)? = proceeding.events.first?.kind else {
            Issue.record("the frame is not attached")
            return
        }
        #expect(self.page.execute(.resume(new.target)).calls.last == .decide(7, isAllowed: true))
    }

    @Test("a resource that did not load is one that the rules refuse, or one that failed")
    mutating func resources() throws {
        _ = try self.openAd()
        let refused = self.handle(Self.report(#"{"k":"failed","url":"http://a.example/b.png"}"#, "0", Self.adURL))
        let refusal = EngineRefusal(url: "http://a.example/b.png", rule: .mixedContent)
        #expect(refused.map(\.kind) == [.requestRefused(refusal)])
        let failed = self.handle(Self.report(#"{"k":"failed","url":"https://a.example/b.png"}"#, "0", Self.adURL))
        #expect(failed.count == 2)
    }

    @Test("scripts are evaluated as expressions and their promises awaited, statements are run")
    func scripts() {
        let value = WebScript(evaluating: "// why\n(async () => 1)();\n", in: "main", isHost: true)
        #expect(value.body.contains("value = await (\n// why\n(async () => 1)()\n);"))
        let loop = WebScript(evaluating: "for (const a of b) c(a);", in: "main", isHost: false)
        #expect(!loop.body.contains("await"))
        #expect(WebScript.reply(#"{"value":[1]}"#) == .value([1]))
        #expect(WebScript.reply(#"{"exception":"Error: a"}"#) == .exception("Error: a"))
        #expect(WebScript.reply("{}") == .value(.null))
    }
}
