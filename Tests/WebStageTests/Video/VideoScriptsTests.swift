import AdCore
import Testing

@testable import WebStage

/// A video's machine with scripts, driven by a test.
private struct ScriptedVideo {
    var machine: VideoMachine
    let page = EngineTarget(name: "PAGE")
    private(set) var outputs: [StageOutput] = []
    private var nextMessage = 0

    init(_ first: VideoSpot, _ others: [VideoSpot] = []) {
        let container = AdContainer.fullScreen(Size(width: 390, height: 844))
        let size = CreativeLayout(.fixed(Size(width: 640, height: 360)), in: container)
        let geometry = StageGeometry(screen: container.screen, size: size)
        let plan = StagePlan(name: "ad-x-1", layout: .full, geometry: geometry, document: "")
        let options = PlayerOptions(storeAddress: VideoMachine.storeAddress(plan))
        let hostPage = HostPage(.video(isStored: true), plan.name, in: self.page, frame: "MAIN")
        self.machine = VideoMachine(VideoCreative(first, others), plan, options, in: hostPage)
        self.outputs = self.machine.start()
        self.handle(.reply(.navigated, .success(.done)))
        self.handle(.reply(.world, .success(.done)))
        self.handle(.reply(.hostReady, .success(.value(.null))))
    }

    mutating func handle(_ input: StageInput, at now: Duration = .zero) {
        self.outputs += self.machine.handle(input, at: now)
    }

    mutating func clear() { self.outputs = [] }

    /// A message of the host page.
    mutating func say(_ json: AdJSON) {
        let message = EngineMessage(.host, json.text(), from: nil)
        self.handle(.event(EngineEvent(.message(message), in: self.page)))
    }

    /// A message of the interactive creative in a frame.
    mutating func post(_ type: String, _ arguments: AdJSON = [:], frame: Int = 1) {
        let message = SIMIDMessage(session: "s", id: self.nextMessage, type: type, arguments: arguments)
        self.nextMessage += 1
        self.say(["k": "frame", "n": .int(frame), "m": .string(message.text)])
    }

    /// Loads the media file with a number.
    mutating func load(_ number: Int) {
        self.handle(.fetched(number, .success(FetchedMedia(size: 10, status: 200))))
        self.say(["k": "video", "n": .int(number), "e": "canplay", "t": 0, "d": 6000, "w": 640])
    }

    /// Loads the first media file and starts it.
    mutating func play() {
        self.load(1)
        self.handle(.reveal)
        self.handle(.video(.play))
        self.say(["k": "video", "n": 1, "e": "playing", "t": 0, "d": 6000])
    }

    var reports: [StageEvent] {
        self.outputs.compactMap { if case .report(let event) = $0 { event } else { nil } }
    }
    var states: [VerificationState] {
        self.reports.compactMap { if case .video(.verification(_, let state), _) = $0 { state } else { nil } }
    }
    /// The scripts that were run in the host page.
    var scripts: [String] {
        self.outputs.compactMap { output in
            if case .send(.evaluate(let evaluation, let target)) = output, target == self.page {
                evaluation.script
            } else {
                nil
            }
        }
    }
    func calls(_ name: String) -> Int { self.scripts.count { $0.hasPrefix("\(name)(") } }
}

@Suite("The scripts and interactive creatives of a video")
struct VideoScriptsTests {
    private func spot(
        _ change: (inout VideoSpot) -> Void = { _ in }
    ) throws -> VideoSpot {
        let file = MediaFile(try #require(HTTPURL("https://m.example/a.mp4")), type: "video/mp4")
        var spot = VideoSpot(.media([file]), rules: SpotRules(duration: .seconds(6)))
        change(&spot)
        return spot
    }

    private func simid() throws -> VideoSpot {
        let url = try #require(HTTPURL("https://s.example/s.html"))
        return try self.spot { $0.interactive = InteractiveCreative(.simid, url, changesDuration: true) }
    }

    private func vendor(_ scripts: String...) -> VideoVerification {
        VideoVerification(vendor: "v.example", scripts: scripts.compactMap { HTTPURL($0) })
    }

    @Test("a vendor without a script is not supported, one on the local network is rejected, others are loaded")
    func verificationStates() throws {
        let vendors = [
            self.vendor(), self.vendor("http://10.0.0.1/a.js", "http://127.0.0.1/b.js"),
            self.vendor("http://10.0.0.1/a.js", "https://v.example/b.js"),
        ]
        var video = ScriptedVideo(try self.spot { $0.verifications = vendors })
        let reasons = video.states.map { state -> Int in
            if case .notExecuted(let reason, _) = state { reason.rawValue } else { 0 }
        }
        #expect(reasons == [2, 1, 0] && video.states.last == .loading)
        #expect(video.calls("yabbiPart") == 0, "scripts do not delay the start")
        video.play()
        #expect(video.calls("yabbiPart") == 1)
        let start = try #require(video.outputs.firstIndex(of: .report(.video(.started(duration: .seconds(6))))))
        let part = try #require(
            video.outputs.firstIndex { if case .setAlarm(.player(.part), _) = $0 { true } else { false } }
        )
        #expect(start < part)
    }

    @Test("a vendor's script that can't be loaded in time is reported with reason 3, and its frame is removed")
    func lateScript() throws {
        var video = ScriptedVideo(try self.spot { $0.verifications = [self.vendor("https://v.example/b.js")] })
        video.play()
        video.clear()
        video.handle(.alarm(.player(.part(1))), at: .seconds(5))
        guard case .notExecuted(.notLoaded, _)? = video.states.first else {
            Issue.record("\(video.states)")
            return
        }
        #expect(video.calls("yabbiPartGone") == 1)
    }

    @Test("an ad has twenty vendors at most")
    func manyVendors() throws {
        let vendors = (0..<100).map { _ in self.vendor("https://v.example/b.js") }
        var video = ScriptedVideo(try self.spot { $0.verifications = vendors })
        video.play()
        #expect(video.states.count { $0 == .loading } == OMIDSession.maxVendors && video.states.count == 100)
        #expect(video.calls("yabbiPart") == OMIDSession.maxVendors)
    }

    @Test("an ad is ready when its video and its interactive creative are, and after three seconds without the latter")
    func ready() throws {
        for answers in [true, false] {
            var video = ScriptedVideo(try self.simid())
            video.load(1)
            #expect(!video.reports.contains(.ready))
            if answers {
                video.post("createSession")
                video.post("resolve", ["messageId": 1])
            } else {
                video.handle(.alarm(.interactive(.session(0))), at: .seconds(3))
            }
            #expect(video.reports.count { $0 == .ready } == 1)
        }
    }

    @Test("a video that fails while its creative loads is not ready, and the next spot is")
    func failed() throws {
        var video = ScriptedVideo(try self.simid(), [try self.spot()])
        video.handle(.fetched(1, .failure(MediaError(code: 401, message: "missing"))))
        #expect(!video.reports.contains(.ready))
        video.handle(.video(.next(spot: 1)))
        video.load(2)
        #expect(video.reports.count { $0 == .ready } == 1)
    }

    @Test("an interactive creative in a pod is told of the end, and its frame stays for a moment, hidden")
    func pod() throws {
        var video = ScriptedVideo(try self.simid(), [try self.simid()])
        video.load(1)
        video.post("createSession")
        video.post("resolve", ["messageId": 1])
        video.clear()
        video.handle(.video(.next(spot: 1)))
        #expect(video.calls("yabbiPartHide") >= 1 && video.calls("yabbiPartGone") == 0)
        #expect(video.scripts.contains { $0.contains("SIMID:Player:adStopped") })
        #expect(video.outputs.contains(.setAlarm(.player(.partOver(1)), after: SIMIDSession.farewell)))
        video.clear()
        // The first one has nothing more to say about the second spot.
        video.post("SIMID:Creative:requestPause", frame: 1)
        #expect(video.outputs.isEmpty)
        video.handle(.alarm(.player(.partOver(1))))
        #expect(video.calls("yabbiPartGone") == 1)
    }

    @Test("a nonlinear ad that ends after its duration tells its creative so, with a code of its own")
    func nonlinearEnd() throws {
        let url = try #require(HTTPURL("https://s.example/s.html"))
        let spot = VideoSpot(
            .overlay(VideoPart(.page(url), size: Size(width: 300, height: 50))),
            rules: SpotRules(.overlay(minimum: .seconds(2))),
            interactive: InteractiveCreative(.simid, url)
        )
        for (time, code) in [(Duration.seconds(1), 1), (.seconds(3), 5)] {
            var video = ScriptedVideo(spot)
            video.post("createSession")
            video.post("resolve", ["messageId": 1])
            video.machine.player.load = .ready
            (video.machine.player.length, video.machine.player.position) = (.seconds(2), min(time, .seconds(2)))
            video.clear()
            video.handle(.close)
            #expect(
                video.scripts.contains { $0.contains("adStopped") && $0.contains("\"code\":\(code)") },
                "\(video.scripts)"
            )
        }
    }

    @Test("a creative may ask for the full screen after a user's press, and is told of its new size")
    func fullScreen() throws {
        var video = ScriptedVideo(try self.simid())
        video.load(1)
        video.post("createSession")
        video.post("resolve", ["messageId": 1])
        video.clear()
        video.post("SIMID:Creative:requestFullScreen")
        #expect(video.scripts.contains { $0.contains("1221") } && !video.reports.contains(.video(.enlarged(true))))
        _ = video.machine.parts[1]?.policy.handle(
            gesture: ["k": "gesture", "type": "click", "x": 1, "y": 1],
            in: EngineTarget(name: "FRAME"),
            at: .zero
        )
        video.clear()
        video.post("SIMID:Creative:requestFullScreen")
        #expect(video.reports.contains(.video(.enlarged(true))))
        #expect(video.scripts.contains { $0.contains("SIMID:Player:resize") && $0.contains("\"fullscreen\":true") })
        video.clear()
        video.post("SIMID:Creative:requestExitFullScreen")
        #expect(video.reports.contains(.video(.enlarged(false))))
    }

    @Test("each size that a creative asks for is relative to the ad, not to the size before")
    func resized() throws {
        var video = ScriptedVideo(try self.simid())
        video.load(1)
        video.post("createSession")
        video.post("resolve", ["messageId": 1])
        video.clear()
        let half: AdJSON = ["x": 0, "y": 100, "width": 390, "height": 100]
        for _ in 0..<2 {
            video.post("SIMID:Creative:requestResize", ["mediaDimensions": half, "creativeDimensions": half])
        }
        let boxes = video.scripts.filter { $0.hasPrefix("yabbiPartBox(") }
        #expect(boxes.count == 2 && Set(boxes).count == 1, "\(boxes)")
    }

    @Test("a URL with the words of the injected script is loaded as it is")
    func words() throws {
        let url = try #require(HTTPURL("https://p.example/LANDING_PAGE/CONFIG.js"))
        let spot = try self.spot { spot in
            spot.content = .overlay(VideoPart(.html(HTMLCreative(markup: "", document: ""))))
            spot.interactive = InteractiveCreative(.vpaid, url)
        }
        var video = ScriptedVideo(spot)
        let request = EngineRequest(
            EngineRequestID(number: "R", target: video.page),
            url: "https://ad-x-1-part-1.\(StageDomain.creative.name)/",
            kind: .document,
            frame: "F",
            headers: [],
            load: "L"
        )
        video.handle(.event(EngineEvent(.requestHeld(request), in: video.page)))
        let frame = AttachedTarget(.frame, EngineTarget(name: "FRAME"), id: "F", url: "")
        video.handle(.event(EngineEvent(.attached(frame), in: video.page)))
        let injected = video.outputs.compactMap { output -> String? in
            if case .send(.addScript(let script, _)) = output { script.source } else { nil }
        }
        #expect(injected.contains { $0.contains("\"https://p.example/LANDING_PAGE/CONFIG.js\"") })
    }
}
