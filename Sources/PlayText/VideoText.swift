package import AdCore
import PlayConsole

/// The spots and trackers of a video creative as text and JSON.
package enum VideoText {
    static func lines(_ video: VideoCreative, _ beacons: VideoTrackers) -> [String] {
        let counts = Dictionary(grouping: beacons.all, by: \.event).mapValues(\.count)
        let list = counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { event, count in
            count == 1 ? event.rawValue : "\(event) ×\(count)"
        }
        let trackers =
            list.isEmpty ? [] : ["  VAST trackers " + Style.printable(list.joined(separator: ", "), upTo: 600)]
        return self.spots(video) + trackers
    }

    /// The spots in order, each with its companions and icons.
    package static func spots(_ video: VideoCreative) -> [String] {
        let planned = video.spots.count - video.fallbackCount
        var lines: [String] = []
        for (index, spot) in video.spots.enumerated() {
            let name = index < planned ? "spot \(index + 1)" : "fallback ad"
            let padded = name + String(repeating: " ", count: max(1, 14 - name.count))
            lines.append("  \(padded)\(self.text(spot))")
            for part in spot.rules.parts { lines.append("                with \(part.id)\(self.time(part))") }
        }
        return lines
    }

    private static func text(_ spot: VideoSpot) -> String {
        var facts: [String] = []
        if let title = spot.title { facts.append("\u{201C}\(Style.printable(title))\u{201D}") }
        switch spot.content {
        case .media(let files):
            facts.append(spot.rules.duration.map { "\($0.seconds) s" } ?? "unknown duration")
            facts.append(spot.rules.skipOffset.map { "skippable at \(VideoText.offset($0))" } ?? "not skippable")
            if let file = files.first {
                let others = files.count > 1 ? " (and \(files.count - 1) more)" : ""
                facts.append("\(file.type) \(Style.printable(Redaction.address(file.url.text)))\(others)")
            }
        case .overlay: facts.append("nonlinear")
        }
        if spot.rules.hasEndCard { facts.append("with an end card") }
        return facts.joined(separator: ", ")
    }

    private static func offset(_ offset: MediaOffset) -> String {
        switch offset {
        case .time(let time): "\(time.seconds) s"
        case .percent(let percent): "\(percent) %"
        }
    }

    private static func time(_ part: PartRules) -> String {
        guard let time = part.time else { return ", after the video" }
        let end = time.length.map { " for \($0.seconds) s" } ?? " to the end"
        return ", from \(AdJSON.double(time.start.inSeconds).text()) s\(end)"
    }

    /// The spots and trackers as `--json` prints them.
    package static func json(_ video: VideoCreative, _ beacons: [VideoTracker]) -> AdJSON {
        let spots = video.spots.enumerated().map { index, spot -> AdJSON in
            var files: [AdJSON] = []
            if case .media(let list) = spot.content {
                files = list.map { file in
                    [
                        "url": .string(Redaction.address(file.url.text)), "type": .string(file.type),
                        "size": .text(file.size?.description), "bitrate": file.bitrate.map { .int(Int64($0)) } ?? .null,
                    ]
                }
            }
            return [
                "title": .text(spot.title),
                "standIn": .bool(index >= video.spots.count - video.fallbackCount),
                "duration": spot.rules.duration.map { .int($0.wholeMilliseconds) } ?? .null,
                "skipOffset": .text(spot.rules.skipOffset?.description),
                "endCard": .bool(spot.rules.hasEndCard),
                "files": .array(files),
                "parts": .array(spot.rules.parts.map { .string($0.id.description) }),
            ]
        }
        let trackers = beacons.map { beacon -> AdJSON in
            [
                "event": .string(beacon.event.rawValue),
                "spot": beacon.spot.map { .int(Int64($0 + 1)) } ?? .null,
                "part": .text(beacon.part?.description),
                "url": .string(Redaction.address(beacon.url.text)),
                "wrapper": .int(Int64(beacon.depth)),
            ]
        }
        return ["spots": .array(spots), "trackers": .array(trackers)]
    }
}
