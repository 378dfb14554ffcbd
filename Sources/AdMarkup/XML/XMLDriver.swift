import CLibXML2

/// Receives the events of an XML document in order.
package protocol XMLEventSink {
    /// Whether the rest of the document is not needed.
    var isStopped: Bool { get }
    /// A start tag, with the namespace of its name.
    ///
    /// - Returns: Whether the rest of the document is needed. `isStopped` is not read here, because that could copy the
    ///   sink for each element.
    mutating func start(
        _ name: UnsafeBufferPointer<UInt8>,
        namespace: UnsafePointer<UInt8>?,
        _ attributes: XMLAttributes,
        at position: XMLPosition
    ) -> Bool
    /// The end of the last element that is open.
    mutating func end()
    /// A piece of text or of a CDATA section.
    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, at position: XMLPosition)
    mutating func parseError(_ error: XMLParseError)
}

/// The position that the parser has reached; valid only during the event.
package struct XMLPosition {
    fileprivate let session: UnsafePointer<markup_xml_session>

    /// The line, counted from 1.
    package var line: Int { Int(markup_xml_line(self.session)) }
}

/// An error that libxml2 reports; valid only during the event.
package struct XMLParseError {
    /// A code of `xmlParserErrors`.
    package let code: Int32
    /// The line, counted from 1.
    package let line: Int
    /// The column that the parser has reached, counted from 1.
    package let column: Int
    /// Whether a strict parser stops here.
    package let isFatal: Bool
    fileprivate let text: UnsafePointer<CChar>?

    /// The first line of libxml2's message.
    package var message: String {
        let text = self.text.map { String(cString: $0) } ?? ""
        return String(text.prefix { $0 != "\n" }.prefix(200))
    }
}

/// Parses XML with libxml2's SAX interface: the reader of VAST and the linter receive the same events.
package enum XMLDriver {
    /// libxml2's tables are initialized once, before two threads could do it at the same time.
    private static let library: Void = xmlInitParser()

    /// Sends the events of a document to a sink; whether it is well-formed.
    ///
    /// With `recovers` the parser continues after a fatal error.
    package static func parse<Sink: XMLEventSink>(
        _ bytes: UnsafeBufferPointer<UInt8>,
        recovers: Bool,
        into sink: inout Sink
    ) -> Bool {
        self.parse(XMLInput(document: bytes), recovers: recovers, into: &sink).isWellFormed
    }

    /// Sends the events of a document to a sink, with the contents of the sections that the parser does not read.
    ///
    /// - Returns: Whether the document is well-formed, and the parser has reported nothing: columns of errors are those
    ///   without the contents.
    static func parse<Sink: XMLEventSink>(
        _ sections: XMLSections,
        of document: UnsafeBufferPointer<UInt8>,
        into sink: inout Sink
    ) -> (isWellFormed: Bool, isClean: Bool) {
        sections.sections.withUnsafeBufferPointer {
            self.parse(XMLInput(document: document, sections: $0), recovers: false, into: &sink)
        }
    }

    private static func parse<Sink: XMLEventSink>(
        _ input: XMLInput,
        recovers: Bool,
        into sink: inout Sink
    ) -> (isWellFormed: Bool, isClean: Bool) {
        guard !input.document.isEmpty else { return (false, true) }
        self.library
        return withUnsafeMutablePointer(to: &sink) { sink in
            // A callback of C can't be generic: it finds the sink's type through these functions.
            var target = Target(
                sink: sink,
                input: input,
                start: { sink, name, namespace, attributes, position in
                    let sink = sink.assumingMemoryBound(to: Sink.self)
                    return sink.pointee.start(name, namespace: namespace, attributes, at: position)
                },
                end: { $0.assumingMemoryBound(to: Sink.self).pointee.end() },
                text: { $0.assumingMemoryBound(to: Sink.self).pointee.text($1, at: $2) },
                parseError: { $0.assumingMemoryBound(to: Sink.self).pointee.parseError($1) }
            )
            return withUnsafeMutablePointer(to: &target) { target in
                var session = markup_xml_session(parser: nil, reader: target, report: onParseError)
                let flag: Int32 = recovers ? 1 : 0
                let result = markup_xml_parse(&session, onRead, flag, onStart, onEnd, onText, onSection)
                return (result > 0, !target.pointee.hasErrors)
            }
        }
    }

    fileprivate struct Target {
        let sink: UnsafeMutableRawPointer
        var input: XMLInput
        var hasErrors = false
        let start:
            (
                UnsafeMutableRawPointer, UnsafeBufferPointer<UInt8>, UnsafePointer<UInt8>?, XMLAttributes, XMLPosition
            ) -> Bool
        let end: (UnsafeMutableRawPointer) -> Void
        let text: (UnsafeMutableRawPointer, UnsafeBufferPointer<UInt8>, XMLPosition) -> Void
        let parseError: (UnsafeMutableRawPointer, XMLParseError) -> Void
    }
}

// MARK: Callbacks

private typealias Session = UnsafeMutablePointer<markup_xml_session>

extension Session {
    fileprivate var target: UnsafeMutablePointer<XMLDriver.Target> {
        self.pointee.reader.assumingMemoryBound(to: XMLDriver.Target.self)
    }
}

private func onRead(
    _ context: UnsafeMutableRawPointer?,
    _ buffer: UnsafeMutablePointer<CChar>?,
    _ count: Int32
) -> Int32 {
    guard let session = context?.assumingMemoryBound(to: markup_xml_session.self) else { return -1 }
    let room = UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
    return Int32(session.target.pointee.input.read(into: room))
}

private func onStart(
    _ context: UnsafeMutableRawPointer?,
    _ name: UnsafePointer<xmlChar>?,
    _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?,
    _ namespaces: Int32,
    _ declared: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
    _ count: Int32,
    _ defaulted: Int32,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) {
    guard let session = context?.assumingMemoryBound(to: markup_xml_session.self), let name else { return }
    let target = session.target
    let list = XMLAttributes(base: attributes, count: Int(count))
    let bytes = UnsafeBufferPointer(terminated: name)
    let isNeeded = target.pointee.start(target.pointee.sink, bytes, uri, list, XMLPosition(session: session))
    if !isNeeded { markup_xml_stop(session) }
}

private func onEnd(
    _ context: UnsafeMutableRawPointer?,
    _ name: UnsafePointer<xmlChar>?,
    _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?
) {
    guard let target = context?.assumingMemoryBound(to: markup_xml_session.self).target else { return }
    target.pointee.end(target.pointee.sink)
}

private func onText(_ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<xmlChar>?, _ count: Int32) {
    guard let session = context?.assumingMemoryBound(to: markup_xml_session.self), let text else { return }
    let target = session.target
    let bytes = UnsafeBufferPointer(start: text, count: Int(count))
    target.pointee.text(target.pointee.sink, bytes, XMLPosition(session: session))
}

private func onSection(_ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<xmlChar>?, _ count: Int32) {
    guard let session = context?.assumingMemoryBound(to: markup_xml_session.self), let text else { return }
    let target = session.target
    let bytes =
        target.pointee.input.content(endingAt: Int(markup_xml_offset(session)))
        ?? UnsafeBufferPointer(start: text, count: Int(count))
    target.pointee.text(target.pointee.sink, bytes, XMLPosition(session: session))
}

private func onParseError(
    _ session: Session?,
    _ code: Int32,
    _ line: Int32,
    _ isFatal: Int32,
    _ message: UnsafePointer<CChar>?
) {
    guard let session else { return }
    session.target.pointee.hasErrors = true
    let error = XMLParseError(
        code: code,
        line: Int(line),
        column: Int(markup_xml_column(session)),
        isFatal: isFatal != 0,
        text: message
    )
    session.target.pointee.parseError(session.target.pointee.sink, error)
}
