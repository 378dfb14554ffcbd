import EngineSupport
import WebStage

/// The connection to the helper.
typealias WirePipe = EnginePipe<WireReader>

/// A reply of the helper: its kind, as in `value`, and its content.
struct WireReply: Hashable, Sendable {
    let kind: String
    let content: [UInt8]

    var text: String { String(decoding: self.content, as: UTF8.self) }
}

/// What the helper reports.
enum WireReport: Hashable, EngineReport {
    case event(WireMessage)
    /// A page sends too many messages; in order with its events.
    case flood(EngineFlood, page: Int, frame: Int)

    /// The page; nil for the start of the helper.
    var address: Int? {
        switch self {
        case .event(let message): message.name == "ready" ? nil : message.integer(1)
        case .flood(_, let page, _): page
        }
    }
}

/// Reads the helper's messages.
///
/// Of a frame that has exceeded its limit no messages of scripts are read.
struct WireReader: EnginePipeReader {
    typealias Command = WireCommand
    typealias Answer = WireReply
    typealias Report = WireReport

    /// The maximum size of a message, in bytes; the helper sends no longer ones, and a longer one ends it.
    static let byteLimit = 256 << 20

    private var received: [UInt8] = []
    private var meter = FloodMeter()
    /// Messages that a script can cause without limit.
    private static let limited: Set = ["message", "navigation", "window", "download", "request", "log"]

    mutating func append(
        _ bytes: UnsafeRawBufferPointer,
        at now: ContinuousClock.Instant,
        deliver: (EnginePipeMessage<WireReply, WireReport>) -> Void
    ) -> Bool {
        self.received.append(contentsOf: bytes)
        var start = 0
        while let size = WireSize.read(self.received[start...]) {
            guard size <= WireReader.byteLimit else { return false }
            let content = start + WireSize.bytes
            guard self.received.count - content >= size else { break }
            if let message = WireMessage(encoded: self.received[content..<content + size]) {
                self.read(message, size, now, deliver)
            }
            start = content + size
        }
        self.received.removeFirst(start)
        return true
    }

    private mutating func read(
        _ message: WireMessage,
        _ size: Int,
        _ now: ContinuousClock.Instant,
        _ deliver: (EnginePipeMessage<WireReply, WireReport>) -> Void
    ) {
        guard message.name != "reply" else {
            let reply = WireReply(kind: message.text(3), content: message.bytes(4))
            return deliver(.reply(number: message.integer(2), reply.result))
        }
        guard WireReader.limited.contains(message.name) else { return deliver(.report(.event(message))) }
        let (page, frame) = (message.integer(1), message.name == "message" ? message.integer(2) : 0)
        switch self.meter.admit(EngineTarget(name: "\(page)/\(frame)"), bytes: size, at: now) {
        case .read: break
        case .drop: return
        case .report(let flood): return deliver(.report(.flood(flood, page: page, frame: frame)))
        case .readAfter(let flood): deliver(.report(.flood(flood, page: page, frame: frame)))
        }
        deliver(.report(.event(message)))
    }
}

extension WireReply {
    /// The reply, or why the command failed.
    fileprivate var result: Result<WireReply, EngineError> {
        switch self.kind {
        case "failed": .failure(.refused(self.text))
        case "absent": .failure(.refused("the frame does not exist"))
        default: .success(self)
        }
    }
}
