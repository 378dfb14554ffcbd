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
    }

    /// Visibility changes per ad.
    private static let maxVisibilityChanges = 2_000
    /// Screenshots per ad, and their bytes in all ads: they are embedded in the page.
    private static let maxPictures = 8
    private static let maxPictureBytes = 48 << 20
    /// The runtime's requests per ad.
    private static let maxRequests = 5_000

    private let state = Locked(State())
    /// How many times as fast as real time the ads' clock runs.
    private let speed: Double

    init(speed: Double = 1) { self.speed = speed }

    /// The ads in the order in which they were finished.
    ///
    /// What a stage reports after that is included: its last screenshot arrives when the ad is over.
    package var ads: [ReportedAd] {
        self.state.withLock { state in
            state.ads.map { ad in
                var ad = ad
                ad.add(state.scenes[ad.id] ?? StageCapture(), speed: self.speed)
                return ad
            }
        }
    }

    /// Records what a stage reports of an ad.
    package func record(_ notification: StageNotification, of ad: AdID, at now: Moment) {
        self.state.withLock { state in
            switch notification {
            case .started: state.scenes[ad, default: StageCapture()].startedAt = now
            case .request(let request): state.scenes[ad, default: StageCapture()].requests.append(request)
            }
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

    /// Adds a request of the runtime.
    func add(_ request: ReportRequest) {
        self.state.withLock { if $0.requests.count < ReportRecorder.maxRequests { $0.requests.append(request) } }
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

/// A transport that records each request for the report.
package struct RecordingTransport: Transport {
    let next: any Transport
    let recorder: ReportRecorder
    let now: @Sendable () -> Moment

    package init(next: any Transport, recorder: ReportRecorder, now: @escaping @Sendable () -> Moment) {
        self.next = next
        self.recorder = recorder
        self.now = now
    }

    package func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        let start = self.now()
        do throws(TransportError) {
            let response = try await self.next.send(request)
            let type = response.headers["Content-Type"]?.prefix { $0 != ";" }
            self.record(
                request,
                since: start,
                .answered(status: response.status, type: type.map(String.init), bytes: response.body.count)
            )
            return response
        } catch {
            self.record(request, since: start, .failed(.other(error.message)))
            throw error
        }
    }

    private func record(_ request: AdHTTPRequest, since start: Moment, _ outcome: StageRequest.Outcome) {
        // Only beacons have an Idempotency-Key.
        let isBeacon = request.headers["Idempotency-Key"] != nil
        self.recorder.add(
            ReportRequest(
                purpose: isBeacon ? "Beacon" : "Ad request",
                isCreatives: false,
                method: request.method.rawValue,
                url: Redaction.address(request.url.text),
                start: start,
                length: self.now() - start,
                outcome: outcome
            )
        )
    }
}
