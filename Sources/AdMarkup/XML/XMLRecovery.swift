import AdCore

/// Parses a document strictly, and if it is not well-formed, once more from repaired bytes (VAST 4.3 §2.3.2).
///
/// The strict pass is first made without the contents of sections, and repeated with them if the parser reports anything.
///
/// The reader of VAST and the linter receive the events of the same passes over the same repairs. What they leave out of
/// a damaged document differs, and `Omissions` names it.
package struct XMLRecovery<Sink: XMLEventSink> {
    /// The sink of the last pass.
    package let sink: Sink
    /// The sink of the strict pass, and the repair after it; nil if the strict pass is the last.
    package let repaired: (strict: Sink, repair: XMLRepair)?
    /// Whether the document is well-formed.
    package var isWellFormed: Bool { self.repaired == nil && !self.sink.isStopped }

    /// Parses a document; `makeSink` creates the sink of each pass.
    package init(
        of bytes: UnsafeBufferPointer<UInt8>,
        omitting omissions: XMLRepair.Omissions,
        into makeSink: (_ repaired: (strict: Sink, repair: XMLRepair)?) -> Sink
    ) {
        if let sections = XMLSections(of: bytes) {
            var sink = makeSink(nil)
            let outcome = XMLDriver.parse(sections, of: bytes, into: &sink)
            if outcome.isClean, outcome.isWellFormed || sink.isStopped {
                self.sink = sink
                self.repaired = nil
                return
            }
        }
        var strict = makeSink(nil)
        if XMLDriver.parse(bytes, recovers: false, into: &strict) || strict.isStopped {
            self.sink = strict
            self.repaired = nil
            return
        }
        let repair = XMLRepair(of: bytes, omitting: omissions)
        var tolerant = makeSink((strict, repair))
        _ = repair.bytes.withUnsafeBufferPointer { XMLDriver.parse($0, recovers: true, into: &tolerant) }
        self.sink = tolerant
        self.repaired = (strict, repair)
    }
}
