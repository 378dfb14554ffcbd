/// What a creative did, or what happened to it, for lists in tools; no decision depends on it.
package enum CreativeActivity: Hashable, Sendable {
    /// A message of the creative's console, except for errors, which are a `CreativeDiagnostic`.
    case console(ConsoleMessage)
    /// A message between the creative and the stage.
    case bridge(BridgeMessage)
    /// The creative's place on the screen has changed.
    case layout(CreativePlace)
    /// The app was scrolled; the position in points.
    case scroll(x: Double, y: Double)
    /// The share of the creative's area that is on screen, from 0 to 1.
    case visible(ratio: Double)
    /// A script kept the page busy for so long, in real time (W3C Long Tasks).
    case longTask(Duration)
    /// A video waited for its data for so long, in real time; the position is nil if unknown.
    case mediaStall(Duration, at: Duration?)
    /// What became of a video's captions.
    case captions(CaptionActivity)
    /// A frame of the creative has drawn its first content, so long after the start of its document, in real time
    /// (W3C Paint Timing).
    case painted(after: Duration)
    /// The creative has called a browser interface that tools list; each is listed once for each frame.
    case call(ScriptCall)
    /// The creative has started sound or video.
    case media(MediaStart)
    /// What the creative has used, when it closes.
    case use(ResourceUse)
    /// A tracking request of the creative that was not sent; its redacted URL.
    case withheld(url: String)
    /// Further activities of this kind are not listed.
    case omitted(String)
}

/// A message of a creative's console.
package struct ConsoleMessage: Hashable, Sendable {
    /// As in `console.warn`.
    package enum Level: String, Hashable, Sendable, CaseIterable {
        case debug, log, info, warning, error
    }

    package let level: Level
    package let text: String
    /// The script's URL; nil for an inline script.
    package let url: String?
    /// The line, from 1; nil if unknown.
    package let line: Int?

    package init(_ level: Level, _ text: String, url: String? = nil, line: Int? = nil) {
        self.level = level
        self.text = text
        self.url = url
        self.line = line
    }
}

/// A message of a protocol between a creative and the stage, such as MRAID.
package struct BridgeMessage: Hashable, Sendable {
    package enum Name: String, Hashable, Sendable {
        case mraid, omid, simid, vpaid
    }

    package enum Direction: String, Hashable, Sendable {
        /// From the creative.
        case fromCreative = "in"
        /// To the creative.
        case toCreative = "out"
    }

    package let bridge: Name
    package let direction: Direction
    /// The method or event, as in `expand` or `stateChange`; `reply` for the answer to a call.
    package let type: String
    package let arguments: AdJSON

    package init(_ bridge: Name, _ direction: Direction, _ type: String, _ arguments: AdJSON) {
        self.bridge = bridge
        self.direction = direction
        self.type = type
        self.arguments = arguments
    }
}

/// Where a creative is on the screen, in points.
package struct CreativePlace: Hashable, Sendable {
    /// The size of the creative's place.
    package enum Mode: String, Hashable, Sendable {
        case normal, expanded, resized
    }

    package let mode: Mode
    package let x: Double
    package let y: Double
    package let width: Double
    package let height: Double

    package init(_ mode: Mode, x: Double, y: Double, width: Double, height: Double) {
        self.mode = mode
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

extension CreativeActivity {
    /// The activity as data, for `--json`, traces and the report.
    package var row: EventRow {
        switch self {
        case .console(let message):
            EventRow(
                "console",
                "a message of the creative's console: debug, log, info or warning; errors are scriptError",
                [
                    "level": .string(message.level.rawValue), "text": .string(message.text), "url": .text(message.url),
                    "line": message.line.map { .int($0) } ?? .null,
                ]
            )
        case .bridge(let message):
            EventRow(
                message.bridge.rawValue,
                "a call of the creative (in), or an event or reply to it (out)",
                [
                    "direction": .string(message.direction.rawValue), "type": .string(message.type),
                    "arguments": message.arguments,
                ]
            )
        case .layout(let layout):
            EventRow(
                "layout",
                "the creative's place on the screen, in points; mode: normal, expanded or resized",
                [
                    "mode": .string(layout.mode.rawValue), "x": .double(layout.x), "y": .double(layout.y),
                    "width": .double(layout.width), "height": .double(layout.height),
                ]
            )
        case .scroll(let x, let y):
            EventRow("scroll", "the app was scrolled to this position", ["x": .double(x), "y": .double(y)])
        case .visible(let ratio):
            EventRow("visible", "the share of the creative that is on screen", ["ratio": .double(ratio)])
        case .longTask(let time):
            EventRow(
                "longTask",
                "a script kept the page busy for so many real milliseconds",
                ["ms": .int(time.wholeMilliseconds)]
            )
        case .mediaStall(let time, let position):
            EventRow(
                "mediaStall",
                "a video waited for data for so many real milliseconds, at a position in seconds",
                ["ms": .int(time.wholeMilliseconds), "position": position.map { .double($0.inSeconds) } ?? .null]
            )
        case .captions(let captions):
            EventRow(
                "captions",
                "a video's captions: shown, off (the user has switched them off), or failed with its issues",
                captions.members
            )
        case .painted(let time):
            EventRow(
                "painted",
                "a frame of the creative has drawn its first content, so many real milliseconds after its start",
                ["ms": .int(time.wholeMilliseconds)]
            )
        case .call(let call):
            EventRow(
                "scriptCall",
                "the creative called a browser interface for a purpose: fingerprint, storage, permission or worker; once for each frame",
                ["purpose": .string(call.purpose.rawValue), "name": .string(call.name)]
            )
        case .media(let media):
            EventRow(
                "mediaStart",
                "the creative itself started sound or video: video, audio or webaudio",
                [
                    "element": .string(media.element.rawValue), "audible": .bool(media.isAudible),
                    "afterGesture": .bool(media.isAfterGesture),
                ]
            )
        case .use(let use):
            EventRow(
                "use",
                "what the creative has used when it closes: processor time in real milliseconds, memory in bytes, nodes; and the end of its animations and its last change, in seconds",
                use.members
            )
        case .withheld(let url):
            EventRow(
                "beaconWithheld",
                "--no-beacons: a beacon that is not sent; key is null for a request of the creative, with =all",
                ["key": .null, "url": .string(url)]
            )
        case .omitted(let kind):
            EventRow("omitted", "further events of this kind are not listed", ["kind": .string(kind)])
        }
    }
}

/// Limits how many activities of an ad are listed: a creative can cause any number of them.
package struct ActivityLimit: Hashable, Sendable {
    /// The limit of each kind.
    package static let perKind = 1_000

    private var counts: [String: Int] = [:]

    package init() {}

    /// The activities to list in place of one: itself, a note that further ones are not listed, or nothing.
    package mutating func admit(_ activity: CreativeActivity) -> [CreativeActivity] {
        let name = activity.row.name
        let count = self.counts[name, default: 0]
        guard count <= ActivityLimit.perKind else { return [] }
        self.counts[name] = count + 1
        return [count < ActivityLimit.perKind ? activity : .omitted(name)]
    }
}
