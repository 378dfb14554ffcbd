import AdCore

/// Reads the ads of a document from the events that another sink receives.
///
/// The linter and the player's reader share one pass of the parser with it. It is a class, because the code that copies
/// such a large value would be in every app.
package final class VASTSink<Other: XMLEventSink>: XMLEventSink {
    package var other: Other
    private var reader: VASTReader?
    /// Whether the reader needs the next events.
    private var isReading: Bool

    /// Creates a sink that reads a document as VAST or VMAP; or not at all, if `root` is nil.
    package init(_ other: Other, reading root: VASTRoot?, linesBefore: Int) {
        self.other = other
        self.reader = root.map { VASTReader(.standard, expectedRoot: $0, linesBefore: linesBefore) }
        self.isReading = root != nil
    }

    /// The ads of a well-formed document, for VMAP those of all its breaks; nil if it was not read, or is of another kind.
    package func ads() -> [VASTAd]? {
        guard let reader, reader.stop == nil else { return nil }
        return switch reader.expectedRoot {
        case .vast: reader.vast().ads
        case .vmap: reader.vmap().ads
        }
    }

    package var isStopped: Bool { self.other.isStopped }

    package func start(
        _ name: UnsafeBufferPointer<UInt8>,
        namespace: UnsafePointer<UInt8>?,
        _ attributes: XMLAttributes,
        at position: XMLPosition
    ) -> Bool {
        if self.isReading {
            self.isReading = self.reader?.start(name, namespace: namespace, attributes, at: position) == true
        }
        return self.other.start(name, namespace: namespace, attributes, at: position)
    }

    package func end() {
        self.other.end()
        if self.isReading { self.reader?.end() }
    }

    package func text(_ bytes: UnsafeBufferPointer<UInt8>, at position: XMLPosition) {
        self.other.text(bytes, at: position)
        if self.isReading { self.reader?.text(bytes, at: position) }
    }

    package func parseError(_ error: XMLParseError) { self.other.parseError(error) }
}
