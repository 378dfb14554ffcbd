import AdCore

/// Parses a document strictly, and if it is not well-formed, once more from repaired bytes (VAST 4.3 §2.3.2).
///
/// The strict pass is first made without the contents of sections, and repeated with them if the parser reports anything.
///
/// The reader of VAST and the linter receive the events of the same passes over the same repairs. What they leave out of
/// a damaged document differs, and `Omissions` names it.
package struct XMLRecovery<Sink: XMLEventSink> {
    /// A document that is not well-formed.
    package final class Repaired {
        /// The sink of the strict pass.
        package let strict: Sink
        package let repair: XMLRepair

        fileprivate init(strict: Sink, repair: XMLRepair) {
            self.strict = strict
            self.repair = repair
        }
    }

    /// The sink of the last pass.
    package let sink: Sink
    /// What the last pass was of; nil if the strict pass is the last.
    package let repaired: Repaired?
    /// Whether the document is well-formed.
    package var isWellFormed: Bool { self.repaired == nil && !self.sink.isStopped }

    /// Parses a document; `makeSink` creates the sink of each pass.
    package init(
        of bytes: UnsafeBufferPointer<UInt8>,
        omitting omissions: XMLRepair.Omissions,
        into makeSink: (Repaired?) -> Sink
    ) {
        (self.sink, self.repaired) = XMLRecovery.parse(bytes, omitting: omissions, into: makeSink)
    }

    /// The same as parts, which are not copied.
    static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>,
        omitting omissions: XMLRepair.Omissions,
        into makeSink: (Repaired?) -> Sink
    ) -> (sink: Sink, repaired: Repaired?) {
        if let sections = XMLSections(of: bytes) {
            var sink = makeSink(nil)
            let outcome = XMLDriver.parse(sections, of: bytes, into: &sink)
            if outcome.isClean, outcome.isWellFormed || sink.isStopped { return (sink, nil) }
        }
        var strict = makeSink(nil)
        if XMLDriver.parse(bytes, recovers: false, into: &strict) || strict.isStopped { return (strict, nil) }
        let repaired = Repaired(strict: strict, repair: XMLRepair(of: bytes, omitting: omissions))
        var tolerant = makeSink(repaired)
        _ = repaired.repair.bytes.withUnsafeBufferPointer { XMLDriver.parse($0, recovers: true, into: &tolerant) }
        return (tolerant, repaired)
    }
}
