package import AdCore
import PlayConsole

/// What an offer says of its videos: what is played, and whom the markup wants told of it.
package enum VideoText {
    static func lines(_ video: VideoCreative, _ beacons: VideoTrackers) -> [String] {
        let counts = Dictionary(grouping: beacons.all, by: \.event).mapValues(\.count)
        let list = counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { event, count in
            count == 1 ? event.rawValue : "\(event) ×\(count)"
        }
        let told = list.isEmpty ? [] : ["  VAST trackers " + Style.printable(list.joined(separator: ", "), upTo: 600)]
        return self.spots(video) + told
    }

    /// The spots, one after the other, each with what is shown with it.
    package static func spots(_ video: VideoCreative) -> [String] {
        let planned = video.spots.count - video.fallbackCount
        var lines: [String] = []
        for (index, spot) in video.spots.enumerated() {
            let name = index < planned ? "spot \(index + 1)" : "in reserve"
            let padded = name + String(repeating: " ", count: max(1, 14 - name.count))
            lines.append("  \(padded)\(self.words(spot))")
            for part in spot.rules.parts { lines.append("                with \(part.id)\(self.time(part))") }
        }
        return lines
    }

    private static func words(_ spot: VideoSpot) -> String {
        var words: [String] = []
        if let title = spot.title { words.append("\u{201C}\(Style.printable(title))\u{201D}") }
        switch spot.content {
        case .media(let files):
            words.append(spot.rules.duration.map { "\($0.seconds) s" } ?? "of unknown length")
            words.append(spot.rules.skipOffset.map { "can be skipped at \($0)" } ?? "can't be skipped")
            if let file = files.first {
                let others = files.count > 1 ? " (and \(files.count - 1) more)" : ""
                words.append("\(file.type) \(Style.printable(Redaction.address(file.url.text)))\(others)")
            }
        case .overlay: words.append("an overlay")
        }
        if spot.rules.hasEndCard { words.append("with an end card") }
        return words.joined(separator: ", ")
    }

    private static func time(_ part: PartRules) -> String {
        guard let time = part.time else { return ", behind the video" }
        let end = time.length.map { " for \($0.seconds) s" } ?? " to the end"
        return ", from \(AdJSON.double(time.start.inSeconds).text()) s\(end)"
    }

    /// The same for scripts.
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
