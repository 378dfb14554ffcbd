import AdCore
import TestSupport
import Testing

@testable import WebStage

/// The player's side of a conversation, driven by a test.
private struct Conversation {
    var session: SIMIDSession
    var context = SIMIDContext(area: Size(width: 390, height: 219), duration: .seconds(15))
    private var nextMessage = 0
    private(set) var actions: [SIMIDSession.Action] = []
    var now = Duration.zero

    init(_ change: (inout SIMIDSetup) -> Void = { _ in }) {
        var setup = SIMIDSetup(parameters: "p", clickThrough: "https://shop.example/", mayChangeDuration: true)
        change(&setup)
        self.session = SIMIDSession(setup)
        self.actions = self.session.start()
    }

    /// One that is running.
    static func running(_ change: (inout SIMIDSetup) -> Void = { _ in }) -> Conversation {
        var conversation = Conversation(change)
        conversation.say("createSession")
        conversation.answer("Player:init")
        conversation.add(conversation.session.videoStarted())
        conversation.answer("Player:startCreative")
        conversation.clear()
        return conversation
    }

    /// The creative posts a message; returns its number.
    @discardableResult
    mutating func say(_ type: String, _ arguments: AdJSON = [:], session: String = "s") -> Int {
        let message = SIMIDMessage(session: session, id: self.nextMessage, type: type, arguments: arguments)
        self.nextMessage += 1
        self.post(message.text)
        return message.id
    }

    mutating func post(_ text: String) {
        self.add(self.session.handle(text, self.context, at: self.now))
    }

    /// The creative answers the latest message of a type.
    mutating func answer(_ type: String, with reply: String = "resolve", _ value: AdJSON = [:]) {
        let message = self.posted.last { $0.type == "SIMID:\(type)" }
        self.say(reply, ["messageId": .int(message?.id ?? -1), "value": value])
    }

    mutating func add(_ actions: [SIMIDSession.Action]) { self.actions += actions }
    mutating func clear() { self.actions = [] }

    var posted: [SIMIDMessage] {
        self.actions.compactMap { if case .post(let message) = $0 { message } else { nil } }
    }
    var types: [String] { self.posted.map(\.type) }
    /// The code of the latest rejection.
    var rejection: Int? {
        self.posted.last { $0.type == "reject" }?.arguments["value"]?["errorCode"]?.number.flatMap(Int.init(exactly:))
    }
    /// The actions that are neither messages nor listed.
    var effects: [SIMIDSession.Action] {
        self.actions.filter { action in
            switch action {
            case .post, .observe: false
            default: true
            }
        }
    }
}

@Suite("The conversation with a SIMID creative")
struct SIMIDSessionTests {
    @Test("session, init and start follow each other, and the creative is shown when it has resolved its start")
    func life() throws {
        var creative = Conversation()
        #expect(creative.effects == [.setAlarm(.session, after: .seconds(3))])
        creative.say("createSession")
        #expect(creative.types == ["resolve", "SIMID:Player:init"])
        let initialization = try #require(creative.posted.last)
        #expect(initialization.session == "s" && initialization.id == 1)
        #expect(initialization.arguments["creativeData"]?["adParameters"] == "p")
        #expect(initialization.arguments["creativeData"]?["clickThruUrl"] == "https://shop.example/")
        let environment = initialization.arguments["environmentData"]
        #expect(environment?["videoDimensions"] == ["x": 0, "y": 0, "width": 390, "height": 219])
        #expect(environment?["variableDurationAllowed"] == true && environment?["version"] == "1.2")
        #expect(environment?["skippableState"] == "notSkippable")
        creative.clear()
        creative.answer("Player:init")
        #expect(creative.effects.isEmpty, "the number of the message is unknown: it was cleared")
    }

    @Test("the ad waits for the creative's initialization, and starts it when the video starts")
    func start() {
        var creative = Conversation()
        creative.say("createSession")
        creative.answer("Player:init")
        #expect(creative.effects.last == .settled && creative.session.phase == .ready)
        creative.add(creative.session.media("timeupdate", ["currentTime": 1]))
        creative.add(creative.session.videoStarted())
        #expect(creative.types.suffix(2) == ["SIMID:Media:timeupdate", "SIMID:Player:startCreative"])
        creative.answer("Player:startCreative")
        #expect(creative.effects.last == .show && creative.session.phase == .running)
    }

    @Test("a creative hears nothing of the video before it has resolved init")
    func silence() {
        var creative = Conversation()
        #expect(creative.session.media("play").isEmpty)
        creative.say("createSession")
        #expect(creative.session.media("play").isEmpty && creative.session.player("resize").isEmpty)
    }

    @Test("a creative that is late does not hold the video, and may come while it plays")
    func late() {
        var creative = Conversation()
        creative.add(creative.session.handle(.session))
        #expect(creative.effects.last == .settled)
        creative.add(creative.session.videoStarted())
        creative.say("createSession")
        creative.answer("Player:init")
        creative.answer("Player:startCreative")
        #expect(creative.effects.last == .show)
        #expect(creative.effects.count { $0 == .settled } == 1)
    }

    @Test(
        "a creative that does not answer is removed at the end of the video, with the code of what is missing",
        arguments: [(0, 1223), (1, 1212), (2, 1213)]
    )
    func unanswered(steps: Int, code: Int) {
        var creative = Conversation()
        if steps > 0 { creative.say("createSession") }
        if steps > 1 { creative.answer("Player:init") }
        creative.add(creative.session.videoStarted())
        creative.add(creative.session.end(.stopped(2)))
        guard case .remove(code, _)? = creative.effects.last else {
            Issue.record("\(creative.effects)")
            return
        }
        #expect(creative.session.isOver)
    }

    @Test(
        "a rejected init or start removes the creative with its own code, or the player's if it has none",
        arguments: [(1101, 1101), (7, 1212), (1212, 1212), (nil, 1212)] as [(Int?, Int)]
    )
    func rejected(code: Int?, reported: Int) {
        var creative = Conversation()
        creative.say("createSession")
        creative.answer("Player:init", with: "reject", ["errorCode": code.map { .int($0) } ?? .null, "reason": "no"])
        #expect(
            creative.effects.suffix(2) == [
                .settled, .remove(code: reported, "the interactive creative has rejected Player:init: no"),
            ]
        )
    }

    @Test("a nonlinear creative that does not answer its start is removed with 1213")
    func nonlinearStart() {
        for isNonlinear in [true, false] {
            var creative = Conversation { $0.isNonlinear = isNonlinear }
            creative.say("createSession")
            creative.answer("Player:init")
            creative.add(creative.session.videoStarted())
            creative.add(creative.session.handle(.start))
            #expect(creative.session.isOver == isNonlinear)
        }
    }

    @Test("a video that fails is not the creative's fault")
    func failedVideo() {
        var creative = Conversation()
        creative.add(creative.session.end(.failed(1206, "status 404")))
        #expect(creative.effects.last == .remove(code: nil, "") && creative.session.isOver)
    }

    @Test("the end is told once, and the creative is removed when it has answered or does not")
    func end() {
        for answers in [true, false] {
            var creative = Conversation.running()
            creative.add(creative.session.end(.stopped(2)))
            creative.add(creative.session.end(.skipped))
            #expect(creative.types == ["SIMID:Player:adStopped"] && creative.posted[0].arguments == ["code": 2])
            #expect(creative.effects == [.hide, .setAlarm(.farewell, after: SIMIDSession.farewell)])
            creative.clear()
            if answers {
                creative.say("resolve", ["messageId": .int(3)])
            } else {
                creative.add(creative.session.handle(.farewell))
            }
            #expect(creative.effects == [.remove(code: nil, "")] && creative.session.isOver)
        }
    }

    @Test("after the end only tracking is possible")
    func afterwards() {
        var creative = Conversation.running()
        creative.add(creative.session.end(.skipped))
        creative.clear()
        creative.say("SIMID:Creative:requestPause")
        creative.say("SIMID:Creative:reportTracking", ["trackingUrls": ["https://t.example/1"]])
        #expect(creative.effects == [.track(["https://t.example/1"])] && creative.types == ["resolve"])
    }
}

@Suite("Requests of a SIMID creative")
struct SIMIDRequestTests {
    @Test("it pauses and resumes a video that it may pause, and not twice")
    func pause() {
        var creative = Conversation.running()
        creative.say("SIMID:Creative:requestPause")
        creative.context.isPaused = true
        creative.say("SIMID:Creative:requestPause")
        creative.say("SIMID:Creative:requestPlay")
        #expect(creative.effects == [.pause, .play] && creative.types == ["resolve", "reject", "resolve"])
        var fixed = Conversation.running { $0.mayChangeDuration = false }
        fixed.say("SIMID:Creative:requestPause")
        #expect(fixed.effects.isEmpty && fixed.rejection == 1203)
    }

    @Test("it gets the state of the video")
    func state() throws {
        var creative = Conversation.running()
        creative.context.position = .milliseconds(2_500)
        let number = creative.say("SIMID:Creative:getMediaState")
        let reply = try #require(creative.posted.last)
        #expect(reply.arguments["messageId"] == .int(number))
        #expect(reply.arguments["value"]?["currentTime"]?.number == 2.5)
        #expect(reply.arguments["value"]?["duration"]?.number == 15)
    }

    @Test(
        "an ad is extended only after a user's press, and by a minute at most",
        arguments: [
            (true, 30, .extend(.seconds(30)), nil), (true, -2, .extend(nil), nil), (false, 30, nil, 1203),
            (true, 1e9, nil, 1202), (true, -1, nil, 1211), (true, 75.5, nil, 1202),
        ] as [(Bool, Double, SIMIDSession.Action?, Int?)]
    )
    func duration(hasGesture: Bool, seconds: Double, effect: SIMIDSession.Action?, code: Int?) {
        var creative = Conversation.running()
        creative.context.gestures = hasGesture ? 1 : 0
        creative.say("SIMID:Creative:requestChangeAdDuration", ["duration": .double(seconds)])
        #expect(creative.effects == [effect].compactMap(\.self) && creative.rejection == code)
    }

    @Test("it stops the ad: the video is stopped, and the creative is told and removed")
    func stop() {
        var creative = Conversation.running()
        creative.say("SIMID:Creative:requestStop")
        #expect(creative.types == ["resolve", "SIMID:Player:adStopped"])
        #expect(creative.posted.last?.arguments == ["code": 4])
        #expect(creative.effects == [.stop, .hide, .setAlarm(.farewell, after: SIMIDSession.farewell)])
    }

    @Test("it can't stop an ad that has not started")
    func earlyStop() {
        var creative = Conversation()
        creative.say("createSession")
        creative.answer("Player:init")
        creative.say("SIMID:Creative:requestStop")
        #expect(creative.rejection == 1203 && !creative.effects.contains(.stop))
    }

    @Test("it skips only for a user who may skip")
    func skip() {
        for (isSkippable, hasGesture) in [(true, true), (true, false), (false, true)] {
            var creative = Conversation.running { $0.skipOffset = .seconds(5) }
            (creative.context.isSkippable, creative.context.gestures) = (isSkippable, hasGesture ? 1 : 0)
            creative.say("SIMID:Creative:requestSkip")
            #expect(creative.effects == (isSkippable && hasGesture ? [.skip] : []))
        }
    }

    @Test("it asks for sizes within the ad only, and never for another screen")
    func size() {
        var creative = Conversation.running()
        let half: AdJSON = ["x": 0, "y": 0, "width": 195, "height": 219]
        let rest: AdJSON = ["x": 195, "y": 0, "width": 195, "height": 219]
        creative.say("SIMID:Creative:requestResize", ["mediaDimensions": half, "creativeDimensions": rest])
        let rects = [MRAIDRect(dimensions: half), MRAIDRect(dimensions: rest)].compactMap(\.self)
        #expect(creative.effects == [.resize(media: rects[0], creative: rects[1])])
        creative.clear()
        let large: AdJSON = ["x": 0, "y": 0, "width": 4000, "height": 219]
        creative.say("SIMID:Creative:requestResize", ["mediaDimensions": half, "creativeDimensions": large])
        creative.say("SIMID:Creative:requestFullscreen")
        #expect(creative.effects.isEmpty && creative.types == ["reject", "reject"])
    }

    @Test("it opens valid links, and not without end")
    func links() {
        var creative = Conversation.running()
        creative.say("SIMID:Creative:clickThru", ["playerHandles": true, "url": "https://shop.example/a"])
        creative.say("SIMID:Creative:clickThru", ["x": 1, "y": 2])
        creative.say("SIMID:Creative:requestNavigation", ["uri": "https://shop.example/b"])
        creative.say("SIMID:Creative:requestNavigation", ["uri": "javascript:alert(1)"])
        #expect(
            creative.effects == [
                .click("https://shop.example/a"), .click(nil), .navigate("https://shop.example/b"),
            ] && creative.rejection == 1217
        )
        for _ in 0..<20 { creative.say("SIMID:Creative:requestNavigation", ["uri": "https://shop.example/b"]) }
        #expect(creative.rejection == 1216 && creative.effects.count <= SIMIDSession.maxNavigations)
    }

    @Test("a fatal error removes the creative and ends the ad, with a code that creatives may have")
    func fatal() {
        for (code, reported) in [(1108, 1108), (5, 1100)] {
            var creative = Conversation.running()
            creative.say("SIMID:Creative:fatalError", ["errorCode": .int(code), "errorMessage": "broken"])
            #expect(
                creative.effects == [
                    .remove(code: nil, ""), .fail(code: reported, "the interactive creative has failed: broken"),
                ]
            )
            creative.clear()
            creative.say("SIMID:Creative:requestPlay")
            #expect(creative.actions.isEmpty)
        }
    }

    @Test("a nonlinear ad expands after a user's press, and a linear one does not")
    func nonlinear() {
        var creative = Conversation.running { $0.isNonlinear = true }
        creative.say("SIMID:Creative:expandNonlinear")
        #expect(creative.rejection == 1221)
        creative.context.gestures = 1
        creative.say("SIMID:Creative:expandNonlinear")
        creative.say("SIMID:Creative:collapseNonlinear")
        #expect(creative.effects == [.expand, .collapse])
        var linear = Conversation.running()
        linear.say("SIMID:Creative:expandNonlinear")
        #expect(linear.rejection == 1105)
    }
}

@Suite("A SIMID creative that does not keep to the rules")
struct SIMIDMisbehaviorTests {
    @Test("messages of another session, before a session, and unknown replies have no effect")
    func lies() {
        var creative = Conversation()
        creative.say("SIMID:Creative:requestStop")
        creative.say("createSession")
        creative.answer("Player:init")
        creative.clear()
        creative.say("SIMID:Creative:requestStop", session: "other")
        creative.say("createSession")
        creative.answer("Player:init")
        creative.say("resolve", ["messageId": 99])
        creative.say("resolve")
        creative.say("reject", ["messageId": 1])
        #expect(creative.effects.isEmpty && creative.types.isEmpty && creative.session.phase == .ready)
    }

    @Test(
        "what is no message is ignored",
        arguments: [
            "", "{", "[]", "{}", #"{"sessionId":"s"}"#, #"{"sessionId":1,"messageId":1,"type":"x"}"#,
            #"{"sessionId":"s","messageId":-1,"type":"x"}"#, #"{"sessionId":"s","messageId":1e99,"type":"x"}"#,
            String(repeating: "x", count: 100_000),
        ]
    )
    func garbage(text: String) {
        var creative = Conversation.running()
        creative.post(text)
        #expect(creative.actions.isEmpty)
    }

    @Test("an unknown request is rejected with 1211")
    func unknown() {
        var creative = Conversation.running()
        for type in ["SIMID:Creative:dance", "SIMID:Player:init", "dance", "SIMID:Creative:requestChangeVolume"] {
            creative.say(type)
            #expect(creative.rejection == 1211, "\(type)")
        }
        #expect(creative.effects.isEmpty)
    }

    @Test("a creative that posts too many messages is removed with 1205, and the video goes on")
    func flood() {
        var creative = Conversation.running()
        for _ in 0..<10_000 { creative.say("SIMID:Creative:getMediaState") }
        #expect(creative.effects.count == 1 && creative.session.isOver)
        guard case .remove(1205, _)? = creative.effects.first else {
            Issue.record("\(creative.effects)")
            return
        }
        var slow = Conversation.running()
        for second in 0..<100 {
            slow.now = .seconds(second)
            for _ in 0..<100 { slow.say("SIMID:Creative:log", ["message": "x"]) }
        }
        #expect(slow.effects.isEmpty)
    }

    @Test("a creative that ends, fails or floods before its init does not hold the ad")
    func early() {
        var lost = Conversation()
        lost.add(lost.session.lost("status 404"))
        #expect(lost.effects.suffix(2).first == .settled)
        var flooding = Conversation()
        for _ in 0..<1_000 { flooding.post("x") }
        #expect(flooding.effects.contains(.settled) && flooding.session.isOver)
    }

    @Test("no sequence of messages breaks the order: one start, one show, one removal")
    func random() {
        let seed = UInt64.random(in: 0...9_999)
        var random = TestRandom(seed: seed)
        let types = [
            "createSession", "resolve", "reject", "SIMID:Creative:requestPause", "SIMID:Creative:requestStop",
            "SIMID:Creative:fatalError", "SIMID:Creative:requestSkip", "SIMID:Creative:clickThru", "nonsense",
        ]
        for _ in 0..<500 {
            var creative = Conversation()
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                creative.context.gestures = Bool.random(using: &random) ? 1 : 0
                switch Int.random(in: 0...5, using: &random) {
                case 0: creative.add(creative.session.videoStarted())
                case 1: creative.add(creative.session.end(.stopped(2)))
                case 2:
                    creative.add(
                        creative.session.handle(
                            [.session, .initialization, .farewell].randomElement(using: &random) ?? .session
                        )
                    )
                default:
                    creative.say(
                        types.randomElement(using: &random) ?? "",
                        ["messageId": .int(Int.random(in: 0...5, using: &random))]
                    )
                }
            }
            let shows = creative.effects.count { $0 == .show }
            let settled = creative.effects.count { $0 == .settled }
            let removals = creative.effects.count { if case .remove = $0 { true } else { false } }
            #expect(shows <= 1 && settled <= 1 && removals <= 1, "seed \(seed)")
            #expect((removals == 1) == creative.session.isOver, "seed \(seed)")
            let numbers = creative.posted.map(\.id)
            #expect(numbers == Array(0..<numbers.count), "seed \(seed)")
        }
    }
}
