import AdCore
import PlayReport

/// An ad of a compared run; what its source does not have is nil.
struct ComparedAd: Hashable, Sendable {
    let id: String
    let provider: String
    /// The name of the placement or of the input.
    let name: String?
    let heading: String
    /// The events as `--json` prints them.
    var events: [AdJSON]
    var beacons: [RunBeacon]
    var verdicts: [RunVerdict]?
    var requests: [RunRequest]?
    var pictures: [RunPicture]?
    var findings: [RunFinding]?

    init(id: String, provider: String, name: String? = nil, heading: String, events: [AdJSON], beacons: [RunBeacon]) {
        self.id = id
        self.provider = provider
        self.name = name
        self.heading = heading
        self.events = events
        self.beacons = beacons
    }

    init(_ ad: RunAd) {
        self.init(
            id: ad.id,
            provider: ad.provider,
            name: ad.name,
            heading: ad.heading,
            events: ad.events,
            beacons: ad.beacons
        )
        self.verdicts = ad.verdicts
        self.requests = ad.requests
        self.pictures = ad.pictures
        self.findings = ad.lint ?? []
    }
}
