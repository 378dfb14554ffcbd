import AdCore

/// What a SIMID session knows of the player when it decides on a request.
struct SIMIDContext: Hashable, Sendable {
    /// The area of the ad, with the origin at its upper left corner.
    var area: Size
    var position = Duration.zero
    var duration: Duration?
    var isMuted = false
    var volume = 1.0
    var isPaused = false
    var hasEnded = false
    var isFullscreen = false
    /// Whether the ad can enter and leave the full screen.
    var mayChangeFullscreen = false
    /// The URL of the media file.
    var source: String?
    /// Whether the user may skip the ad now.
    var isSkippable = false
    /// Whether the creative may pause the video for longer.
    var mayPause = true
    /// How often the user has touched the creative.
    var gestures = 0

    /// Whether the user has touched the creative.
    var hasGesture: Bool { self.gestures > 0 }

    /// The creative's rectangle.
    var creative: MRAIDRect { self.place ?? MRAIDRect(x: 0, y: 0, width: self.area.width, height: self.area.height) }
    /// Where a nonlinear creative is; nil for one that covers the video.
    var place: MRAIDRect?

    /// The ad's rectangle as `Dimensions` of SIMID.
    var dimensions: AdJSON { MRAIDRect(x: 0, y: 0, width: self.area.width, height: self.area.height).json }

    /// The reply to `getMediaState` (SIMID 1.2 §4.4.5).
    var mediaState: AdJSON {
        [
            "currentSrc": .text(self.source), "currentTime": .double(self.position.inSeconds),
            "duration": self.duration.map { .double($0.inSeconds) } ?? .null, "ended": .bool(self.hasEnded),
            "muted": .bool(self.isMuted), "paused": .bool(self.isPaused), "volume": .double(self.volume),
            "fullscreen": .bool(self.isFullscreen),
        ]
    }
}

/// What a SIMID creative is told at `Player:init`, and which of its requests are possible (SIMID 1.2 §4.3.7).
struct SIMIDSetup: Hashable, Sendable {
    var parameters: String?
    var clickThrough: String?
    /// Whether it may pause the video and change the ad's duration.
    var mayChangeDuration: Bool
    /// Whether it is a nonlinear ad, and how long that stays.
    var isNonlinear = false
    var nonlinearDuration: Duration?
    /// When the user may skip the ad; nil if never.
    var skipOffset: Duration?

    static let version = "1.2"

    /// The arguments of `Player:init`.
    func arguments(_ context: SIMIDContext) -> AdJSON {
        var environment: [AdJSON.Member] = [
            .init("videoDimensions", context.dimensions), .init("creativeDimensions", context.creative.json),
            .init("fullscreen", .bool(context.isFullscreen)),
            .init("fullscreenAllowed", .bool(context.mayChangeFullscreen)),
            .init("variableDurationAllowed", .bool(self.mayChangeDuration)),
            .init("skippableState", self.skipOffset == nil ? "notSkippable" : "playerHandles"),
            .init("version", .string(SIMIDSetup.version)), .init("muted", .bool(context.isMuted)),
            .init("volume", .double(context.volume)), .init("navigationSupport", "playerHandles"),
            .init("closeButtonSupport", "playerHandles"),
        ]
        if let skipOffset { environment.append(.init("skipoffset", .string(skipOffset.clock))) }
        if let nonlinearDuration {
            environment.append(.init("nonlinearDuration", .double(nonlinearDuration.inSeconds)))
        }
        let creative: AdJSON = [
            "adParameters": .string(self.parameters ?? ""), "clickThruUrl": .string(self.clickThrough ?? ""),
            // The name in SIMID 1.0 and 1.1.
            "clickThruUri": .string(self.clickThrough ?? ""),
            "duration": context.duration.map { .double($0.inSeconds) } ?? .null,
        ]
        return ["environmentData": .object(environment), "creativeData": creative]
    }
}

extension Duration {
    /// As `HH:MM:SS.mmm`.
    var clock: String {
        let all = max(0, self.wholeMilliseconds)
        let digits = { (number: Int64, count: Int) in
            String(repeating: "0", count: max(0, count - String(number).count)) + String(number)
        }
        let parts = [all / 3_600_000, all / 60_000 % 60, all / 1000 % 60].map { digits($0, 2) }
        return parts.joined(separator: ":") + "." + digits(all % 1000, 3)
    }
}
