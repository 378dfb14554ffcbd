import AdCore
import WebStage

// The longer commands.

extension DevToolsTranslator {
    /// The commands that observe a page or frame.
    static func observation(of target: EngineTarget) -> [DevToolsCommand] {
        [
            DevToolsCommand("Page.enable", in: target),
            DevToolsCommand("Page.setLifecycleEventsEnabled", ["enabled": true], in: target),
            // Needed to keep bindings when a frame changes its process.
            DevToolsCommand("Runtime.enable", in: target),
            DevToolsCommand("Network.enable", in: target),
            DevToolsCommand("Log.enable", in: target),
            DevToolsCommand("Inspector.enable", in: target),
            // As on a phone: creatives check for `ontouchstart`, and some listen only to touches.
            DevToolsCommand("Emulation.setTouchEmulationEnabled", ["enabled": true], in: target),
            DevToolsCommand("Preload.enable", in: target),
            self.fetch(target),
            self.attach(target),
        ]
    }

    /// The command that holds new frames and workers of a target.
    static func attach(_ target: EngineTarget) -> DevToolsCommand {
        let attach: AdJSON = ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true]
        return DevToolsCommand("Target.setAutoAttach", attach, in: target)
    }

    /// The command that holds all requests of a target.
    static func fetch(_ target: EngineTarget) -> DevToolsCommand {
        DevToolsCommand("Fetch.enable", ["patterns": [["urlPattern": "*"]]], in: target)
    }

    /// The command that sets the size of a page's screen.
    ///
    /// Cross-site frames in the page get the new layout size, but `screen` in them is the browser's screen from
    /// `LaunchPlan`, which does not rotate. Changing the browser's screen does not affect frames of a page with an
    /// emulated screen, and a page on a second screen returns no screenshots.
    static func metrics(_ screen: Size, isMobile: Bool, in target: EngineTarget) -> DevToolsCommand {
        let isLandscape = screen.width > screen.height
        let metrics: AdJSON = [
            "width": .double(screen.width), "height": .double(screen.height),
            // 0 is the browser's own ratio: with different ratios, presses in cross-site frames miss their target.
            "deviceScaleFactor": 0, "mobile": .bool(isMobile),
            "screenOrientation": [
                "type": isLandscape ? "landscapePrimary" : "portraitPrimary", "angle": isLandscape ? 90 : 0,
            ],
        ]
        return DevToolsCommand("Emulation.setDeviceMetricsOverride", metrics, in: target)
    }

    /// Reads the reply of `Performance.getMetrics`: the time of all tasks of the main thread, and with workers the
    /// processor time of the whole process, which is the frame's own.
    static func use(_ reply: AdJSON) -> EngineReply {
        var figures: [String: Double] = [:]
        for metric in reply["metrics"]?.array ?? [] {
            if let name = metric["name"]?.string { figures[name] = metric["value"]?.number }
        }
        let ofWorkers = figures["WorkerGlobalScopes", default: 0] > 0 ? figures["ProcessTime", default: 0] : 0
        let seconds = min(max(figures["TaskDuration"] ?? 0, ofWorkers, 0), 1e6)
        return .use(processor: .seconds(seconds))
    }

    /// Reads the reply of `Network.getResponseBody`.
    static func body(_ reply: AdJSON) -> [UInt8] {
        let text = reply["body"]?.string ?? ""
        return reply["base64Encoded"] == true ? Base64.bytes(text) ?? [] : Array(text.utf8)
    }

    /// Reads the reply of `Storage.getCookies`: the first cookies in the order of their names.
    static func cookies(_ reply: AdJSON) -> [String] {
        let names = (reply["cookies"]?.array ?? []).prefix(1_000).compactMap { cookie -> String? in
            guard let name = cookie["name"]?.string, let domain = cookie["domain"]?.string else { return nil }
            return "\(name.excerpt(100)) of \(domain.drop { $0 == "." }.prefix(200))"
        }
        return Array(Set(names).sorted().prefix(50))
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
                "x": .double(capture.origin.x), "y": .double(capture.origin.y), "width": .double(clip.width),
                "height": .double(clip.height),
                // After a screenshot with another scale, presses in moving frames miss their target.
                "scale": 1,
            ]
            members.append(.init("clip", clip))
        }
        if capture.isFast { members.append(.init("optimizeForSpeed", true)) }
        if capture.format != .png { members.append(.init("quality", 82)) }
        return DevToolsCommand("Page.captureScreenshot", .object(members), in: target)
    }

    static func mouse(_ step: EngineMouse, _ x: Double, _ y: Double, in target: EngineTarget) -> DevToolsCommand {
        let (type, buttons): (AdJSON, Int) =
            switch step {
            case .move: ("mouseMoved", 0)
            case .drag: ("mouseMoved", 1)
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
