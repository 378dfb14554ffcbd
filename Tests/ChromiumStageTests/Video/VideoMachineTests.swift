import AdCore
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("What a video's stage decides")
struct VideoMachineTests {
    private let page = DevToolsSession(name: "PAGE")
    private let frame = DevToolsSession(name: "FRAME")
    private let image: HTTPURL
    private let film: VideoSpot
    private let card = VideoPartID.companion(0)

    init() throws {
        self.image = try #require(HTTPURL("https://m.example/card.png"))
        let file = MediaFile(try #require(HTTPURL("https://m.example/a.mp4")), type: "video/mp4")
        self.film = VideoSpot(
            .media([file]),
            terms: SpotRules(hasEndCard: true, parts: [PartRules(self.card, time: nil)]),
            parts: [self.card: VideoPart(.image(self.image))],
            endCard: self.card
        )
    }

    private func machine(_ spot: VideoSpot? = nil, isStored: Bool = true) -> VideoMachine {
        let container = AdContainer.fullScreen(Size(width: 390, height: 844))
        let size = CreativeLayout(.fixed(Size(width: 640, height: 360)), in: container)
        let room = StageRoom(screen: container.screen, size: size)
        let plan = StagePlan(name: "ad-x-1", layout: .full, room: room, document: "")
        let terms = PlayerOptions(storeAddress: isStored ? VideoMachine.storeAddress(plan) : nil)
        let wrapper = HostPage(.video(isStored: isStored), plan.name, in: self.page, frame: "MAIN")
        return VideoMachine(VideoCreative(spot ?? self.film), plan, terms, in: wrapper)
    }

    /// A machine whose page is there.
    private func standing(_ spot: VideoSpot? = nil, isStored: Bool = true) -> VideoMachine {
        var machine = self.machine(spot, isStored: isStored)
        _ = machine.start()
        _ = machine.handle(.reply(.navigated, .success(.done)), at: .zero)
        _ = machine.handle(.reply(.world, .success(.done)), at: .zero)
        let outputs = machine.handle(.reply(.hostReady, .success(.value(.null))), at: .zero)
        #expect(outputs.contains(.finishPresenting))
        return machine
    }

    private func event(_ method: String, _ params: AdJSON, in session: DevToolsSession? = nil) -> StageInput {
        .devTools(DevToolsEvent(session: session ?? self.page, method: method, params: params))
    }

    private func said(_ text: String, by name: String = "__yabbi", in session: DevToolsSession? = nil) -> StageInput {
        self.event("Runtime.bindingCalled", ["name": .string(name), "payload": .string(text)], in: session)
    }

    private func asks(
        _ url: String,
        _ kind: String,
        frame: String = "MAIN",
        load: String = "L",
        range: String? = nil,
        in session: DevToolsSession? = nil
    ) -> StageInput {
        let headers: AdJSON = range.map { ["Range": .string($0)] } ?? [:]
        let params: AdJSON = [
            "requestId": "R", "frameId": .string(frame), "resourceType": .string(kind), "networkId": .string(load),
            "request": ["url": .string(url), "method": "GET", "headers": headers],
        ]
        return self.event("Fetch.requestPaused", params, in: session)
    }

    private func commands(_ outputs: [StageOutput]) -> [String] {
        outputs.devTools.map(\.method)
    }

    private func reports(_ outputs: [StageOutput]) -> [StageEvent] {
        outputs.compactMap { if case .report(let event) = $0 { event } else { nil } }
    }

    private func status(_ outputs: [StageOutput]) -> Double? {
        outputs.devTools.compactMap { $0.params["responseCode"]?.number }.first
    }

    @Test("the stage is returned when its page is there, and its media file is fetched then")
    func begin() throws {
        var machine = self.machine()
        #expect(machine.start().contains(.setAlarm(.loadTimeout, after: .seconds(10))))
        #expect(machine.handle(.reveal, at: .zero).isEmpty, "there is nothing to see yet")
        _ = machine.handle(.reply(.navigated, .success(.done)), at: .zero)
        _ = machine.handle(.reply(.world, .success(.done)), at: .zero)
        let outputs = machine.handle(.reply(.hostReady, .success(.value(.null))), at: .zero)
        let stand = try #require(outputs.firstIndex(of: .finishPresenting))
        let fetch = try #require(outputs.firstIndex { if case .fetch = $0 { true } else { false } })
        #expect(stand < fetch)
        #expect(self.reports(machine.handle(.reveal, at: .zero)) == [.revealed])
        #expect(machine.handle(.reveal, at: .zero).isEmpty && machine.handle(.alarm(.loadTimeout), at: .zero).isEmpty)
    }

    @Test("a page that does not come, or crashes before, fails the show with a code")
    func noPage() {
        for input in [
            StageInput.alarm(.loadTimeout), .reply(.navigated, .failure(.gone)),
            self.event("Inspector.targetCrashed", [:]),
        ] {
            var machine = self.machine()
            _ = machine.start()
            guard case .fail(let error)? = machine.handle(input, at: .zero).first else {
                Issue.record("\(input)")
                continue
            }
            #expect(error.vastCode == 400)
            #expect(machine.handle(.alarm(.loadTimeout), at: .zero).isEmpty)
        }
    }

    @Test("something else in the place of our page ends the ad; our own page there does not")
    func replaced() {
        var machine = self.standing()
        func navigated(to url: String) -> StageInput {
            self.event("Page.frameNavigated", ["frame": ["id": "MAIN", "url": .string(url)]])
        }
        let address = machine.plan.hostPageAddress
        _ = machine.handle(self.asks(address, "Document"), at: .zero)
        let own = self.reports(machine.handle(navigated(to: address), at: .zero))
        #expect(own.isEmpty)
        let other = self.reports(machine.handle(navigated(to: "about:blank"), at: .zero))
        #expect(other.contains(.gone))
    }

    @Test("a page that crashes is reported, and is gone; one that hangs is reported once")
    func crashes() {
        var machine = self.standing()
        let crash = self.reports(machine.handle(self.event("Inspector.targetCrashed", [:]), at: .zero))
        #expect(crash == [.crashed("the host page crashed"), .gone])
        var hanging = self.standing()
        #expect(hanging.handle(.alarm(.monitor(self.page)), at: .zero).count == 1)
        let well = hanging.handle(.reply(.monitor(self.page), .success(.memory(0))), at: .zero)
        #expect(well == [.setAlarm(.monitor(self.page), after: .seconds(2))])
        let hang = self.reports(hanging.handle(.reply(.monitor(self.page), .failure(.late("x"))), at: .zero))
        #expect(hang == [.crashed("the host page does not answer any more"), .gone])
        #expect(hanging.handle(.alarm(.monitor(self.page)), at: .zero).isEmpty)
        #expect(hanging.handle(self.event("Inspector.targetCrashed", [:]), at: .zero).isEmpty)
    }

    /// A frame has a process of its own now.
    private func attached(_ session: DevToolsSession, frame: String, in parent: DevToolsSession? = nil) -> StageInput {
        let info: AdJSON = ["targetId": .string(frame), "type": "iframe", "url": "https://p.example/"]
        let params: AdJSON = ["sessionId": .string(session.name), "targetInfo": info]
        return self.event("Target.attachedToTarget", params, in: parent)
    }

    @Test("a part that hangs is ended, and has failed; a frame within it is ended, and the part goes on")
    func hangingParts() throws {
        var machine = self.standing()
        _ = machine.handle(.video(.showEndCard), at: .zero)
        let part = try #require(machine.parts.all.first)
        let (whole, within) = (DevToolsSession(name: "PART"), DevToolsSession(name: "WITHIN"))
        _ = machine.handle(self.asks(part.address, "Document", frame: "F"), at: .zero)
        #expect(
            machine.handle(self.attached(whole, frame: "F"), at: .zero)
                .contains(.setAlarm(.monitor(whole), after: .seconds(2)))
        )
        #expect(
            machine.handle(self.attached(within, frame: "G", in: whole), at: .zero)
                .contains(.setAlarm(.monitor(within), after: .seconds(2)))
        )
        let late = EngineFault.late("x")
        let inner = machine.handle(.reply(.monitor(within), .failure(late)), at: .zero)
        let words = "a nested frame does not answer any more"
        #expect(self.commands(inner) == ["Page.crash"])
        #expect(self.reports(inner) == [.blocked(BlockedAttempt(.other, words))])
        #expect(machine.handle(self.event("Inspector.targetCrashed", [:], in: within), at: .zero).isEmpty)
        #expect(machine.parts.all.count == 1)
        let outer = machine.handle(.reply(.monitor(whole), .failure(late)), at: .zero)
        #expect(self.commands(outer).contains("Page.crash") && machine.parts.all.isEmpty)
        guard case .video(.partFailed(_, vastCode: 603, let text), spot: _)? = self.reports(outer).first else {
            Issue.record("\(outer)")
            return
        }
        #expect(text.hasSuffix("it does not answer any more"))
    }

    @Test(
        "what is shown with a film gets no more when it has loaded a hundred million bytes; a film that is held is no part of that"
    )
    func bytes() throws {
        var machine = self.standing()
        _ = machine.handle(.video(.showEndCard), at: .zero)
        let part = try #require(machine.parts.all.first)
        let whole = DevToolsSession(name: "PART")
        _ = machine.handle(self.asks(part.address, "Document", frame: "F"), at: .zero)
        _ = machine.handle(self.attached(whole, frame: "F"), at: .zero)
        let data: AdJSON = ["requestId": "1", "dataLength": 90_000_000]
        for _ in 0..<3 { #expect(machine.handle(self.event("Network.dataReceived", data), at: .zero).isEmpty) }
        func picture() -> [String] {
            self.commands(
                machine.handle(self.asks("https://p.example/i.png", "Image", frame: "F", in: whole), at: .zero)
            )
        }
        #expect(machine.handle(self.event("Network.dataReceived", data, in: whole), at: .zero).isEmpty)
        #expect(picture() == ["Fetch.continueRequest"])
        let reports = self.reports(machine.handle(self.event("Network.dataReceived", data, in: whole), at: .zero))
        let text = "more than 100 MB were loaded; further requests are blocked"
        #expect(reports == [.blocked(BlockedAttempt(.other, text))])
        #expect(picture() == ["Fetch.failRequest"])
        let end = machine.handle(.alarm(.byteLimit), at: .zero)
        #expect(self.commands(end).contains("Page.crash") && machine.parts.all.isEmpty)
    }

    @Test("our page gets itself once, its media file in pieces, and nothing else")
    func requests() {
        var machine = self.standing()
        _ = machine.handle(.fetched(1, .success(FetchedMedia(size: 5 << 20, status: 200))), at: .zero)
        let own = "https://ad-x-1.yabbi-stage.invalid/"
        #expect(self.status(machine.handle(self.asks(own, "Document"), at: .zero)) == 200)
        #expect(self.commands(machine.handle(self.asks(own, "Document"), at: .zero)) == ["Fetch.failRequest"])
        let piece = machine.handle(self.asks(own + "media/1", "Media", range: "bytes=7-"), at: .zero)
        guard case .answer(_, let bytes, let order)? = piece.first else {
            Issue.record("\(piece)")
            return
        }
        #expect(bytes.bytes == 7..<(7 + MediaRange.byteLimit) && order.number == 1)
        for (url, kind) in [(own + "media/2", "Media"), ("https://m.example/a.mp4", "Media")] {
            #expect(self.status(machine.handle(self.asks(url, kind), at: .zero)) == 404, "\(url)")
        }
        for (url, kind) in [
            (own + "media/1", "Image"), ("https://m.example/x", "Image"), ("https://m.example/", "Fetch"),
        ] {
            #expect(self.commands(machine.handle(self.asks(url, kind), at: .zero)) == ["Fetch.failRequest"], "\(url)")
        }
        _ = machine.handle(.close, at: .zero)
        let late = machine.handle(self.asks(own + "media/1", "Media", range: "bytes=7-"), at: .zero)
        #expect(self.commands(late) == ["Fetch.failRequest"])
        #expect(machine.handle(.fetched(2, .success(FetchedMedia(size: 1, status: 200))), at: .zero) == [.drop(2)])
    }

    @Test("a media file that the browser fetches may come from any public server, and its status is its error")
    func direct() {
        var machine = self.standing(isStored: false)
        #expect(
            self.commands(machine.handle(self.asks("https://m.example/a.mp4", "Media"), at: .zero)) == [
                "Fetch.continueRequest"
            ]
        )
        let near = machine.handle(self.asks("http://192.168.0.1/a.mp4", "Media"), at: .zero)
        #expect(self.commands(near) == ["Fetch.failRequest"])
        let answer: AdJSON = ["requestId": "R", "type": "Media", "response": ["status": 404]]
        _ = machine.handle(self.event("Network.responseReceived", answer), at: .zero)
        let error = machine.handle(self.said("{\"k\":\"video\",\"n\":1,\"e\":\"error\",\"c\":4}"), at: .zero)
        guard case .video(.failed(401, _), _)? = self.reports(error).first else {
            Issue.record("\(error)")
            return
        }
    }

    @Test("only messages of our own script in our own page are handled")
    func words() {
        var machine = self.standing()
        #expect(self.reports(machine.handle(self.said("{\"k\":\"click\"}"), at: .zero)) == [.click(nil, byUser: true)])
        #expect(self.reports(machine.handle(self.said("{\"k\":\"skip\"}"), at: .zero)) == [.skipRequested])
        #expect(self.reports(machine.handle(self.said("{\"k\":\"visible\",\"ratio\":1}"), at: .zero)).isEmpty)
        _ = machine.handle(.reveal, at: .zero)
        let visible = machine.handle(self.said("{\"k\":\"visible\",\"ratio\":7}"), at: .zero)
        #expect(self.reports(visible) == [.visible(ratio: 1)])
        for text in ["{\"k\":\"close\"}", "{\"k\":\"click\"}"] {
            #expect(machine.handle(self.said(text, in: self.frame), at: .zero).isEmpty)
            #expect(machine.handle(self.said(text, by: "__yabbi_creative"), at: .zero).isEmpty)
        }
        for text in ["", "[", "{}", "{\"k\":3}", String(repeating: "x", count: 70_000)] {
            #expect(machine.handle(self.said(text), at: .zero).isEmpty)
        }
    }

    /// A machine with an end card in its frame, whose document is on its way.
    private func withCard(_ part: VideoPart? = nil) -> VideoMachine {
        var spot = self.film
        if let part { spot.parts[self.card] = part }
        var machine = self.standing(spot)
        _ = machine.handle(.reveal, at: .zero)
        _ = machine.handle(.video(.showEndCard), at: .zero)
        return machine
    }

    private func attach(_ machine: inout VideoMachine, kind: String = "iframe") -> [StageOutput] {
        let info: AdJSON = [
            "sessionId": "FRAME", "targetInfo": ["targetId": "F", "type": .string(kind), "url": "https://e.example/"],
        ]
        return machine.handle(self.event("Target.attachedToTarget", info), at: .zero)
    }

    @Test(
        "an end card's frame is armed before it goes on, and shown when its picture is there",
        arguments: [true, false]
    )
    func endCard(isAskedFirst: Bool) {
        var machine = self.withCard()
        let address = "https://ad-x-1-part-1.yabbi-creative.invalid/"
        if !isAskedFirst { _ = self.attach(&machine) }
        let document = machine.handle(self.asks(address, "Document", frame: "F", load: "D"), at: .zero)
        #expect(self.status(document) == 200)
        if isAskedFirst {
            let armed = self.attach(&machine)
            #expect(self.commands(armed).last == "Runtime.runIfWaitingForDebugger")
            #expect(self.commands(armed).contains("Page.addScriptToEvaluateOnNewDocument"))
        }
        let load: AdJSON = ["name": "load", "loaderId": "D", "frameId": "F"]
        let other: AdJSON = ["name": "load", "loaderId": "about:blank's", "frameId": "F"]
        #expect(machine.handle(self.event("Page.lifecycleEvent", other, in: self.frame), at: .zero).isEmpty)
        let asked = machine.handle(self.event("Page.lifecycleEvent", load, in: self.frame), at: .zero)
        guard case .query(_, .partPicture(1), _)? = asked.first else {
            Issue.record("\(asked)")
            return
        }
        let shown = machine.handle(.reply(.partPicture(1), .success(.value(640))), at: .zero)
        #expect(self.reports(shown) == [.video(.partShown(self.card))])
        #expect(machine.handle(.alarm(.player(.part(1))), at: .zero).isEmpty)
        // All of it is one link; what its page claims is not believed.
        let click = self.said("{\"k\":\"gesture\",\"type\":\"click\"}", by: "__yabbi_gesture", in: self.frame)
        #expect(self.reports(machine.handle(click, at: .zero)) == [.partClicked(self.card, nil, byUser: true)])
        let forged = self.said(
            "{\"k\":\"open\",\"url\":\"https://e.example/\"}",
            by: "__yabbi_creative",
            in: self.frame
        )
        let fence = machine.handle(forged, at: .zero)
        #expect(self.reports(fence).isEmpty)
        let attempt = NavigationAttempt(trigger: .window, url: "https://e.example/")
        let decided = machine.handle(.reply(.partGesture(1, attempt), .success(.done)), at: .zero)
        guard case .blocked? = self.reports(decided).first else {
            Issue.record("\(decided)")
            return
        }
    }

    @Test("a part that is missing is reported by its code, whatever shows it")
    func missingParts() {
        let missing: [(VideoMachine) -> [StageOutput]] = [
            { machine in
                var machine = machine
                return machine.handle(.reply(.partPicture(1), .success(.value(0))), at: .zero)
            },
            { machine in
                var machine = machine
                return machine.handle(.alarm(.player(.part(1))), at: .zero)
            },
            { machine in
                var machine = machine
                let failed: AdJSON = ["requestId": "D", "errorText": "net::ERR_FAILED"]
                return machine.handle(self.event("Network.loadingFailed", failed, in: self.frame), at: .zero)
            },
            { machine in
                var machine = machine
                return machine.handle(self.event("Inspector.targetCrashed", [:], in: self.frame), at: .zero)
            },
        ]
        for (number, way) in missing.enumerated() {
            var machine = self.withCard()
            let address = "https://ad-x-1-part-1.yabbi-creative.invalid/"
            _ = machine.handle(self.asks(address, "Document", frame: "F", load: "D"), at: .zero)
            _ = self.attach(&machine)
            guard case .video(.partFailed(self.card, 603, _), _)? = self.reports(way(machine)).first else {
                Issue.record("way \(number)")
                continue
            }
        }
    }

    @Test(
        "a picture that is missing is reported with its address, and with the reason where there is one",
        arguments: [
            ("https://m.example/card.png", "its image https://m.example/card.png did not load: status 404"),
            (
                "http://10.0.0.1/card.png",
                "its image http://10.0.0.1/card.png was blocked: a request to the local network"
            ),
        ]
    )
    func missingPicture(url: String, words: String) throws {
        var machine = self.withCard(VideoPart(.image(try #require(HTTPURL(url)))))
        let address = "https://ad-x-1-part-1.yabbi-creative.invalid/"
        _ = machine.handle(self.asks(address, "Document", frame: "F", load: "D"), at: .zero)
        _ = self.attach(&machine)
        let request: AdJSON = ["requestId": "1", "request": ["url": .string(url), "method": "GET"], "type": "Image"]
        _ = machine.handle(self.event("Network.requestWillBeSent", request, in: self.frame), at: .zero)
        let response: AdJSON = ["requestId": "1", "response": ["status": 404]]
        _ = machine.handle(self.event("Network.responseReceived", response, in: self.frame), at: .zero)
        _ = machine.handle(self.event("Network.loadingFinished", ["requestId": "1"], in: self.frame), at: .zero)
        let outputs = machine.handle(.reply(.partPicture(1), .success(.value(0))), at: .zero)
        guard case .video(.partFailed(_, _, let text), _)? = self.reports(outputs).first else {
            Issue.record("\(outputs)")
            return
        }
        #expect(text.hasSuffix(words), "\(text)")
    }

    @Test("a page of its own goes where it is, once, and stays there")
    func pages() throws {
        let page = VideoPart(.page(try #require(HTTPURL("https://p.example/card"))))
        var machine = self.withCard(page)
        let first = machine.handle(self.asks("https://p.example/card", "Document", frame: "F", load: "D"), at: .zero)
        #expect(self.commands(first) == ["Fetch.continueRequest"])
        // What the first load leads to belongs to it.
        let led = machine.handle(self.asks("https://p.example/card/", "Document", frame: "F", load: "D"), at: .zero)
        #expect(self.commands(led) == ["Fetch.continueRequest"])
        _ = self.attach(&machine)
        let there: AdJSON = ["frame": ["id": "F", "loaderId": "D"]]
        _ = machine.handle(self.event("Page.frameNavigated", there, in: self.frame), at: .zero)
        let load: AdJSON = ["name": "load", "loaderId": "D"]
        let shown = machine.handle(self.event("Page.lifecycleEvent", load, in: self.frame), at: .zero)
        #expect(self.reports(shown) == [.video(.partShown(self.card))])
        let away = self.asks("https://e.example/", "Document", frame: "F", load: "E", in: self.frame)
        #expect(self.commands(machine.handle(away, at: .zero)) == ["Fetch.failRequest"])
        let press = self.said("{\"k\":\"gesture\",\"type\":\"pointerdown\"}", by: "__yabbi_gesture", in: self.frame)
        #expect(self.reports(machine.handle(press, at: .zero)).isEmpty)
        let out = self.reports(machine.handle(away, at: .zero))
        #expect(out == [.partClicked(self.card, ClickThroughURL("https://e.example/"), byUser: true)])
        // A frame inside of it may be led where it likes, but not to our neighbours.
        let inner = self.asks("https://ads.example/", "Document", frame: "G", in: self.frame)
        #expect(self.commands(machine.handle(inner, at: .zero)) == ["Fetch.continueRequest"])
        let near = self.asks("http://localhost/", "Image", frame: "G", in: self.frame)
        #expect(self.commands(machine.handle(near, at: .zero)) == ["Fetch.failRequest"])
    }

    @Test("a window of a part ends before it begins, and a dialog is answered with no")
    func windows() {
        var machine = self.withCard()
        #expect(self.commands(self.attach(&machine, kind: "page")) == ["Target.closeTarget"])
        _ = machine.handle(
            self.asks("https://ad-x-1-part-1.yabbi-creative.invalid/", "Document", frame: "F", load: "D"),
            at: .zero
        )
        _ = self.attach(&machine)
        let dialog: AdJSON = ["type": "alert", "message": "hello"]
        let answer = machine.handle(self.event("Page.javascriptDialogOpening", dialog, in: self.frame), at: .zero)
        #expect(self.commands(answer) == ["Page.handleJavaScriptDialog"] && self.reports(answer).count == 1)
    }

    @Test("the next spot leaves nothing of the one before, and a close nothing of all")
    func leaving() {
        var machine = self.withCard()
        let close = machine.handle(.close, at: .zero)
        #expect(!close.contains { if case .report = $0 { true } else { false } })
        var playing = self.standing()
        _ = playing.handle(.fetched(1, .success(FetchedMedia(size: 1, status: 200))), at: .zero)
        #expect(playing.playback?.isPlaying == true)
        #expect(playing.handle(.close, at: .zero).contains(.drop(1)) && playing.playback?.isPlaying == false)
        #expect(playing.handle(.video(.play), at: .zero).isEmpty)
    }
}
