package import AdCore
import PlayConsole
import SystemSupport
package import WebStage

/// Records the data of a report while ads are shown.
package final class ReportRecorder: Sendable {
    private struct State {
        var scenes: [AdID: StageCapture] = [:]
        /// The runtime's requests since the last ad was finished.
        var requests: [ReportRequest] = []
        var ads: [ReportedAd] = []
        var pictureBytes = 0
        var stripBytes = 0
    }

    /// Visibility changes per ad.
    private static let maxVisibilityChanges = 2_000
    /// Screenshots per ad, and their bytes in all ads: they are embedded in the page.
    private static let maxPictures = 8
    private static let maxPictureBytes = 48 << 20
    /// The runtime's requests per ad.
    private static let maxRequests = 5_000

    private let state = Locked(State())

    package init() {}

    /// The ads in the order in which they were finished.
    ///
    /// What a stage reports after that is included: its last screenshot arrives when the ad is over.
    package var ads: [ReportedAd] {
        self.state.withLock { state in
            state.ads.map { ad in
                var ad = ad
                ad.add(state.scenes[ad.id] ?? StageCapture())
                return ad
            }
        }
    }

    /// Records that the stage of an ad has started, by the real time since the start of the run.
    package func start(_ ad: AdID, after time: Duration) {
        self.state.withLock { $0.scenes[ad, default: StageCapture()].startedAt = time }
    }

    /// Records a request of a creative, and returns it with the run's times.
    package func record(_ request: StageRequest, of ad: AdID) -> ReportRequest {
        self.state.withLock { state in
            var scene = state.scenes[ad] ?? StageCapture()
            let request = ReportRequest(request, since: scene.startedAt)
            scene.requests.append(request)
            state.scenes[ad] = scene
            return request
        }
    }

    /// Records the visible share of an ad from now on.
    package func recordVisibility(_ ratio: Double, of ad: AdID, at now: Moment) {
        self.state.withLock { state in
            guard state.scenes[ad]?.visibilityChanges.count ?? 0 < ReportRecorder.maxVisibilityChanges else { return }
            state.scenes[ad, default: StageCapture()].visibilityChanges.append(
                StageCapture.Visibility(at: now, ratio: ratio)
            )
        }
    }

    /// Adds a screenshot of an ad, or counts it as omitted if a limit is reached.
    package func add(_ picture: StageCapture.Picture, of ad: AdID) {
        self.state.withLock { state in
            let bytes = state.pictureBytes + picture.bytes.count
            var scene = state.scenes[ad] ?? StageCapture()
            if scene.pictures.count < ReportRecorder.maxPictures, bytes <= ReportRecorder.maxPictureBytes {
                scene.pictures.append(picture)
                state.pictureBytes = bytes
            } else {
                scene.omittedPictures += 1
            }
            state.scenes[ad] = scene
        }
    }

    /// Adds a small picture (JPEG) of an ad to its film strip.
    package func add(stripPicture bytes: [UInt8], of ad: AdID, at now: Moment) {
        self.state.withLock { state in
            guard state.stripBytes + bytes.count <= ReportRecorder.maxPictureBytes else { return }
            var strip = state.scenes[ad]?.strip ?? StageCapture().strip
            let before = strip.bytes
            strip.add(bytes, at: now.sinceOrigin.wholeMilliseconds)
            state.stripBytes += strip.bytes - before
            state.scenes[ad, default: StageCapture()].strip = strip
        }
    }

    /// Adds a request of the runtime.
    package func add(_ request: ReportRequest) {
        self.state.withLock { if $0.requests.count < ReportRecorder.maxRequests { $0.requests.append(request) } }
    }

    /// An ad that is not finished yet, with what was recorded of it so far.
    package func unfinished(_ ad: ReportedAd) -> ReportedAd {
        self.state.withLock { state in
            var ad = ad
            ad.requests = state.requests
            ad.add(state.scenes[ad.id] ?? StageCapture())
            return ad
        }
    }

    /// Adds a finished ad; the runtime's requests since the ad before it belong to it.
    package func finish(_ ad: ReportedAd) {
        self.state.withLock { state in
            var ad = ad
            ad.requests = state.requests
            state.requests = []
            state.ads.append(ad)
        }
    }
}
