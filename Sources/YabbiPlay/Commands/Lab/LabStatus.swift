import AdCore
import AdRuntime
import ChromiumStage
import PlayReport
import PlayStages
import PlayText

/// The state of an ad for the page: its phase, countdowns, video, device and network, and what covers it.
struct LabStatus {
    let json: AdJSON

    init(
        _ phase: String,
        _ arguments: LabArguments,
        _ context: RunContext?,
        _ ad: Ad?,
        _ playback: StagePlayback?,
        screen: Size?,
        isOffline: Bool,
        failure: String?
    ) {
        var (closeIn, isClosable): (AdJSON, Bool) = (.null, false)
        switch ad?.closeAvailability {
        case .open, .byHost: isClosable = true
        case .after(let rest, _), .afterMedia(let rest): closeIn = LabStatus.seconds(rest)
        case nil: break
        }
        let progress = ad?.progress
        var video = AdJSON.null
        if let progress {
            video = [
                "position": LabStatus.seconds(progress.position),
                "duration": progress.duration.map(LabStatus.seconds) ?? .null, "muted": .bool(progress.isMuted),
                "paused": .bool(playback?.isPausedByUser ?? !progress.isPlaying),
            ]
        }
        let reading = ad?.offer.map { CreativeReading($0.creative, base: context?.origin.base) }
        let title = reading?.title ?? arguments.title ?? context?.plan.subject
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

    /// Seconds with one decimal, rounded up, so that a countdown shows zero only at its end.
    private static func seconds(_ time: Duration) -> AdJSON {
        .double(Double((max(0, time.wholeMilliseconds) + 99) / 100) / 10)
    }
}
