import AdCore
import PlayReport

@testable import PlayCompare

extension RunAd {
    /// An ad with some of what a run has.
    static func sample(
        id: String = "1fe9989c0c2c879b",
        name: String = "banner-300x250",
        events: [AdJSON] = [],
        verdicts: [RunVerdict] = [],
        beacons: [RunBeacon] = [],
        requests: [RunRequest] = [],
        lint: [RunFinding]? = nil,
        pictures: [RunPicture] = []
    ) -> RunAd {
        var ad = RunAd(id: id, provider: "yabbi", name: name, heading: "The ad \(name)")
        ad.events = events
        ad.verdicts = verdicts
        ad.beacons = beacons
        ad.requests = requests
        ad.lint = lint
        ad.pictures = pictures
        return ad
    }
}

extension RunBeacon {
    static func sample(
        _ event: String = "view",
        _ url: String = "https://t.example/view",
        _ state: String = "delivered",
        _ reason: String? = nil,
        path: String = "-"
    ) -> RunBeacon {
        RunBeacon(event: event, key: "1fe9989c0c2c879b/\(path)/\(event)/0/0", url: url, state: state, reason: reason)
    }
}

extension RunRequest {
    static func sample(
        _ url: String = "https://a.example/i.png",
        status: Int? = 200,
        type: String? = "image/png",
        bytes: Int? = 1_000,
        error: String? = nil,
        kind: String = "Image",
        initiator: Initiator = .creative
    ) -> RunRequest {
        RunRequest(
            "GET",
            url,
            kind: kind,
            initiator: initiator,
            start: 0,
            duration: 1,
            status: error == nil ? status : nil,
            type: error == nil ? type : nil,
            bytes: error == nil ? bytes : nil,
            error: error
        )
    }
}

extension RunPicture {
    static func sample(_ caption: String = "On screen", width: Int = 390, bytes: [UInt8]? = [1]) -> RunPicture {
        RunPicture(caption: caption, t: 0, width: width, height: 844, id: "ad-1-picture-1", bytes: bytes)
    }
}

extension ComparedRun {
    static func sample(_ ads: [RunAd]) -> ComparedRun {
        ComparedRun(RunDocument(command: "show a.html", madeAt: "", stage: "a test", ads: ads))
    }
}

extension RunComparison {
    /// Compares two runs of one ad.
    init(_ a: RunAd, _ b: RunAd) { self.init(ComparedRun.sample([a]), .sample([b])) }

    /// The differences as text, a line each: kind, subject, both sides.
    var texts: [String] {
        self.differences.map { "\($0.kind.rawValue): \($0.text): \($0.a ?? "-") / \($0.b ?? "-")" }
    }
}

extension RunDifference {
    /// The difference with the runs exchanged.
    var mirrored: RunDifference {
        RunDifference(
            self.kind,
            self.text,
            a: self.b,
            b: self.a,
            in: Place(a: self.place.b, b: self.place.a, name: self.place.name)
        )
    }
}
