import AdCore
import Testing

@testable import WebKitStage
@testable import WebStage

@Suite("The page of WebKit in terms of the stage")
struct PageTranslatorTests {
    private func message(_ fields: String...) -> WireMessage { WireMessage(fields.map { Array($0.utf8) }) }

    /// A page whose main frame, 10, has a document.
    private func page() -> PageTranslator {
        var page = PageTranslator(page: 1)
        _ = page.handle(self.message("document", "1", "10", "1", "about:blank", "main"))
        return page
    }

    private func events(_ actions: [PageTranslator.Action]) -> [EngineEvent] {
        actions.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }

    @Test("a new frame waits until the stage has added its scripts, and gets them in order")
    func frame() throws {
        var page = self.page()
        let actions = page.handle(self.message("document", "1", "20", "2", "https://a.example/", "child"))
        let target = EngineTarget(name: "page-1/20")
        #expect(actions.last == .expectResume(target))
        let attached = EngineEvent.Kind.attached(AttachedTarget(.frame, target, id: "20", url: ""))
        #expect(self.events(actions).first == EngineEvent(attached, in: page.target))
        _ = page.commands(for: .addChannel(.gesture, in: target))
        _ = page.commands(for: .addScript(EngineScript("guard()", isHost: true), in: target))
        let command = try #require(page.commands(for: .resume(target)).first)
        let texts = command.fields.map { String(decoding: $0, as: UTF8.self) }
        #expect(texts.starts(with: ["document", "2"]))
        #expect(texts.suffix(6) == ["channel", "host", "__yabbi_gesture", "script", "host", "guard()"])
        #expect(page.giveUp(target).isEmpty, "it does not wait any more")
        let next = page.handle(self.message("document", "1", "20", "3", "https://a.example/b", "child"))
        #expect(!next.contains(.expectResume(target)), "its next document does not wait for the stage")
    }

    @Test("a frame that the stage does not resume is emptied, so that the page goes on")
    func refused() throws {
        var page = self.page()
        _ = page.handle(self.message("document", "1", "20", "2", "https://a.example/", "child"))
        let command = try #require(page.giveUp(EngineTarget(name: "page-1/20")).first)
        #expect(command.fields.map { String(decoding: $0, as: UTF8.self) }.last?.hasPrefix("stop()") == true)
    }

    @Test("a frame that the stage refuses is emptied, as are its later documents, so that the page goes on")
    func never() throws {
        var page = self.page()
        _ = page.handle(self.message("document", "1", "20", "2", "https://a.example/", "child"))
        let target = EngineTarget(name: "page-1/20")
        let command = try #require(page.commands(for: .refuse(target)).first)
        #expect(command.fields.map { String(decoding: $0, as: UTF8.self) }.last?.hasPrefix("stop()") == true)
        let next = page.handle(self.message("document", "1", "20", "3", "https://a.example/b", "child"))
        #expect(next.count == 1 && self.events(next).isEmpty)
    }

    @Test("a document has the load of its request, also if its frame is new; one without a request has none")
    func loads() {
        var page = self.page()
        _ = page.handle(
            self.message("request", "1", "7", "GET", "https://a.example/", "", "", "Sec-Fetch-Dest", "iframe")
        )
        func loads(_ actions: [PageTranslator.Action]) -> [String?] {
            self.events(actions).compactMap { event -> String?? in
                if case .committed(let document) = event.kind { .some(document.load) } else { nil }
            }
        }
        #expect(loads(page.handle(self.message("document", "1", "20", "2", "https://a.example/#x", "child"))) == ["7"])
        #expect(loads(page.handle(self.message("document", "1", "20", "3", "about:blank", "child"))) == [nil])
    }

    @Test("a message counts for its world only while its document is the frame's current one")
    func senders() {
        var page = self.page()
        func sender(_ document: String, _ world: String, _ channel: String) -> [EngineWorld?] {
            self.events(page.handle(self.message("message", "1", "10", document, world, channel, "{}"))).compactMap {
                if case .message(let message) = $0.kind { message.sender } else { nil }
            }
        }
        #expect(sender("1", "host", "__yabbi_gesture") == [.host(frame: "main")])
        #expect(sender("0", "host", "__yabbi_gesture") == [nil])
        #expect(sender("1", "page", "__yabbi_gesture").isEmpty, "a page can't send a gesture")
        #expect(sender("1", "page", "__yabbi_page").isEmpty, "nor what page.js sends")
    }

    /// The request of a page, as the stage gets it; nil if it gets none.
    private func held(_ actions: [PageTranslator.Action]) -> EngineRequest? {
        self.events(actions).compactMap { if case .requestHeld(let request) = $0.kind { request } else { nil } }.first
    }

    private func request(
        _ number: String,
        _ url: String,
        frame: String = "",
        kind: String = "iframe",
        in page: inout PageTranslator
    ) -> [PageTranslator.Action] {
        page.handle(self.message("request", "1", number, "GET", url, frame, "", "Sec-Fetch-Dest", kind))
    }

    @Test("the main frame has the same name in the process after a crash")
    func crash() throws {
        var page = self.page()
        let crashed = page.handle(self.message("crashed", "1", "crashed"))
        #expect(self.events(crashed).last == EngineEvent(.crashed, in: page.target))
        let world = EngineWorld.host(frame: "main")
        let evaluation = EngineCommand.evaluate(EngineEvaluation("1", world), in: page.target)
        #expect(page.commands(for: evaluation).isEmpty, "no process has the frame")
        let request = try #require(self.held(self.request("1", "https://a.example/", frame: "77", in: &page)))
        #expect(request.frame == "main" && request.target == page.target)
        _ = page.handle(self.message("document", "1", "77", "1", "https://a.example/", "main"))
        #expect(page.commands(for: evaluation) == [.script("evaluate", 1, ["77", "host", "1"])])
    }

    @Test("the crash of the page's process is that of the creative, and then of the page")
    func creativeCrash() {
        var page = self.page()
        _ = page.handle(self.message("document", "1", "10", "2", "https://ad-1.yabbi-stage.invalid/", "main"))
        _ = page.handle(self.message("document", "1", "20", "3", "https://a.example/", "child"))
        let crashes = self.events(page.handle(self.message("crashed", "1", "crashed"))).filter { $0.kind == .crashed }
        #expect(crashes.map(\.target) == [EngineTarget(name: "page-1/20"), page.target])
    }

    @Test("a frame that is not known yet has a name, and keeps it when its document is there")
    func unknownFrame() throws {
        var page = self.page()
        let request = try #require(self.held(self.request("4", "https://a.example/", in: &page)))
        #expect(request.frame == "new-4" && request.target == page.target)
        let actions = page.handle(self.message("document", "1", "20", "2", "https://a.example/", "child"))
        let attached = AttachedTarget(.frame, EngineTarget(name: "page-1/20"), id: "new-4", url: "")
        #expect(self.events(actions).first?.kind == .attached(attached))
        let evaluation = EngineEvaluation("1", .page(frame: "new-4"))
        #expect(
            page.commands(for: .evaluate(evaluation, in: page.target)) == [.script("evaluate", 1, ["20", "page", "1"])]
        )
    }

    @Test("a redirected document is one load")
    func redirect() throws {
        var page = self.page()
        let first = try #require(self.held(self.request("4", "https://a.example/one", in: &page)))
        _ = page.answer("4", EngineResponse(302, [EngineHeader("location", "/two")]))
        let second = try #require(self.held(self.request("5", "https://a.example/two", in: &page)))
        #expect(second.load == first.load && second.frame == first.frame && second.id.number == "5")
        let other = try #require(self.held(self.request("6", "https://a.example/two", in: &page)))
        #expect(other.load == "6", "the next load of that address is another one")
    }

    @Test("a frame of the host page is a target from its own document on", arguments: ["about:blank", ""])
    func emptyDocument(url: String) {
        var page = self.page()
        _ = page.handle(self.message("document", "1", "10", "2", "https://ad-1.yabbi-stage.invalid/", "main"))
        let empty = page.handle(self.message("document", "1", "21", "3", url, "child"))
        #expect(empty == [.send(.script("document", 1, ["3"]))])
        let own = page.handle(self.message("document", "1", "21", "4", "https://b.example/", "child"))
        #expect(own.contains(.expectResume(EngineTarget(name: "page-1/21"))))
    }

    @Test("an empty frame of a provider's page, which can reach into it, waits for its scripts")
    func emptyFrameOfAPage() {
        var page = self.page()
        _ = page.handle(self.message("document", "1", "10", "2", "https://pages.example/", "main"))
        let empty = page.handle(self.message("document", "1", "21", "3", "about:blank", "child"))
        #expect(empty.contains(.expectResume(EngineTarget(name: "page-1/21"))))
    }

    @Test("what a creative loads is of its frame, and what the host page loads is the page's")
    func subresources() throws {
        var page = self.page()
        let stage = "https://ad-1.yabbi-stage.invalid/"
        _ = page.handle(self.message("document", "1", "10", "2", stage, "main"))
        _ = page.handle(self.message("document", "1", "20", "3", "https://a.example/", "child"))
        let picture = self.request("4", "https://a.example/a.png", kind: "image", in: &page)
        #expect(try #require(self.held(picture)).target == EngineTarget(name: "page-1/20"))
        let film = self.request("5", stage + "media/1", kind: "video", in: &page)
        #expect(try #require(self.held(film)).target == page.target)
    }

    @Test(
        "of a page with TLS, requests without it are refused or redirected to it, except for those to this computer",
        arguments: [
            ("http://a.example/x.js", "script", "fail"), ("http://a.example/f", "iframe", "fail"),
            ("http://a.example/a.png", "image", "answer"), ("http://127.0.0.1:8080/x.js", "script", nil),
            ("https://a.example/x.js", "script", nil),
        ]
    )
    func mixedContent(url: String, kind: String, command: String?) {
        var page = self.page()
        _ = page.handle(self.message("document", "1", "10", "2", "https://ad-1.yabbi-stage.invalid/", "main"))
        let actions = self.request("4", url, kind: kind, in: &page)
        let sent = actions.compactMap { if case .send(let command) = $0 { command.name } else { nil } }
        #expect(sent == [command].compactMap(\.self))
        // The stage sees also a request that fails, to report one to this computer or network.
        #expect((self.held(actions) == nil) == (command == "answer"))
        #expect(
            self.kinds(actions).contains { if case .network(.failed) = $0 { true } else { false } }
                == (command == "fail")
        )
    }

    @Test("a WebSocket is refused, and reported")
    func sockets() {
        var page = self.page()
        let actions = page.handle(
            self.message("request", "1", "7", "GET", "https://a.example/s", "", "", "Upgrade", "websocket")
        )
        #expect(actions.contains(.send(WireCommand("fail", 1, ["7"]))))
        #expect(!self.events(actions).contains { if case .requestHeld = $0.kind { true } else { false } })
        #expect(self.events(actions).contains { if case .attemptBlocked = $0.kind { true } else { false } })
    }

    @Test(
        "the kind of a request is read from its headers",
        arguments: [
            (["Sec-Fetch-Dest": "iframe"], EngineRequest.Kind.document), (["Sec-Fetch-Dest": "image"], .image),
            (["Sec-Fetch-Dest": "style"], .stylesheet), (["Sec-Fetch-Dest": "empty", "Accept": "*/*"], .fetch),
            (["Sec-Fetch-Dest": "empty", "Accept": "text/event-stream"], .eventSource),
            (["Accept": "text/html,*/*"], .document), (["Accept": "image/png"], .image),
            (["Range": "bytes=0-"], .media),
            ([:], .other),
        ]
    )
    func kinds(headers: [String: String], kind: EngineRequest.Kind) {
        #expect(EngineRequest.Kind(headers.map { EngineHeader($0.key, $0.value) }, method: "GET") == kind)
    }

    @Test("a simulated network delays a response by its latency and its size")
    func network() {
        let network = EngineNetwork(latency: .milliseconds(100), download: 1_000)
        #expect(network.delay(of: EngineResponse(200, [], [UInt8](repeating: 0, count: 500))) == .milliseconds(600))
        #expect(EngineNetwork().delay(of: EngineResponse(204)) == .zero)
    }

    private func kinds(_ actions: [PageTranslator.Action]) -> [EngineEvent.Kind] { self.events(actions).map(\.kind) }

    @Test("an uncaught error has its text from WebKit's log, and its frame and place from the event before it")
    func exception() {
        var page = self.page()
        _ = page.handle(self.message("document", "1", "20", "2", "https://a.example/", "child"))
        let told = #"{"k":"error","url":"https://a.example/x.js","line":3,"column":7}"#
        #expect(page.handle(self.message("message", "1", "20", "2", "host", "__yabbi_page", told)).isEmpty)
        let log = self.message("log", "1", "TypeError: x is not a function", "https://a.example/x.js", "3", "1")
        let error = ScriptError(
            "Uncaught TypeError: x is not a function",
            url: "https://a.example/x.js",
            line: 3,
            column: 7
        )
        #expect(
            self.events(page.handle(log)) == [EngineEvent(.scriptError(error), in: EngineTarget(name: "page-1/20"))]
        )
        // A sandboxed frame's script is told of no place.
        let hidden = #"{"k":"error","url":"","line":0,"column":0}"#
        _ = page.handle(self.message("message", "1", "20", "2", "host", "__yabbi_page", hidden))
        let placeless = ScriptError("Uncaught TypeError: x is not a function", url: "https://a.example/x.js", line: 3)
        #expect(self.kinds(page.handle(log)) == [.scriptError(placeless)])
    }

    @Test(
        "an entry of the log that is no uncaught error is none",
        arguments: [
            ("Unhandled Promise Rejection: Error: no", "", "1"),
            ("Fetch API cannot load https://b.example/ due to access control checks.", "https://a.example/", "1"),
            ("TypeError: of a network", "https://a.example/", "0"), ("TypeError: of a script", "yabbi:script", "1"),
        ]
    )
    func otherEntries(text: String, url: String, isScript: String) {
        var page = self.page()
        #expect(page.handle(self.message("log", "1", text, url, "1", isScript)).isEmpty)
    }

    @Test("what WebKit's log says it has blocked is an attempt, or a window")
    func blocked() {
        var page = self.page()
        let navigation = "Unsafe JavaScript attempt to initiate navigation for frame with URL 'https://a.example/'"
        #expect(
            self.kinds(page.handle(self.message("log", "1", navigation, "https://a.example/", "1", "1")))
                == [.attemptBlocked(BlockedAttempt(.navigation, navigation))]
        )
        _ = page.handle(self.message("navigation", "1", "https://b.example/", "1"))
        #expect(page.handle(self.message("log", "1", navigation, "", "1", "1")).isEmpty, "the stage has decided on it")
        let window =
            "Blocked opening 'https://b.example/' in a new window because the request was made in a sandboxed frame"
        #expect(
            self.kinds(page.handle(self.message("log", "1", window, "", "0", "0")))
                == [.windowRequested(url: "https://b.example/", frame: nil, gesture: nil)]
        )
    }

    @Test("a request to a port that WebKit refuses is decided by the stage, and fails")
    func port() {
        var page = self.page()
        let text = "Not allowed to use restricted network port 9: http://[::1]:9/d"
        let actions = page.handle(self.message("log", "1", text, "https://a.example/", "1", "0"))
        #expect(self.held(actions)?.url == "http://[::1]:9/d")
        #expect(self.kinds(actions).contains { if case .network(.failed) = $0 { true } else { false } })
    }

    @Test("a document whose address has a bare percent sign is that of its request")
    func bare() {
        var page = self.page()
        _ = page.handle(
            self.message("request", "1", "7", "GET", "https://a.example/%%X%%", "", "", "Sec-Fetch-Dest", "iframe")
        )
        let actions = page.handle(self.message("document", "1", "20", "2", "https://a.example/%25%25X%25%25", "child"))
        #expect(
            self.kinds(actions).contains {
                if case .committed(let document) = $0 { document.load == "7" } else { false }
            }
        )
    }

    @Test("the body of a request is bytes; one of more than 4 MB is reported and fails")
    func bodies() {
        var page = self.page()
        func request(_ number: String, _ body: [UInt8]) -> WireMessage {
            let texts = ["request", "1", number, "POST", "https://a.example/", ""].map { Array($0.utf8) }
            return WireMessage(texts + [body])
        }
        #expect(self.held(page.handle(request("7", [0, 255, 128])))?.body == [0, 255, 128])
        let actions = page.handle(request("8", Array(repeating: 1, count: 4 << 20 + 1)))
        let attempt = BlockedAttempt(.other, "a request of more than 4 MB: https://a.example/")
        #expect(self.kinds(actions).contains(.attemptBlocked(attempt)) && self.held(actions) == nil)
        #expect(actions.contains(.send(WireCommand("fail", 1, ["8"]))))
    }
}
