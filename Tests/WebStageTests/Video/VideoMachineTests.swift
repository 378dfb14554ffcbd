import AdCore
import AdMarkup
import Testing

@testable import WebStage

@Suite("Decisions of the video's machine")
struct VideoMachineTests {
    private let page = EngineTarget(name: "PAGE")
    private let frame = EngineTarget(name: "FRAME")
    private let image: HTTPURL
    private let spot: VideoSpot
    private let card = VideoPartID.companion(0)

    init() throws {
        self.image = try #require(HTTPURL("https://m.example/card.png"))
        let file = MediaFile(try #require(HTTPURL("https://m.example/a.mp4")), type: "video/mp4")
        self.spot = VideoSpot(
            .media([file]),
            rules: SpotRules(hasEndCard: true, parts: [PartRules(self.card, time: nil)]),
            parts: [self.card: VideoPart(.image(self.image))],
            endCard: self.card
        )
    }

    private func machine(_ spot: VideoSpot? = nil, isStored: Bool = true) -> VideoMachine {
        let container = AdContainer.fullScreen(Size(width: 390, height: 844))
        let size = CreativeLayout(.fixed(Size(width: 640, height: 360)), in: container)
        let geometry = StageGeometry(screen: container.screen, size: size)
        let plan = StagePlan(name: "ad-x-1", layout: .full, geometry: geometry, document: "")
        let options = PlayerOptions(storeAddress: isStored ? VideoMachine.storeAddress(plan) : nil)
        let hostPage = HostPage(.video(isStored: isStored), plan.name, in: self.page, frame: "MAIN")
        return VideoMachine(VideoCreative(spot ?? self.spot), plan, options, in: hostPage)
    }

    /// A machine whose host page is ready.
    private func ready(_ spot: VideoSpot? = nil, isStored: Bool = true) -> VideoMachine {
        var machine = self.machine(spot, isStored: isStored)
        _ = machine.start()
        _ = machine.handle(.reply(.navigated, .success(.done)), at: .zero)
        _ = machine.handle(.reply(.world, .success(.done)), at: .zero)
        let outputs = machine.handle(.reply(.hostReady, .success(.value(.null))), at: .zero)
        #expect(outputs.contains(.finishPresenting))
        return machine
    }

    private func event(_ kind: EngineEvent.Kind, in target: EngineTarget? = nil) -> StageInput {
        .event(EngineEvent(kind, in: target ?? self.page))
    }

    private func message(
        _ text: String,
        by channel: EngineChannel = .host,
        in target: EngineTarget? = nil
    ) -> StageInput {
        self.event(.message(EngineMessage(channel, text, from: nil)), in: target)
    }

    @Test("a stall of the video is observed with its real time and the position, and changes nothing")
    func stalled() throws {
        var machine = self.ready()
        let stall = #"{"k":"video","n":1,"e":"stalled","ms":420,"t":2500,"d":9000}"#
        let activity = CreativeActivity.mediaStall(.milliseconds(420), at: .milliseconds(2_500))
        #expect(machine.handle(self.message(stall), at: .seconds(3)) == [.observe(activity)])
    }

    @Test("captions are fetched when the user wants them, shown, and gone with their spot")
    func captions() throws {
        var spot = self.spot
        spot.captions = [VideoSpot.Caption(try #require(HTTPURL("https://m.example/c.vtt")), type: nil, language: "en")]
        var machine = self.ready(spot)
        let pressed = machine.handle(self.message(#"{"k":"captions","x":10,"y":20}"#), at: .zero)
        #expect(
            pressed.first
                == .report(
                    .tap(
                        .creative("the player's captions button"),
                        at: TapPoint(x: 10, y: 20, target: "button#captions")
                    )
                )
        )
        let download = try #require(
            pressed.lazy.compactMap { if case .fetchCaptions(let download) = $0 { download } else { nil } }.first
        )
        let track = try CaptionTrack(Array("WEBVTT\n\n00:01.000 --> 00:02.000\nHello".utf8))
        let shown = machine.handle(.captions(download.number, .success(track)), at: .zero)
        let cues = #"yabbiCaptions([{"start":1,"end":2,"text":"Hello"}])"#
        #expect(self.scripts(shown) == [cues])
        #expect(shown.contains { if case .observe(.captions) = $0 { true } else { false } })
        #expect(self.scripts(machine.handle(.video(.showEndCard), at: .zero)).contains("yabbiCaptions([])"))
    }

    @Test("a stage that fetches no media has no captions")
    func noCaptions() throws {
        var spot = self.spot
        spot.captions = [VideoSpot.Caption(try #require(HTTPURL("https://m.example/c.vtt")), type: nil, language: "en")]
        var machine = self.ready(spot, isStored: false)
        let outputs = machine.handle(self.message(#"{"k":"captions"}"#), at: .zero)
        #expect(!outputs.contains { if case .fetchCaptions = $0 { true } else { false } })
    }

    @Test("a video that does not fill the screen says so, and its button enters and leaves the full screen")
    func fullScreen() throws {
        var machine = self.machine()
        _ = machine.start()
        _ = machine.handle(.reply(.navigated, .success(.done)), at: .zero)
        _ = machine.handle(.reply(.world, .success(.done)), at: .zero)
        let start = machine.handle(.reply(.hostReady, .success(.value(.null))), at: .zero)
        #expect(self.reports(start) == [.video(.enlarged(false))])
        let press = self.message(#"{"k":"full","x":1,"y":2}"#)
        let entered = machine.handle(press, at: .zero)
        #expect(self.reports(entered).last == .video(.enlarged(true)))
        #expect(self.scripts(entered).contains("yabbiLayout(390, 844)"))
        #expect(self.scripts(entered).contains("yabbiFullScreenButton(true)"))
        let left = machine.handle(press, at: .zero)
        #expect(self.reports(left).last == .video(.enlarged(false)))
        #expect(self.scripts(left).contains("yabbiLayout(390, 219.375)"))
        // A screen that the ad fills by itself.
        let whole = AdContainer.fullScreen(Size(width: 844, height: 390))
        let geometry = StageGeometry(screen: whole.screen, size: CreativeLayout(.adaptive, in: whole))
        #expect(self.scripts(machine.handle(.size(geometry), at: .zero)).contains("yabbiFullScreenButton(null)"))
        #expect(self.reports(machine.handle(press, at: .zero)).count == 1, "only the press itself")
    }

    @Test("an icon's link that can't be opened shows its fallback image; a press closes it, and is no click")
    func fallbackImage() throws {
        var spot = self.spot
        let link = try #require(ClickThroughURL("https://choices.example/"))
        let icon = VideoPartID.icon(0)
        spot.rules.parts.append(PartRules(icon, time: PartRules.Time(), clickThrough: link))
        var part = VideoPart(.image(self.image), size: Size(width: 20, height: 20))
        part.clickFallback = self.image
        spot.parts[icon] = part
        var machine = self.ready(spot)
        _ = machine.handle(.fetched(1, .success(FetchedMedia(size: 10, status: 200))), at: .zero)
        _ = machine.handle(self.message(#"{"k":"video","n":1,"e":"canplay","t":0,"d":9000,"w":640}"#), at: .zero)
        _ = machine.handle(.reveal, at: .zero)
        _ = machine.handle(.video(.play), at: .zero)
        #expect(machine.handle(.notice(.linkNotOpened(link)), at: .zero).isEmpty, "the icon was not clicked")
        _ = machine.handle(.video(.part(icon, visible: true)), at: .zero)
        machine.clickedIcon = ClickedIcon(spot: 0, id: icon, link: link)
        let other = try #require(ClickThroughURL("https://other.example/"))
        #expect(machine.handle(.notice(.linkNotOpened(other)), at: .zero).isEmpty)
        let loading = self.scripts(machine.handle(.notice(.linkNotOpened(link)), at: .zero))
        #expect(loading.contains { $0.hasPrefix("yabbiPart(2,") } && !loading.contains("yabbiPause()"))
        let press = self.message(#"{"k":"click","x":5,"y":5}"#)
        #expect(self.reports(machine.handle(press, at: .zero)).count == 1, "an image that is not shown covers nothing")
        let shown = self.scripts(machine.partIsComplete(2, at: .zero))
        #expect(shown.contains("yabbiPause()") && shown.contains("yabbiPartShow(2)"))
        let pressed = machine.handle(press, at: .zero)
        #expect(self.reports(pressed).isEmpty && self.scripts(pressed) == ["yabbiPartGone(2)", "yabbiPlay(false)"])
        #expect(self.reports(machine.handle(press, at: .zero)).count == 1)
    }

    @Test("a fallback image belongs to the spot of its icon, and one that fails is told")
    func fallbackOfAnotherSpot() throws {
        var spot = self.spot
        let link = try #require(ClickThroughURL("https://choices.example/"))
        let icon = VideoPartID.icon(0)
        spot.rules.parts.append(PartRules(icon, time: PartRules.Time(), clickThrough: link))
        spot.parts[icon] = VideoPart(.image(self.image), size: Size(width: 20, height: 20))
        spot.parts[icon]?.clickFallback = self.image
        var machine = self.ready(spot)
        machine.clickedIcon = ClickedIcon(spot: 1, id: icon, link: link)
        machine.player.load = .ready
        #expect(machine.handle(.notice(.linkNotOpened(link)), at: .zero).isEmpty)
        machine.clickedIcon = ClickedIcon(spot: 0, id: icon, link: link)
        _ = machine.handle(.notice(.linkNotOpened(link)), at: .zero)
        let failed = machine.partFailed(1, "status 404", at: .zero)
        let warnings = failed.filter { if case .observe(.console) = $0 { true } else { false } }
        #expect(warnings.count == 1)
    }

    @Test(
        "a file whose sound can't be decoded is played without it, and one with only 6 channels is mixed down; both are told"
    )
    func sound() {
        func messages(_ audio: MediaAudio...) -> [ConsoleMessage] {
            var machine = self.ready()
            let media = FetchedMedia(size: 10, status: 200, audio: audio)
            return machine.handle(.fetched(1, .success(media)), at: .zero).compactMap {
                if case .observe(.console(let message)) = $0 { message } else { nil }
            }
        }
        let surround = MediaAudio(codec: "ac-3", channels: 6)
        #expect(messages(surround).map(\.level) == [.warning])
        #expect(messages(surround).first?.text.contains("without sound: ac-3 with 6 channels") == true)
        #expect(messages(MediaAudio(codec: "mp4a", channels: 6)).map(\.level) == [.info])
        #expect(messages(surround, MediaAudio(codec: "mp4a", channels: 2)).isEmpty)
        #expect(messages().isEmpty)
    }

    @Test("views of the app over the video make it less visible")
    func obstructed() {
        var machine = self.ready()
        _ = machine.handle(.reveal, at: .zero)
        #expect(
            self.reports(machine.handle(self.message(#"{"k":"visible","ratio":1}"#), at: .zero)) == [.visible(ratio: 1)]
        )
        // The video is 390 x 219.375 points, in the middle of 390 x 844.
        let view = AdObstruction(x: 0, y: 0, size: Size(width: 195, height: 844), name: "menu")
        #expect(self.reports(machine.handle(.notice(.host(.obstructed([view]))), at: .zero)) == [.visible(ratio: 0.5)])
        #expect(self.reports(machine.handle(.notice(.host(.obstructed([]))), at: .zero)) == [.visible(ratio: 1)])
    }

    /// The scripts that are run in the host page.
    private func scripts(_ outputs: [StageOutput]) -> [String] {
        outputs.compactMap {
            if case .send(.evaluate(let evaluation, in: self.page)) = $0 { evaluation.script } else { nil }
        }
    }

    private func request(
        _ url: String,
        _ kind: EngineRequest.Kind,
        frame: String = "MAIN",
        load: String = "L",
        range: String? = nil,
        in target: EngineTarget? = nil
    ) -> StageInput {
        let request = EngineRequest(
            EngineRequestID(number: "R", target: target ?? self.page),
            url: url,
            kind: kind,
            frame: frame,
            headers: range.map { [EngineHeader("Range", $0)] } ?? [],
            load: load
        )
        return self.event(.requestHeld(request), in: target)
    }

    /// The names of the commands, without their arguments.
    private func commands(_ outputs: [StageOutput]) -> [String] {
        outputs.compactMap {
            if case .send(let command) = $0 { String("\(command)".prefix { $0 != "(" }) } else { nil }
        }
    }

    private func reports(_ outputs: [StageOutput]) -> [StageEvent] {
        outputs.compactMap { if case .report(let event) = $0 { event } else { nil } }
    }

    private func status(_ outputs: [StageOutput]) -> Int? {
        outputs.lazy.compactMap { if case .send(.answer(_, let response)) = $0 { response.status } else { nil } }.first
    }

    @Test("the stage is returned when its host page is ready, before the media file is fetched")
    func start() throws {
        var machine = self.machine()
        #expect(machine.start().contains(.setAlarm(.loadTimeout, after: .seconds(10))))
        #expect(machine.handle(.reveal, at: .zero).isEmpty, "the video is not ready yet")
        _ = machine.handle(.reply(.navigated, .success(.done)), at: .zero)
        _ = machine.handle(.reply(.world, .success(.done)), at: .zero)
        let outputs = machine.handle(.reply(.hostReady, .success(.value(.null))), at: .zero)
        let returned = try #require(outputs.firstIndex(of: .finishPresenting))
        let fetch = try #require(outputs.firstIndex { if case .fetch = $0 { true } else { false } })
        #expect(returned < fetch)
        #expect(self.reports(machine.handle(.reveal, at: .zero)) == [.revealed])
        #expect(machine.handle(.reveal, at: .zero).isEmpty && machine.handle(.alarm(.loadTimeout), at: .zero).isEmpty)
    }

    @Test("a host page that does not load or crashes fails the presentation with a VAST code")
    func noPage() {
        for input in [
            StageInput.alarm(.loadTimeout), .reply(.navigated, .failure(.gone)),
            self.event(.crashed),
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

    @Test("another document in place of the host page ends the ad")
    func replaced() {
        var machine = self.ready()
        func navigated(to url: String) -> StageInput {
            self.event(.committed(EngineDocument(frame: "MAIN", load: nil, url: url, isErrorPage: false)))
        }
        let address = machine.plan.hostPageAddress
        _ = machine.handle(self.request(address, .document), at: .zero)
        let own = self.reports(machine.handle(navigated(to: address), at: .zero))
        #expect(own.isEmpty)
        let other = self.reports(machine.handle(navigated(to: "about:blank"), at: .zero))
        #expect(other.contains(.gone))
    }

    @Test("a host page that crashes or hangs is reported once and ends the ad")
    func crashes() {
        var machine = self.ready()
        let crash = self.reports(machine.handle(self.event(.crashed), at: .zero))
        #expect(crash == [.crashed("the host page crashed"), .gone])
        var hanging = self.ready()
        #expect(hanging.handle(.alarm(.monitor(self.page)), at: .zero).count == 1)
        let healthy = hanging.handle(.reply(.monitor(self.page), .success(.memory(0))), at: .zero)
        #expect(healthy == [.setAlarm(.monitor(self.page), after: .seconds(2))])
        let hang = self.reports(hanging.handle(.reply(.monitor(self.page), .failure(.late("x"))), at: .zero))
        #expect(hang == [.crashed("the host page does not answer any more"), .gone])
        #expect(hanging.handle(.alarm(.monitor(self.page)), at: .zero).isEmpty)
        #expect(hanging.handle(self.event(.crashed), at: .zero).isEmpty)
    }

    /// A frame got a process of its own.
    private func attached(_ target: EngineTarget, frame: String, in parent: EngineTarget? = nil) -> StageInput {
        self.event(.attached(AttachedTarget(.frame, target, id: frame, url: "https://p.example/")), in: parent)
    }

    @Test("a part that hangs is ended and reported; a nested frame that hangs is ended alone")
    func hangingParts() throws {
        var machine = self.ready()
        _ = machine.handle(.video(.showEndCard), at: .zero)
        let part = try #require(machine.parts.all.first)
        let (whole, nested) = (EngineTarget(name: "PART"), EngineTarget(name: "WITHIN"))
        _ = machine.handle(self.request(part.address, .document, frame: "F"), at: .zero)
        #expect(
            machine.handle(self.attached(whole, frame: "F"), at: .zero)
                .contains(.setAlarm(.monitor(whole), after: .seconds(2)))
        )
        #expect(
            machine.handle(self.attached(nested, frame: "G", in: whole), at: .zero)
                .contains(.setAlarm(.monitor(nested), after: .seconds(2)))
        )
        let late = EngineError.late("x")
        let inner = machine.handle(.reply(.monitor(nested), .failure(late)), at: .zero)
        let words = "a nested frame does not answer any more"
        #expect(self.commands(inner) == ["terminate"])
        #expect(self.reports(inner) == [.blocked(BlockedAttempt(.other, words))])
        #expect(machine.handle(self.event(.crashed, in: nested), at: .zero).isEmpty)
        #expect(machine.parts.all.count == 1)
        let outer = machine.handle(.reply(.monitor(whole), .failure(late)), at: .zero)
        #expect(self.commands(outer).contains("terminate") && machine.parts.all.isEmpty)
        guard case .video(.partFailed(_, vastCode: 603, let text), spot: _)? = self.reports(outer).first else {
            Issue.record("\(outer)")
            return
        }
        #expect(text.hasSuffix("it does not answer any more"))
    }

    @Test(
        "parts that exceed the byte limit are ended; stored media files do not count"
    )
    func bytes() throws {
        var machine = self.ready()
        _ = machine.handle(.video(.showEndCard), at: .zero)
        let part = try #require(machine.parts.all.first)
        let whole = EngineTarget(name: "PART")
        _ = machine.handle(self.request(part.address, .document, frame: "F"), at: .zero)
        _ = machine.handle(self.attached(whole, frame: "F"), at: .zero)
        let data = EngineEvent.Kind.network(.received(bytes: 90_000_000))
        for _ in 0..<3 { #expect(machine.handle(self.event(data), at: .zero).isEmpty) }
        func picture() -> [String] {
            self.commands(
                machine.handle(self.request("https://p.example/i.png", .image, frame: "F", in: whole), at: .zero)
            )
        }
        #expect(machine.handle(self.event(data, in: whole), at: .zero).isEmpty)
        #expect(picture() == ["proceed"])
        let reports = self.reports(machine.handle(self.event(data, in: whole), at: .zero))
        let text = "more than 100 MB were loaded; further requests are blocked"
        #expect(reports == [.blocked(BlockedAttempt(.other, text))])
        #expect(picture() == ["fail"])
        let end = machine.handle(.alarm(.byteLimit), at: .zero)
        #expect(self.commands(end).contains("terminate") && machine.parts.all.isEmpty)
    }

    @Test("the host page gets its document once, its media file in ranges, and nothing else")
    func requests() {
        var machine = self.ready()
        _ = machine.handle(.fetched(1, .success(FetchedMedia(size: 5 << 20, status: 200))), at: .zero)
        let own = "https://ad-x-1.yabbi-stage.invalid/"
        #expect(self.status(machine.handle(self.request(own, .document), at: .zero)) == 200)
        #expect(self.commands(machine.handle(self.request(own, .document), at: .zero)) == ["fail"])
        let answer = machine.handle(self.request(own + "media/1", .media, range: "bytes=7-"), at: .zero)
        guard case .answer(_, let bytes, let download)? = answer.first else {
            Issue.record("\(answer)")
            return
        }
        #expect(bytes.bytes == 7..<(7 + MediaRange.byteLimit) && download.number == 1)
        for (url, kind): (String, EngineRequest.Kind) in [
            (own + "media/2", .media), ("https://m.example/a.mp4", .media),
        ] {
            #expect(self.status(machine.handle(self.request(url, kind), at: .zero)) == 404, "\(url)")
        }
        for (url, kind): (String, EngineRequest.Kind) in [
            (own + "media/1", .image), ("https://m.example/x", .image), ("https://m.example/", .fetch),
        ] {
            #expect(
                self.commands(machine.handle(self.request(url, kind), at: .zero)) == ["fail"],
                "\(url)"
            )
        }
        _ = machine.handle(.close, at: .zero)
        let late = machine.handle(self.request(own + "media/1", .media, range: "bytes=7-"), at: .zero)
        #expect(self.commands(late) == ["fail"])
        #expect(machine.handle(.fetched(2, .success(FetchedMedia(size: 1, status: 200))), at: .zero) == [.drop(2)])
    }

    @Test("a media file that the browser fetches may come from any public server, and its status is the error")
    func direct() {
        var machine = self.ready(isStored: false)
        #expect(
            self.commands(machine.handle(self.request("https://m.example/a.mp4", .media), at: .zero)) == [
                "proceed"
            ]
        )
        let local = machine.handle(self.request("http://192.168.0.1/a.mp4", .media), at: .zero)
        #expect(self.commands(local) == ["fail"])
        _ = machine.handle(self.responded("R", 404, .media), at: .zero)
        let error = machine.handle(self.message("{\"k\":\"video\",\"n\":1,\"e\":\"error\",\"c\":4}"), at: .zero)
        guard case .video(.failed(401, _), _)? = self.reports(error).first else {
            Issue.record("\(error)")
            return
        }
    }

    @Test("only messages of the host's script in the host page are handled")
    func messages() {
        var machine = self.ready()
        #expect(
            self.reports(machine.handle(self.message("{\"k\":\"click\"}"), at: .zero)) == [.click(nil, byUser: true)]
        )
        #expect(self.reports(machine.handle(self.message("{\"k\":\"skip\"}"), at: .zero)) == [.skipRequested])
        #expect(self.reports(machine.handle(self.message("{\"k\":\"visible\",\"ratio\":1}"), at: .zero)).isEmpty)
        _ = machine.handle(.reveal, at: .zero)
        let visible = machine.handle(self.message("{\"k\":\"visible\",\"ratio\":7}"), at: .zero)
        #expect(self.reports(visible) == [.visible(ratio: 1)])
        for text in ["{\"k\":\"close\"}", "{\"k\":\"click\"}"] {
            #expect(machine.handle(self.message(text, in: self.frame), at: .zero).isEmpty)
            #expect(machine.handle(self.message(text, by: .creative), at: .zero).isEmpty)
        }
        for text in ["", "[", "{}", "{\"k\":3}", String(repeating: "x", count: 70_000)] {
            #expect(machine.handle(self.message(text), at: .zero).isEmpty)
        }
    }

    /// A response without a body.
    private func responded(
        _ id: String,
        _ status: Int,
        _ kind: EngineRequest.Kind,
        in target: EngineTarget? = nil
    ) -> StageInput {
        let response = NetworkResponse(status: status, type: nil, bytes: 0, url: nil, address: nil)
        return self.event(.network(.responded(id, response, kind: kind, frame: nil)), in: target)
    }

    /// A machine whose end card is loading.
    private func withCard(_ part: VideoPart? = nil) -> VideoMachine {
        var spot = self.spot
        if let part { spot.parts[self.card] = part }
        var machine = self.ready(spot)
        _ = machine.handle(.reveal, at: .zero)
        _ = machine.handle(.video(.showEndCard), at: .zero)
        return machine
    }

    private func attach(_ machine: inout VideoMachine, kind: AttachedTarget.Kind = .frame) -> [StageOutput] {
        let target = AttachedTarget(kind, self.frame, id: "F", url: "https://e.example/")
        return machine.handle(self.event(.attached(target)), at: .zero)
    }

    @Test(
        "an end card's frame is set up before it is resumed, and shown when its image is loaded",
        arguments: [true, false]
    )
    func endCard(isRequestedFirst: Bool) {
        var machine = self.withCard()
        // A user who watches to the end waits for it.
        #expect(machine.playback?.isPlaying == true)
        let address = "https://ad-x-1-part-1.yabbi-creative.invalid/"
        if !isRequestedFirst { _ = self.attach(&machine) }
        let document = machine.handle(self.request(address, .document, frame: "F", load: "D"), at: .zero)
        #expect(self.status(document) == 200)
        if isRequestedFirst {
            let setup = self.attach(&machine)
            #expect(self.commands(setup).last == "resume")
            #expect(self.commands(setup).contains("addScript"))
        }
        let other = EngineEvent.Kind.loaded(frame: "F", load: "about:blank's")
        #expect(machine.handle(self.event(other, in: self.frame), at: .zero).isEmpty)
        let outputs = machine.handle(self.event(.loaded(frame: "F", load: "D"), in: self.frame), at: .zero)
        guard case .query(_, .partPicture(1), _)? = outputs.first else {
            Issue.record("\(outputs)")
            return
        }
        let shown = machine.handle(.reply(.partPicture(1), .success(.value(640))), at: .zero)
        #expect(self.reports(shown) == [.video(.partShown(self.card))] && machine.playback?.isPlaying == false)
        #expect(machine.handle(.alarm(.player(.part(1))), at: .zero).isEmpty)
        // The image is one link; forged messages of its page are ignored.
        let click = self.message("{\"k\":\"gesture\",\"type\":\"click\"}", by: .gesture, in: self.frame)
        #expect(self.reports(machine.handle(click, at: .zero)) == [.partClicked(self.card, nil, byUser: true)])
        let forged = self.message(
            "{\"k\":\"open\",\"url\":\"https://e.example/\"}",
            by: .creative,
            in: self.frame
        )
        let pending = machine.handle(forged, at: .zero)
        #expect(self.reports(pending).isEmpty)
        let attempt = NavigationAttempt(trigger: .window, url: "https://e.example/")
        let decided = machine.handle(.reply(.partGesture(1, attempt), .success(.done)), at: .zero)
        guard case .blocked? = self.reports(decided).first else {
            Issue.record("\(decided)")
            return
        }
    }

    @Test("a part that can't be loaded is reported with its VAST code, whatever the cause")
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
                let failed = NetworkEvent.failed("D", .other("net::ERR_FAILED"), kind: .document)
                return machine.handle(self.event(.network(failed), in: self.frame), at: .zero)
            },
            { machine in
                var machine = machine
                return machine.handle(self.event(.crashed, in: self.frame), at: .zero)
            },
        ]
        for (number, cause) in missing.enumerated() {
            var machine = self.withCard()
            let address = "https://ad-x-1-part-1.yabbi-creative.invalid/"
            _ = machine.handle(self.request(address, .document, frame: "F", load: "D"), at: .zero)
            _ = self.attach(&machine)
            guard case .video(.partFailed(self.card, 603, _), _)? = self.reports(cause(machine)).first else {
                Issue.record("cause \(number)")
                continue
            }
        }
    }

    @Test(
        "a missing image is reported with its URL and the reason",
        arguments: [
            ("https://m.example/card.png", "its image https://m.example/card.png did not load: status 404"),
            (
                "http://10.0.0.1/card.png",
                "its image http://10.0.0.1/card.png was blocked: a request to the local network"
            ),
        ]
    )
    func missingPicture(url: String, message: String) throws {
        var machine = self.withCard(VideoPart(.image(try #require(HTTPURL(url)))))
        let address = "https://ad-x-1-part-1.yabbi-creative.invalid/"
        _ = machine.handle(self.request(address, .document, frame: "F", load: "D"), at: .zero)
        _ = self.attach(&machine)
        let sent = NetworkEvent.sent("1", url: url, method: "GET", kind: .image, redirect: nil)
        _ = machine.handle(self.event(.network(sent), in: self.frame), at: .zero)
        _ = machine.handle(self.responded("1", 404, .image, in: self.frame), at: .zero)
        _ = machine.handle(self.event(.network(.finished("1", bytes: 0)), in: self.frame), at: .zero)
        let outputs = machine.handle(.reply(.partPicture(1), .success(.value(0))), at: .zero)
        guard case .video(.partFailed(_, _, let text), _)? = self.reports(outputs).first else {
            Issue.record("\(outputs)")
            return
        }
        #expect(text.hasSuffix(message), "\(text)")
    }

    @Test("a part's page loads once, with redirects, and can't navigate away")
    func pages() throws {
        let page = VideoPart(.page(try #require(HTTPURL("https://p.example/card"))))
        var machine = self.withCard(page)
        let first = machine.handle(self.request("https://p.example/card", .document, frame: "F", load: "D"), at: .zero)
        #expect(self.commands(first) == ["proceed"])
        // A redirect belongs to the first load.
        let redirected = machine.handle(
            self.request("https://p.example/card/", .document, frame: "F", load: "D"),
            at: .zero
        )
        #expect(self.commands(redirected) == ["proceed"])
        _ = self.attach(&machine)
        let committed = EngineDocument(frame: "F", load: "D", url: nil, isErrorPage: false)
        _ = machine.handle(self.event(.committed(committed), in: self.frame), at: .zero)
        let shown = machine.handle(self.event(.loaded(frame: "F", load: "D"), in: self.frame), at: .zero)
        #expect(self.reports(shown) == [.video(.partShown(self.card))])
        let away = self.request("https://e.example/", .document, frame: "F", load: "E", in: self.frame)
        #expect(self.commands(machine.handle(away, at: .zero)) == ["fail"])
        let press = self.message("{\"k\":\"gesture\",\"type\":\"pointerdown\"}", by: .gesture, in: self.frame)
        #expect(self.reports(machine.handle(press, at: .zero)).isEmpty)
        let out = self.reports(machine.handle(away, at: .zero))
        #expect(out == [.partClicked(self.card, ClickThroughURL("https://e.example/"), byUser: true)])
        // A nested frame may navigate, but not to the local network.
        let inner = self.request("https://ads.example/", .document, frame: "G", in: self.frame)
        #expect(self.commands(machine.handle(inner, at: .zero)) == ["proceed"])
        let local = self.request("http://localhost/", .image, frame: "G", in: self.frame)
        #expect(self.commands(machine.handle(local, at: .zero)) == ["fail"])
    }

    @Test("a window of a part is closed, and a dialog is dismissed")
    func windows() {
        var machine = self.withCard()
        #expect(self.commands(self.attach(&machine, kind: .other("page"))) == ["close"])
        _ = machine.handle(
            self.request("https://ad-x-1-part-1.yabbi-creative.invalid/", .document, frame: "F", load: "D"),
            at: .zero
        )
        _ = self.attach(&machine)
        let dialog = EngineEvent.Kind.dialogOpened(kind: "alert", text: "hello")
        let answer = machine.handle(self.event(dialog, in: self.frame), at: .zero)
        #expect(self.commands(answer) == ["dismissDialog"] && self.reports(answer).count == 1)
    }

    @Test("a close frees the media file and reports nothing")
    func close() {
        var machine = self.withCard()
        let close = machine.handle(.close, at: .zero)
        #expect(!close.contains { if case .report = $0 { true } else { false } })
        var playing = self.ready()
        _ = playing.handle(.fetched(1, .success(FetchedMedia(size: 1, status: 200))), at: .zero)
        #expect(playing.playback?.isPlaying == true)
        #expect(playing.handle(.close, at: .zero).contains(.drop(1)) && playing.playback?.isPlaying == false)
        #expect(playing.handle(.video(.play), at: .zero).isEmpty)
    }
}
