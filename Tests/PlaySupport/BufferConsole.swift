package import AdCore
package import PlayConsole
import SystemSupport

/// A console that stores the printed lines.
package final class BufferConsole: Console {
    private let lines = Locked<(out: [String], err: [String])>(([], []))
    package let isColored = false
    package let width = 80
    package let loss: OutputLoss? = nil

    package init() {}

    package func out(_ line: String) { self.lines.withLock { $0.out.append(line) } }
    package func err(_ line: String) { self.lines.withLock { $0.err.append(line) } }

    package func startInteraction(onKey: @escaping @Sendable (Key) -> Void) -> (any Interaction)? { nil }

    package var out: [String] { self.lines.withLock { $0.out } }
    package var err: [String] { self.lines.withLock { $0.err } }

    /// The lines as JSON.
    ///
    /// A line that is not JSON is null.
    package var json: [AdJSON] { self.out.map { (try? AdJSON(parsing: $0)) ?? .null } }

    /// The names of the events, in order, without requests and activities of creatives.
    package var events: [String] { self.allEvents.filter { !BufferConsole.activities.contains($0) } }

    /// The names of all events, in order.
    package var allEvents: [String] { self.json.compactMap { $0["event"]?.string } }

    private static let activities: Set<String> = [
        "fetch", "console", "mraid", "layout", "scroll", "visible", "longTask", "mediaStall", "omitted",
        "painted", "scriptCall", "mediaStart", "use",
    ]
}
