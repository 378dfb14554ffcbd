import AdCore

/// The options of video playback on a stage.
package struct PlayerOptions: Hashable, Sendable {
    /// Whether skip offsets apply; rewarded ads can't be skipped.
    package var isSkippable: Bool
    /// The playback rate.
    package var rate: Double
    /// The URL prefix under which the host page requests stored media files; nil if the engine fetches media files
    /// itself.
    package var storeAddress: String?
    /// The language of the captions that are shown from the start; nil for none until the user wants them.
    package var captionLanguage: String?

    package init(isSkippable: Bool = true, rate: Double = 1, storeAddress: String? = nil) {
        self.isSkippable = isSkippable
        self.rate = rate
        self.storeAddress = storeAddress
    }

    /// The highest playback rate of browsers.
    package static let maxRate = 16.0

    /// The URL of a media file for the host page.
    func address(of download: MediaDownload) -> String {
        self.storeAddress.map { "\($0)\(download.number)" } ?? download.file.url.text
    }
}

/// The label over a video.
struct PlayerLabel: Hashable, Sendable {
    /// "Ad", its number in a pod, and the remaining time.
    let time: String
    /// The countdown to the skip button; empty if there is none.
    let note: String

    static let none = PlayerLabel(time: "", note: "")

    private init(time: String, note: String) {
        self.time = time
        self.note = note
    }

    /// The label at a position; `place` is the spot's number in a pod and the pod's size.
    init(at position: Duration, of length: Duration?, skipAt: Duration?, place: (number: Int, count: Int)?) {
        let name = place.map { "Ad \($0.number) of \($0.count)" } ?? "Ad"
        let left = length.map { PlayerLabel.seconds($0 - position) }
        self.time = left.map { "\(name) \u{B7} \($0 / 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60)" } ?? name
        let wait = skipAt.map { PlayerLabel.seconds($0 - position) } ?? 0
        self.note = wait > 0 ? "Skip in \(wait)" : ""
    }

    /// Whole seconds, rounded up.
    private static func seconds(_ time: Duration) -> Int64 { max(0, (time.wholeMilliseconds + 999) / 1000) }
}
