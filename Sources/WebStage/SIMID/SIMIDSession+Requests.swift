import AdCore

// The requests of an interactive creative (SIMID 1.2 §4.4).

extension SIMIDSession {
    mutating func handleRequest(_ message: SIMIDMessage, _ context: SIMIDContext) -> [Action] {
        guard let request = SIMIDRequest(message) else {
            let text = "unknown message, or missing arguments"
            return [self.observed(message)] + self.reject(message, 1211, text)
        }
        if case .stopping = self.phase {
            // After the end only tracking is possible.
            guard case .track = request else { return [self.observed(message, "the ad is over")] }
        }
        return [self.observed(message)] + self.execute(request, message, context)
    }

    private mutating func execute(
        _ request: SIMIDRequest,
        _ message: SIMIDMessage,
        _ context: SIMIDContext
    ) -> [Action] {
        switch request {
        case .getMediaState: return [self.reply("resolve", to: message, context.mediaState)]
        case .log: return []
        case .pause:
            guard self.mayChangeTime else { return self.reject(message, 1203, "the video can't be paused") }
            guard !context.isPaused else { return self.reject(message, 1203, "the video is paused already") }
            guard context.mayPause else { return self.reject(message, 1203, "the video was paused for long enough") }
            return [self.reply("resolve", to: message, .null), .pause]
        case .play:
            guard self.mayChangeTime else { return self.reject(message, 1203, "the video can't be paused") }
            guard context.isPaused else { return self.reject(message, 1203, "the video is playing already") }
            return [self.reply("resolve", to: message, .null), .play]
        case .changeVolume(let volume, let isMuted):
            return [self.reply("resolve", to: message, .null), .setVolume(volume, isMuted: isMuted)]
        case .skip:
            guard context.isSkippable, context.hasGesture else {
                return self.reject(message, 1203, "the ad can be skipped only by the user, from its skip offset on")
            }
            return [self.reply("resolve", to: message, .null), .skip]
        case .stop:
            guard self.hasStarted else { return self.reject(message, 1203, "the ad has not started") }
            guard self.mayChangeTime || self.setup.isNonlinear else {
                return self.reject(message, 1203, "the ad can't be stopped: it has no variableDuration")
            }
            return [self.reply("resolve", to: message, .null), .stop] + self.end(.stopped(4))
        case .changeDuration(let seconds): return self.changeDuration(to: seconds, message, context)
        case .resize(let media, let creative): return self.resize(media, creative, message, context)
        case .requestFullscreen, .exitFullscreen:
            guard context.mayChangeFullscreen else {
                return self.reject(message, 1203, "the ad is as large as the screen, or can't be")
            }
            let isFull = request == .requestFullscreen
            // Each interaction of the user is good for one request.
            guard !isFull || context.gestures > self.usedGestures else {
                return self.reject(message, 1221, "an ad fills the screen only after a user's interaction")
            }
            if isFull { self.usedGestures = context.gestures }
            return [self.reply("resolve", to: message, .null), .fullScreen(isFull)]
        case .expand, .collapse:
            guard self.setup.isNonlinear else { return self.reject(message, 1105, "the ad is linear") }
            guard request == .collapse || context.hasGesture else {
                return self.reject(message, 1221, "an ad expands only after a user's interaction")
            }
            let size: AdJSON = ["creativeDimensions": request == .expand ? context.dimensions : context.creative.json]
            return [self.reply("resolve", to: message, size), request == .expand ? .expand : .collapse]
        case .clickThrough, .navigate, .track: return self.open(request, message, context)
        case .fatalError(let code, let text):
            let code = SIMIDSession.creativeCode(code, or: 1100)
            self.phase = .over
            let reason = "the interactive creative has failed" + (text.isEmpty ? "" : ": \(text)")
            return self.settle() + [.remove(code: nil, ""), .fail(code: code, reason)]
        }
    }

    private var mayChangeTime: Bool { self.setup.mayChangeDuration && !self.setup.isNonlinear }

    /// A change of duration needs a user's interaction (SIMID 1.2 §4.4.8), and has a limit.
    private mutating func changeDuration(
        to seconds: Double?,
        _ message: SIMIDMessage,
        _ context: SIMIDContext
    ) -> [Action] {
        guard self.mayChangeTime else { return self.reject(message, 1203, "the duration can't be changed") }
        guard context.hasGesture else {
            return self.reject(message, 1203, "the duration changes only after a user's interaction")
        }
        guard let seconds else { return [self.reply("resolve", to: message, .null), .extend(nil)] }
        let length = context.duration ?? .zero
        guard seconds <= (length + SIMIDSession.maxExtension).inSeconds else {
            let limit = SIMIDSession.maxExtension.inSeconds
            return self.reject(message, 1202, "an ad may be \(Int(limit)) s longer than its video")
        }
        return [self.reply("resolve", to: message, .null), .extend(.milliseconds(Int64(seconds * 1000)))]
    }

    private mutating func resize(
        _ media: MRAIDRect,
        _ creative: MRAIDRect,
        _ message: SIMIDMessage,
        _ context: SIMIDContext
    ) -> [Action] {
        let area = MRAIDRect(x: 0, y: 0, width: context.area.width, height: context.area.height)
        guard area.contains(media), area.contains(creative) else {
            return self.reject(message, 1203, "both must be within the ad's \(context.area)")
        }
        return [self.reply("resolve", to: message, .null), .resize(media: media, creative: creative)]
    }

    private mutating func open(
        _ request: SIMIDRequest,
        _ message: SIMIDMessage,
        _ context: SIMIDContext
    ) -> [Action] {
        switch request {
        case .track(let urls):
            self.tracking += urls.count
            guard self.tracking <= SIMIDSession.maxTracking, urls.allSatisfy({ HTTPURL($0) != nil }) else {
                return self.reject(message, 1204, "a URL is invalid, or there are too many")
            }
            return [.track(urls), self.reply("resolve", to: message, .null)]
        case .clickThrough, .navigate:
            self.navigations += 1
            guard self.navigations <= SIMIDSession.maxNavigations else {
                return self.reject(message, 1216, "too many navigations")
            }
            if case .navigate(let url) = request {
                guard ClickThroughURL(url) != nil else { return self.reject(message, 1217, "the URL is invalid") }
                return [self.reply("resolve", to: message, .null), .navigate(url)]
            }
            guard case .clickThrough(let url) = request else { return [] }
            // A creative that opens its page itself is counted when it does.
            guard message.arguments["playerHandles"] != false else {
                return [self.reply("resolve", to: message, .null)]
            }
            if let url, ClickThroughURL(url) == nil { return self.reject(message, 1214, "the URL is invalid") }
            return [self.reply("resolve", to: message, .null), .click(url)]
        default: return []
        }
    }
}
