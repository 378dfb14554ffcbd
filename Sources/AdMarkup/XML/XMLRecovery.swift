import AdCore

/// Parses a document strictly, and if it is not well-formed, once more from repaired bytes (VAST 4.3 §2.3.2).
///
/// The strict pass is first made without the contents of sections, and repeated with them if the parser reports anything.
///
/// The reader of VAST and the linter receive the events of the same passes over the same repairs. What they leave out of
/// a damaged document differs, and `Omissions` names it.
package enum XMLRecovery<Sink: XMLEventSink> {
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

    /// Parses a document; `makeSink` creates the sink of each pass.
    ///
    /// - Returns: The sink of the last pass, and what that was of; nil if the strict pass is the last. A document is
    ///   well-formed if that is nil and the sink has not stopped.
    package static func parse(
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
