import AdCore

/// A request that was made for an ad.
package struct RunRequest: Hashable, Sendable {
    package enum Initiator: String, Hashable, Sendable {
        case creative, runtime
    }

    package var method: String
    package var url: String
    /// The purpose or the resource type, such as `Ad request` or `Image`.
    package var kind: String
    package var initiator: Initiator
    /// The start since that of the run in real milliseconds.
    package var start: Int
    /// The duration in real milliseconds.
    package var duration: Int
    /// The status of the response; nil without one.
    package var status: Int?
    /// The media type of the response.
    package var type: String?
    /// The size of the response; nil without one, or if it is not known.
    package var bytes: Int?
    /// Why there is no response: `cancelled`, `blocked: WHY`, or the engine's message; nil if there is one.
    package var error: String?

    package init(
        _ method: String,
        _ url: String,
        kind: String,
        initiator: Initiator,
        start: Int,
        duration: Int,
        status: Int? = nil,
        type: String? = nil,
        bytes: Int? = nil,
        error: String? = nil
    ) {
        self.method = method
        self.url = url
        self.kind = kind
        self.initiator = initiator
        self.start = start
        self.duration = duration
        self.status = status
        self.type = type
        self.bytes = bytes
        self.error = error
    }

    /// The kind of the runtime's requests that deliver beacons.
    package static let beaconKind = "Beacon"

    var json: AdJSON {
        [
            "method": .string(self.method), "url": .string(self.url), "kind": .string(self.kind),
            "initiator": .string(self.initiator.rawValue), "start": .int(self.start), "ms": .int(self.duration),
            "status": self.status.map { .int($0) } ?? .null, "type": .text(self.type),
            "bytes": self.bytes.map { .int($0) } ?? .null, "error": .text(self.error),
        ]
    }
}
