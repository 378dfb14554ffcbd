import AdCore
import EngineSupport
import LibC
import WebStage

/// The connection to a browser.
typealias DevToolsPipe = EnginePipe<DevToolsReader>

extension DevToolsCommand: EnginePipeCommand {
    var name: String { self.method }
}

/// Reads the browser's messages.
///
/// Of a session that has exceeded its limits only replies are read.
struct DevToolsReader: EnginePipeReader {
    typealias Command = DevToolsCommand
    typealias Answer = AdJSON
    typealias Report = DevToolsReport

    private var splitter = DevToolsSplitter()
    private var meter = FloodMeter()
    private var quotas = MessageQuotas()

    mutating func append(
        _ bytes: UnsafeRawBufferPointer,
        at now: ContinuousClock.Instant,
        deliver: (EnginePipeMessage<AdJSON, DevToolsReport>) -> Void
    ) -> Bool {
        var messages: [[UInt8]] = []
        self.splitter.append(bytes) { messages.append($0) }
        for message in messages { self.read(message, now, deliver) }
        return true
    }

    private mutating func read(
        _ bytes: [UInt8],
        _ now: ContinuousClock.Instant,
        _ deliver: (EnginePipeMessage<AdJSON, DevToolsReport>) -> Void
    ) {
        if let preview = DevToolsPreview(bytes), !preview.isPicture {
            let count = preview.isInline ? min(bytes.count, FloodMeter.inlineByteLimit) : bytes.count
            switch self.meter.admit(preview.session, bytes: count, at: now) {
            case .read: break
            case .drop: return
            case .report(let flood): return deliver(.report(.flood(flood, in: preview.session)))
            case .readAfter(let flood): deliver(.report(.flood(flood, in: preview.session)))
            }
            guard self.quotas.admit(preview) else { return }
        }
        switch DevToolsMessage(bytes) {
        case .reply(let number, let reply): deliver(.reply(number: number, reply))
        case .event(let event): deliver(.report(.event(event)))
        case nil: break
        }
    }
}
