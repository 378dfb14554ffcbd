import AdCore
import AdRuntime
import PlayReport
import PlayStages
import PlayText
import WebStage

/// The state of an ad for the page: its phase, countdowns, video, device and network, and what covers it.
struct LabStatus {
    let json: AdJSON

    init(
        _ phase: String,
        _ arguments: LabArguments,
        _ context: RunContext?,
        _ ad: Ad?,
        _ playback: StagePlayback?,
        title: String?,
        screen: Size?,
        isOffline: Bool,
        failure: String?
    ) {
        let (closeIn, isClosable) = LabStatus.closing(of: ad)
        let progress = ad?.progress
        var video = AdJSON.null
        if let progress {
            video = [
                "position": LabStatus.seconds(progress.position),
                "duration": progress.duration.map(LabStatus.seconds) ?? .null, "muted": .bool(progress.isMuted),
                "paused": .bool(playback?.isPausedByUser ?? !progress.isPlaying),
            ]
        }
        let title = title ?? arguments.title ?? context?.plan.subject
        self.json = [
            "state": .string(phase), "closeIn": closeIn, "closable": .bool(isClosable),
            "skipIn": progress?.skippableIn.map(LabStatus.seconds) ?? .null,
            "skippable": .bool(progress?.skippableIn == .zero), "video": video,
            "covered": .bool(context?.signals.isCovered ?? false),
            "background": .bool(context?.signals.isInBackground ?? false), "offline": .bool(isOffline),
            "speed": .double(context?.plan.time.speed ?? 1),
            "device": .text(context?.plan.simulation.device?.name),
            "screen": screen.map { ["width": .double($0.width), "height": .double($0.height)] as AdJSON } ?? .null,
            "format": .text(ad?.offer?.rules.kind.name), "title": .text(title?.excerpt(200)),
            "error": failure.map { ["message": .string($0)] as AdJSON } ?? .null,
        ]
    }

    /// When the user can close the ad, if that is known, and whether it can be closed now.
    private static func closing(of ad: Ad?) -> (closeIn: AdJSON, isClosable: Bool) {
        switch ad?.closeAvailability {
        case .open, .byHost: (.null, true)
        case .after(let rest, _): (self.seconds(rest), false)
        case .afterMedia: (self.restOfMedia(ad).map(self.seconds) ?? .null, false)
        case nil: (.null, false)
        }
    }

    /// The rest of a video that is the only one of its ad; nil if it is unknown when the media will have ended.
    private static func restOfMedia(_ ad: Ad?) -> Duration? {
        guard case .video(let video)? = ad?.offer?.creative, video.spots.count - video.fallbackCount == 1,
            let progress = ad?.progress, let duration = progress.duration
        else { return nil }
        return max(.zero, duration - progress.position)
    }

    /// Seconds with one decimal, rounded up, so that a countdown shows zero only at its end.
    private static func seconds(_ time: Duration) -> AdJSON {
        .double(Double((max(0, time.wholeMilliseconds) + 99) / 100) / 10)
    }
}
