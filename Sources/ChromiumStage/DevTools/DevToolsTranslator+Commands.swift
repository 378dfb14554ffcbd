import AdCore
import WebStage

// The longer commands.

extension DevToolsTranslator {
    /// What every page and frame is sent.
    static func observation(of target: EngineTarget) -> [DevToolsCommand] {
        [
            DevToolsCommand("Page.enable", in: target),
            DevToolsCommand("Page.setLifecycleEventsEnabled", ["enabled": true], in: target),
            // Without it bindings are lost when a frame changes its process.
            DevToolsCommand("Runtime.enable", in: target),
            DevToolsCommand("Network.enable", in: target),
            DevToolsCommand("Log.enable", in: target),
            DevToolsCommand("Inspector.enable", in: target),
            // A phone's pages have touches: creatives look for `ontouchstart`, and some listen to nothing else.
            DevToolsCommand("Emulation.setTouchEmulationEnabled", ["enabled": true], in: target),
            DevToolsCommand("Preload.enable", in: target),
            self.fetch(target),
            self.attach(target),
        ]
    }

    /// Frames and workers of a target are held until they are resumed.
    static func attach(_ target: EngineTarget) -> DevToolsCommand {
        let attach: AdJSON = ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true]
        return DevToolsCommand("Target.setAutoAttach", attach, in: target)
    }

    /// All requests of a target are held.
    static func fetch(_ target: EngineTarget) -> DevToolsCommand {
        DevToolsCommand("Fetch.enable", ["patterns": [["urlPattern": "*"]]], in: target)
    }

    /// Gives a page a screen of this size.
    ///
    /// A frame of another site within it has the room that this makes, but sees the browser's own screen, which
    /// `LaunchPlan` gives it: `screen.width` there does not turn with the screen. To change the browser's screen does not
    /// reach frames of a page that has one of its own, and a page on a second screen makes no pictures.
    static func metrics(_ screen: Size, in target: EngineTarget) -> DevToolsCommand {
        let isLandscape = screen.width > screen.height
        let metrics: AdJSON = [
            "width": .double(screen.width), "height": .double(screen.height),
            // As many pixels as the browser's screen has: a page with another ratio than the frames in it shifts where a
            // press in one of them lands.
            "deviceScaleFactor": 0, "mobile": true,
            "screenOrientation": [
                "type": isLandscape ? "landscapePrimary" : "portraitPrimary", "angle": isLandscape ? 90 : 0,
            ],
        ]
        return DevToolsCommand("Emulation.setDeviceMetricsOverride", metrics, in: target)
    }

    static func fail(_ id: EngineRequestID, _ failure: EngineRequest.Failure) -> DevToolsCommand {
        let reason =
            switch failure {
            case .aborted: "Aborted"
            case .blocked: "BlockedByClient"
            case .unreachable: "ConnectionFailed"
            case .other: "Failed"
            }
        let params: AdJSON = ["requestId": .string(id.number), "errorReason": .string(reason)]
        return DevToolsCommand("Fetch.failRequest", params, in: id.target)
    }

    static func answer(_ id: EngineRequestID, _ response: EngineResponse) -> DevToolsCommand {
        let headers = response.headers.map { header in
            AdJSON.object([.init("name", .string(header.name)), .init("value", .string(header.value))])
        }
        var members: [AdJSON.Member] = [
            .init("requestId", .string(id.number)), .init("responseCode", .int(response.status)),
            .init("responseHeaders", .array(headers)),
        ]
        if let body = response.body { members.append(.init("body", .string(Base64.text(body)))) }
        return DevToolsCommand("Fetch.fulfillRequest", .object(members), in: id.target)
    }

    static func capture(_ capture: EngineCapture, in target: EngineTarget) -> DevToolsCommand {
        var members: [AdJSON.Member] = [.init("format", .string(capture.format.rawValue))]
        if let clip = capture.clip {
            let clip: AdJSON = [
                "x": 0, "y": 0, "width": .double(clip.width), "height": .double(clip.height),
                // After a picture of another scale, presses in frames that move land somewhere else.
                "scale": 1,
            ]
            members.append(.init("clip", clip))
        }
        if capture.isFast { members.append(.init("optimizeForSpeed", true)) }
        if capture.format == .webp { members.append(.init("quality", 82)) }
        return DevToolsCommand("Page.captureScreenshot", .object(members), in: target)
    }

    static func mouse(_ step: EngineMouse, _ x: Double, _ y: Double, in target: EngineTarget) -> DevToolsCommand {
        let (type, buttons): (AdJSON, Int) =
            switch step {
            case .move: ("mouseMoved", 0)
            case .press: ("mousePressed", 1)
            case .release: ("mouseReleased", 0)
            }
        let params: AdJSON = [
            "type": type, "x": .double(x), "y": .double(y), "button": step == .move ? "none" : "left",
            "buttons": .int(buttons), "clickCount": step == .move ? 0 : 1,
        ]
        return DevToolsCommand("Input.dispatchMouseEvent", params, in: target)
    }
}
