import AdCore
import BrowserSupport
import SystemSupport
import TestSupport
import Testing

@testable import WebStage

/// The notifications of stages; tests can wait for them.
private typealias Notifications = Received<StageNotification>

extension Received<StageNotification> {
    fileprivate var activities: [CreativeActivity] {
        self.all.compactMap { if case .activity(let one) = $0 { one.activity } else { nil } }
    }

    fileprivate func activity(where wanted: @escaping @Sendable (CreativeActivity) -> Bool) async {
        await self.first { if case .activity(let one) = $0 { wanted(one.activity) } else { false } }
    }
}

@Suite("A live view of a stage", .needsEngine, .timeLimit(.minutes(1)))
struct LiveStageTests {
    private func presenter(
        _ notifications: Notifications,
        _ change: (inout StageSettings) -> Void = { _ in }
    ) throws -> any BrowserPresenter {
        let options = TestBrowser()
        var settings = StageSettings(screen: Size(width: 390, height: 844))
        change(&settings)
        return try options.presenter(settings) { notification, _ in notifications.append(notification) }
    }

    @Test("a picture comes at once and after a change; a user's press changes the ad, and is a click")
    func pictures() async throws {
        let notifications = Notifications()
        let presenter = try self.presenter(notifications)
        let body = """
            <a href="https://a.example/" target="_blank" style="position:fixed;inset:0;background:#00f"
             onpointerdown="this.style.background='#0f0'"></a>
            """
        try await StageHarness.show(body, on: presenter) { (stage, reports) async throws -> Void in
            let pictures = Received<[UInt8]>()
            stage.startPictures(EnginePictures(size: Size(width: 390, height: 844), quality: 70)) {
                pictures.append(Base64.bytes($0) ?? [])
            }
            #expect(await pictures.first()?.starts(with: [0xFF, 0xD8]) == true, "JPEG")
            let place = ScreenPoint(x: 200, y: 400)
            let before = pictures.all.count
            // On a busy machine a press can come before the browser knows the layout.
            for _ in 0..<10 where reports.clicks.isEmpty {
                stage.point(.press, at: place, isTouch: false, isPressed: true)
                stage.point(.release, at: place, isTouch: false, isPressed: true)
                try await stage.waitUntilDrawn()
            }
            #expect(reports.clicks.first == "https://a.example/")
            #expect(await pictures.first(after: before) != nil)
            stage.stopPictures()
        }
        await presenter.close()
    }

    @Test("a finger reaches listeners of touches, and a key the focused element")
    func inputs() async throws {
        let notifications = Notifications()
        let presenter = try self.presenter(notifications)
        let body = """
            <div id=a style="position:fixed;inset:0 0 50% 0;background:#ccc"></div><input id=b style="margin-top:500px">
            <script>
            a.addEventListener("touchstart", () => console.log("touched"));
            b.addEventListener("input", () => console.log("entered " + b.value));
            </script>
            """
        try await StageHarness.show(body, on: presenter) { (stage, _) async throws -> Void in
            let place = ScreenPoint(x: 100, y: 100)
            #expect(await stage.wantsTouch(at: place))
            let isTouched: @Sendable (CreativeActivity) -> Bool = {
                if case .console(let one) = $0 { one.text == "touched" } else { false }
            }
            for _ in 0..<10 where !notifications.activities.contains(where: isTouched) {
                stage.point(.press, at: place, isTouch: true, isPressed: true)
                stage.point(.release, at: place, isTouch: true, isPressed: true)
                try await stage.waitUntilDrawn()
            }
            #expect(notifications.activities.contains(where: isTouched))
            _ = try await stage.evaluate(inCreative: "b.focus(), 0")
            for isDown in [true, false] {
                stage.type(EngineKey(isDown: isDown, key: "q", code: "KeyQ", text: isDown ? "q" : "", modifiers: 0))
            }
            await notifications.activity { if case .console(let one) = $0 { one.text == "entered q" } else { false } }
        }
        await presenter.close()
    }

    @Test("console messages have their level, text and line; a flood of them is cut with a note")
    func console() async throws {
        let notifications = Notifications()
        let presenter = try self.presenter(notifications)
        let body = """
            <p>An ad</p><script>
            console.log("one", 2, { three: 3 });
            console.warn("careful");
            for (let i = 0; i < 1500; i++) console.info("flood");
            </script>
            """
        try await StageHarness.show(body, on: presenter) { (_, _) async throws -> Void in
            await notifications.activity { $0 == .omitted("console") }
            let messages = notifications.activities.compactMap { if case .console(let one) = $0 { one } else { nil } }
            #expect(messages.count == ActivityLimit.perKind)
            #expect(messages[0].level == .log && messages[0].text == "one 2 Object" && messages[0].line == 2)
            #expect(messages[1].level == .warning && messages[1].text == "careful" && messages[1].line == 3)
        }
        await presenter.close()
    }

    @Test("a script that keeps the page busy is reported with its real time")
    func longTask() async throws {
        let notifications = Notifications()
        let presenter = try self.presenter(notifications)
        let body =
            "<p>An ad</p><script>setInterval(() => { const end = Date.now() + 300; while (Date.now() < end); }, 900)</script>"
        try await StageHarness.show(body, on: presenter) { (_, _) async throws -> Void in
            await notifications.activity {
                if case .longTask(let time) = $0 { time >= .milliseconds(290) } else { false }
            }
        }
        await presenter.close()
    }

    @Test("a script that keeps the page busy before anything is drawn is reported once", arguments: [0, 30, 60])
    func longTaskBeforePaint(delay: Int) async throws {
        let notifications = Notifications()
        let presenter = try self.presenter(notifications)
        let body = """
            <script>setTimeout(() => {
              const end = performance.now() + 400; while (performance.now() < end);
              document.body.append("An ad");
              setTimeout(() => console.log("later"), 500);
            }, \(delay))</script>
            """
        try await StageHarness.show(body, on: presenter) { (_, _) async throws -> Void in
            await notifications.activity { if case .console = $0 { true } else { false } }
            let tasks = notifications.activities.compactMap { if case .longTask(let time) = $0 { time } else { nil } }
            #expect(tasks.filter { $0 >= .milliseconds(390) }.count == 1, "\(tasks)")
        }
        await presenter.close()
    }

    @Test("of a page that does not answer nothing is known, and of one that does everything", arguments: [true, false])
    func use(isBusy: Bool) async throws {
        let notifications = Notifications()
        let presenter = try self.presenter(notifications) { $0.isMeasured = true }
        let loop = isBusy ? "const end = Date.now() + 2500; while (Date.now() < end);" : ""
        let body = "<p>An ad</p><script>setTimeout(() => { console.log('begun'); \(loop) }, 200)</script>"
        try await StageHarness.show(body, on: presenter) { (stage, _) async throws -> Void in
            await notifications.activity { if case .console = $0 { true } else { false } }
            await stage.reportUse(within: .milliseconds(400))
            let uses = notifications.activities.compactMap { if case .use(let use) = $0 { use } else { nil } }
            let use = try #require(uses.first)
            #expect([use.processor == nil, use.memory == nil, use.nodes == nil] == [isBusy, isBusy, isBusy])
            #expect([use.isEndless == nil, use.isChanging == nil] == [isBusy, isBusy])
        }
        await presenter.close()
    }

    @Test("a film of the creative that waits for data is reported with its time and position")
    func mediaStall() async throws {
        let notifications = Notifications()
        let presenter = try self.presenter(notifications)
        let body = """
            <video muted autoplay loop src="\(VideoServer.dataURL("/media/pluvello.mp4"))"></video><script>
            const video = document.querySelector("video");
            const wait = () => {
              video.removeEventListener("timeupdate", wait);
              video.dispatchEvent(new Event("waiting"));
              setTimeout(() => video.dispatchEvent(new Event("playing")), 200);
            };
            video.addEventListener("timeupdate", wait);
            </script>
            """
        try await StageHarness.show(body, on: presenter) { (_, _) async throws -> Void in
            await notifications.activity {
                if case .mediaStall(let time, let position?) = $0 {
                    time >= .milliseconds(190) && position > .zero
                } else {
                    false
                }
            }
        }
        await presenter.close()
    }

    @Test("calls of MRAID are listed with their arguments and answers, and the changes of its state")
    func mraid() async throws {
        let notifications = Notifications()
        let presenter = try self.presenter(notifications)
        let body = """
            <script src="mraid.js"></script><p>An ad</p>
            <script>mraid.addEventListener("ready", () => mraid.setOrientationProperties({ forceOrientation: "sideways" }))</script>
            """
        try await StageHarness.show(body, on: presenter) { (_, _) async throws -> Void in
            await notifications.activity {
                if case .bridge(let one) = $0 {
                    one.type == "reply" && one.arguments["outcome"] == "refused"
                } else {
                    false
                }
            }
            let messages = notifications.activities.compactMap { if case .bridge(let one) = $0 { one } else { nil } }
            let call = messages.first { $0.direction == .fromCreative }
            #expect(call?.type == "setOrientationProperties" && call?.arguments["forceOrientation"] == "sideways")
            #expect(messages.contains { $0.direction == .toCreative && $0.type == "stateChange" })
        }
        await presenter.close()
    }

    @Test("an ad without MRAID gets no messages of it")
    func noMRAID() async throws {
        let notifications = Notifications()
        let presenter = try self.presenter(notifications)
        try await StageHarness.show("<p>An ad</p>", on: presenter) { (stage, _) async throws -> Void in
            try await stage.waitUntilDrawn()
            #expect(!notifications.activities.contains { if case .bridge = $0 { true } else { false } })
        }
        await presenter.close()
    }

    @Test("the simulated device is what the creative sees: User-Agent, language, time zone, touch, in frames too")
    func device() async throws {
        let notifications = Notifications()
        let presenter = try self.presenter(notifications) { settings in
            var device = EngineDevice(userAgent: "Example/1.0 (Test)")
            device.navigatorPlatform = "Example"
            device.locale = "de-DE"
            device.timeZone = "Pacific/Auckland"
            settings.device = device
        }
        try await StageHarness.show("<p>An ad</p>", on: presenter) { (stage, _) async throws -> Void in
            #expect(try await stage.evaluate(inCreative: "navigator.userAgent") == "Example/1.0 (Test)")
            #expect(try await stage.evaluate(inCreative: "navigator.platform") == "Example")
            #expect(try await stage.evaluate(inCreative: "navigator.language") == "de-DE")
            if EngineDifference.oneTimeZone.isHere { return }
            let zone = "Intl.DateTimeFormat().resolvedOptions().timeZone"
            #expect(try await stage.evaluate(inCreative: zone) == "Pacific/Auckland")
            #expect(try await stage.evaluate(inCreative: "(1234.5).toLocaleString()") == "1.234,5")
        }
        await presenter.close()
    }

    @Test("a creative whose network goes offline sees it, and its requests fail", .differs(.noOfflineSwitch))
    func offline() async throws {
        let notifications = Notifications()
        let presenter = try self.presenter(notifications)
        try await StageHarness.show("<p>An ad</p>", on: presenter) { (stage, _) async throws -> Void in
            #expect(try await stage.evaluate(inCreative: "navigator.onLine") == true)
            stage.throttle(EngineNetwork(isOffline: true))
            #expect(try await stage.evaluate(inCreative: "navigator.onLine") == false)
            stage.throttle(nil)
            #expect(try await stage.evaluate(inCreative: "navigator.onLine") == true)
        }
        await presenter.close()
    }

    @Test("files beside the document are served at its own origin, and a missing one is named with the fix")
    func files() async throws {
        let notifications = Notifications()
        let files = StageFiles("ad.zip") { target in
            switch target {
            case "/a.js?v=1":
                .file(StageFiles.File(type: "text/javascript", bytes: Array("console.log('from a file')".utf8)))
            default: .missing("it is not in ad.zip")
            }
        }
        let presenter = try self.presenter(notifications) { $0.files = files }
        let body = "<p>An ad</p><script src='a.js?v=1'></script><img src='img/b.png'>"
        try await StageHarness.show(body, on: presenter) { (_, reports) async throws -> Void in
            await notifications.activity { if case .console(let one) = $0 { one.text == "from a file" } else { false } }
            let wanted = CreativeDiagnostic.requestFailed(
                FailedRequest(url: "ad.zip/img/b.png", reason: "it is not in ad.zip")
            )
            await reports.first { $0 == .diagnostic(wanted) }
            #expect(reports.events.count { if case .diagnostic(.requestFailed) = $0 { true } else { false } } == 1)
        }
        await presenter.close()
    }

    @Test("with tracking withheld a pixel is blocked and listed, and a picture of the ad is not")
    func tracking() async throws {
        let notifications = Notifications()
        let presenter = try self.presenter(notifications) { $0.withholdsTracking = true }
        let body = """
            <p>An ad</p><img src="https://a.example/pixel.gif?x=1"><img src="https://a.example/shoe.png">
            <script>navigator.sendBeacon("https://b.example/anything")</script>
            """
        try await StageHarness.show(body, on: presenter) { (_, _) async throws -> Void in
            await notifications.activity { $0 == .withheld(url: "https://a.example/pixel.gif?x=1") }
            await notifications.activity { $0 == .withheld(url: "https://b.example/anything") }
            #expect(!notifications.activities.contains(.withheld(url: "https://a.example/shoe.png")))
        }
        await presenter.close()
    }
}
