package import AdCore

/// The data of a run as one JSON document, for the report page, the lab and `compare`.
///
/// The report page contains it, so that a report stays one file. Times are milliseconds on the ads' clock, as in
/// `--json`; those of requests are real ones since the start of the run. URLs are redacted.
package struct RunDocument: Hashable, Sendable {
    /// The version of the format, which increases with every incompatible change.
    package static let version = 1

    /// The command, such as `show banner.html`.
    package var command: String
    /// When the report was made, in ISO 8601.
    package var madeAt: String
    /// The name of the stage.
    package var stage: String
    /// How many times as fast as real time the ads' clock ran.
    package var speed: Double
    package var ads: [RunAd]

    package init(command: String, madeAt: String, stage: String, speed: Double = 1, ads: [RunAd]) {
        self.command = command
        self.madeAt = madeAt
        self.stage = stage
        self.speed = speed
        self.ads = ads
    }

    /// The document as JSON, with a line for each ad; the bytes of pictures are not in it.
    package var text: String {
        let head: AdJSON = [
            "version": .int(RunDocument.version), "command": .string(self.command), "madeAt": .string(self.madeAt),
            "stage": .string(self.stage), "speed": .double(self.speed), "ads": [],
        ]
        guard !self.ads.isEmpty else { return head.text() }
        return head.text().dropLast(2) + "\n" + self.ads.map { $0.json.text() }.joined(separator: ",\n") + "\n]}"
    }
}

/// An ad of a run.
package struct RunAd: Hashable, Sendable {
    /// The ad's id, new in every run.
    package var id: String
    package var provider: String
    /// The name of the placement or of the input.
    package var name: String
    /// The title, or else the name.
    package var heading: String
    /// The ad's events, and the activities of its creative, as `--json` prints them.
    package var events: [AdJSON] = []
    package var verdicts: [RunVerdict] = []
    package var beacons: [RunBeacon] = []
    /// The requests by start time.
    package var requests: [RunRequest] = []
    /// The findings in its markup; nil if it has no markup.
    package var lint: [RunFinding]?
    package var pictures: [RunPicture] = []

    package init(id: String, provider: String, name: String, heading: String) {
        self.id = id
        self.provider = provider
        self.name = name
        self.heading = heading
    }

    var json: AdJSON {
        [
            "ad": .string(self.id), "provider": .string(self.provider), "name": .string(self.name),
            "heading": .string(self.heading), "events": .array(self.events),
            "verdicts": .array(self.verdicts.map(\.json)), "beacons": .array(self.beacons.map(\.json)),
            "requests": .array(self.requests.map(\.json)),
            "lint": self.lint.map { .array($0.map(\.json)) } ?? .null,
            "pictures": .array(self.pictures.map(\.json)),
        ]
    }
}
