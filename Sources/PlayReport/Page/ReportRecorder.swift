package import AdCore
package import ChromiumStage
import PlayConsole
import SystemSupport

/// Keeps what a report is made of while ads are shown.
package final class ReportRecorder: Sendable {
    private struct Memory {
        var scenes: [AdID: AdScene] = [:]
        /// What the runtime has asked for since the last ad was finished.
        var calls: [ReportRequest] = []
        var stories: [AdStory] = []
        var pictureBytes = 0
    }

    /// As many changes of what can be seen as are told of an ad: one that is scrolled for hours has been understood.
    private static let mostSights = 2_000
    /// As many pictures as are kept of an ad, and so many bytes of all of them together: a page is opened as a whole.
    private static let mostPictures = 8
    private static let mostPictureBytes = 48 << 20
    /// As many calls as are told of an ad.
    private static let mostCalls = 5_000

    private let memory = Locked(Memory())
    /// How many times as fast as a browser's time the clock goes.
    private let speed: Double

    init(speed: Double = 1) { self.speed = speed }

    /// The ads in the order in which they were finished, with all that was seen of them until now: a stage has its last
    /// picture only when the ad is over.
    package var stories: [AdStory] {
        self.memory.withLock { memory in
            memory.stories.map { story in
                var story = story
                story.add(memory.scenes[story.ad] ?? AdScene(), speed: self.speed)
                return story
            }
        }
    }

    /// A stage tells of an ad.
    package func record(_ note: StageNotification, of ad: AdID, at now: Moment) {
        self.memory.withLock { memory in
            switch note {
            case .started: memory.scenes[ad, default: AdScene()].began = now
            case .request(let request): memory.scenes[ad, default: AdScene()].requests.append(request)
            }
        }
    }

    /// So much of an ad can be seen from now on.
    package func recordVisibility(_ ratio: Double, of ad: AdID, at now: Moment) {
        self.memory.withLock { memory in
            guard memory.scenes[ad]?.sights.count ?? 0 < ReportRecorder.mostSights else { return }
            memory.scenes[ad, default: AdScene()].sights.append(AdScene.Sight(at: now, ratio: ratio))
        }
    }

    /// There is a picture of an ad.
    ///
    /// What is too much is left out, and counted.
    package func add(_ picture: AdScene.Picture, of ad: AdID) {
        self.memory.withLock { memory in
            let bytes = memory.pictureBytes + picture.bytes.count
            var scene = memory.scenes[ad] ?? AdScene()
            if scene.pictures.count < ReportRecorder.mostPictures, bytes <= ReportRecorder.mostPictureBytes {
                scene.pictures.append(picture)
                memory.pictureBytes = bytes
            } else {
                scene.picturesLeftOut += 1
            }
            memory.scenes[ad] = scene
        }
    }

    /// The runtime has asked for something.
    func add(_ call: ReportRequest) {
        self.memory.withLock { if $0.calls.count < ReportRecorder.mostCalls { $0.calls.append(call) } }
    }

    /// An ad is finished; what was asked for since the one before it is its own.
    package func finish(_ story: AdStory) {
        self.memory.withLock { memory in
            var story = story
            story.requests = memory.calls
            memory.calls = []
            memory.stories.append(story)
        }
    }
}

/// Notes each request of the runtime on its way.
package struct RecordingTransport: Transport {
    let next: any Transport
    let book: ReportRecorder
    let now: @Sendable () -> Moment

    package init(next: any Transport, book: ReportRecorder, now: @escaping @Sendable () -> Moment) {
        self.next = next
        self.book = book
        self.now = now
    }

    package func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        let start = self.now()
        do throws(TransportError) {
            let response = try await self.next.send(request)
            let type = response.headers["Content-Type"]?.prefix { $0 != ";" }
            self.note(
                request,
                since: start,
                .answered(status: response.status, type: type.map(String.init), bytes: response.body.count)
            )
            return response
        } catch {
            self.note(request, since: start, .failed(error.message))
            throw error
        }
    }

    private func note(_ request: AdHTTPRequest, since start: Moment, _ outcome: StageRequest.Outcome) {
        // Beacons have a key by which their servers know them again.
        let isBeacon = request.headers["Idempotency-Key"] != nil
        self.book.add(
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
