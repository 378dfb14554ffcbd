import AdCore
import CLibXML2

/// Parses a banner with the scanner and libxml2's SAX interface, and sends each event to a sink.
///
/// It is a value at a fixed address: callbacks reach it through a pointer, without reference counting and exclusivity
/// checks.
package struct HTMLDriver {
    private var parse: HTMLParse
    private var sink: (any HTMLEventSink)?

    /// Whether this libxml2 finds the ends of tags at the same offsets as the scanner.
    static let agreesWithScan = LIBXML_VERSION < 21_400

    /// Sends the events of a banner to a sink, and returns it.
    package static func read<Sink: HTMLEventSink>(
        _ source: UnsafeBufferPointer<UInt8>,
        _ limits: HTMLLimits,
        into sink: Sink
    ) -> Result<Sink, MarkupError> {
        let (sink, error) = self.readPart(source, limits, into: sink)
        return error.map { .failure($0) } ?? .success(sink)
    }

    /// Sends the events of a banner to a sink, up to the first limit that it exceeds.
    package static func readPart<Sink: HTMLEventSink>(
        _ source: UnsafeBufferPointer<UInt8>,
        _ limits: HTMLLimits,
        into sink: Sink
    ) -> (sink: Sink, error: MarkupError?) {
        let outcome: Result<(Sink, MarkupError?), MarkupError> = self.scanned(source, limits) { text, scanner in
            var driver = HTMLDriver(HTMLParse(scanner, text, stopsWhenVisible: false), sink)
            driver.run()
            if driver.parse.error == nil {
                driver.reportStrayTags(before: .max)
                driver.parse.visibility.finish()
                driver.sink?.finish(in: &driver.parse)
            }
            return .success((driver.sink as? Sink ?? sink, driver.parse.error))
        }
        switch outcome {
        case .success(let (sink, error)): return (sink, error)
        case .failure(let error): return (sink, error)
        }
    }

    /// Parses until something is visible.
    static func preflight(
        _ source: UnsafeBufferPointer<UInt8>,
        _ limits: HTMLLimits
    ) -> Result<(isVisible: Bool, isFragment: Bool), MarkupError> {
        self.scanned(source, limits) { text, scanner in
            var driver = HTMLDriver(HTMLParse(scanner, text, stopsWhenVisible: true), nil)
            driver.run()
            if let error = driver.parse.error { return .failure(error) }
            driver.parse.visibility.finish()
            return .success((driver.parse.isVisible, !scanner.scan.isWhole))
        }
    }

    /// Whether the markup is a fragment: without a doctype and the tags `html`, `head` and `body`.
    static func isFragment(_ source: UnsafeBufferPointer<UInt8>, _ limits: HTMLLimits) -> Result<Bool, MarkupError> {
        self.scanned(source, limits) { _, scanner in .success(!scanner.scan.isWhole) }
    }

    private static func scanned<R>(
        _ source: UnsafeBufferPointer<UInt8>,
        _ limits: HTMLLimits,
        _ body: (UnsafeBufferPointer<UInt8>, HTMLScanner) -> Result<R, MarkupError>
    ) -> Result<R, MarkupError> {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: HTMLScanner.bufferSize(for: source.count)) { text in
            var scanner = HTMLScanner(source, into: text, limits: limits)
            do throws(MarkupError) {
                try scanner.run()
            } catch {
                return .failure(error)
            }
            return body(UnsafeBufferPointer(start: text.baseAddress, count: scanner.scan.textCount), scanner)
        }
    }

    private init(_ parse: HTMLParse, _ sink: (any HTMLEventSink)?) {
        self.parse = parse
        self.sink = sink
    }

    // MARK: Events

    /// libxml2's tables are initialized once, before two threads could do it at the same time.
    private static let library: Void = xmlInitParser()

    private mutating func run() {
        guard !self.parse.text.isEmpty, let base = self.parse.text.baseAddress else { return }
        HTMLDriver.library
        let isOpen = withUnsafeMutablePointer(to: &self) { driver in
            var session = markup_html_session(parser: nil, reader: driver, report: onParseError)
            guard markup_html_open(&session, base, onStart, onEnd, onCharacters) != 0 else { return false }
            htmlParseDocument(session.parser)
            markup_html_close(&session)
            return true
        }
        if !isOpen { self.parse.error = MarkupError(.outOfMemory) }
    }

    fileprivate mutating func start(_ name: UnsafePointer<UInt8>, _ attributes: HTMLAttributes, _ session: Session) {
        guard !self.parse.isDone else { return }
        let key = NameKey(terminated: name)
        // A declarative shadow root is rendered (HTML Living Standard, "the template element").
        let isShadowRoot = key.element == .template && attributes.has("shadowrootmode")
        let element = isShadowRoot ? .other : key.element
        let offset = session.offset
        self.reportStrayTags(before: offset)
        let tag = self.parse.nextStart(at: offset, key.word)
        if let tag { self.parse.line = self.parse.line(at: Int(tag.start)) }

        let outer = self.parse.open.last?.contentState ?? []
        var state = outer
        let isFrame = element == .html || element == .head || element == .body
        if tag == nil, attributes.isEmpty, isFrame || (name[0] == UInt8(ascii: "p") && name[1] == 0) {
            self.sink?.startImplied(element, in: &self.parse)
        } else {
            if tag == nil { self.parse.unmatchedStartTags += 1 }
            let box = HTMLBox(attributes)
            if box.isHidden { state.insert(.hidden) }
            if let isInvisible = box.isInvisible {
                if isInvisible { state.insert(.invisible) } else { state.remove(.invisible) }
            }
            let start = HTMLStartTag(
                element: element,
                name: name,
                attributes: attributes,
                tag: tag,
                line: self.parse.line,
                box: box,
                outer: outer,
                state: state,
                content: self.parse.content(of: tag)
            )
            self.parse.visibility.read(start, of: self.parse.source)
            self.sink?.start(start, in: &self.parse)
            if self.parse.text.indices.contains(offset), self.parse.text[offset] == UInt8(ascii: "/") {
                state.insert(.closed)
            }
        }
        if isFrame { self.parse.frames += 1 }
        self.parse.open.append(HTMLOpenElement(element: element, key: key.word, line: self.parse.line, state: state))
        if self.parse.open.count > self.parse.limits.depth {
            self.parse.error = MarkupError(.exceeds(.depth, limit: self.parse.limits.depth), line: self.parse.line)
            xmlStopParser(session.parser)
        }
    }

    fileprivate mutating func end(_ name: UnsafePointer<UInt8>, _ session: Session) {
        guard !self.parse.isDone else { return }
        let key = NameKey(terminated: name)
        let offset = session.offset
        self.reportStrayTags(before: offset)
        let hasTag = self.parse.nextEnd(at: offset, key.word)
        guard let closed = self.parse.open.last, closed.key == key.word else { return }
        self.parse.open.removeLast()
        switch closed.element {
        case .html, .head, .body: self.parse.frames -= 1
        default: break
        }
        self.sink?.end(closed, name: name, hasTag: hasTag, in: &self.parse)
    }

    fileprivate mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard !self.parse.isDone else { return }
        self.parse.visibility.readText(bytes, in: self.parse.open.last)
        self.sink?.text(bytes, in: &self.parse)
    }

    fileprivate mutating func parseError(_ code: Int32, _ name: UnsafePointer<CChar>?, _ session: Session) {
        guard !self.parse.isDone else { return }
        if code == Int32(bitPattern: XML_ERR_NO_MEMORY.rawValue) {
            self.parse.error = MarkupError(.outOfMemory)
        } else {
            self.sink?.parseError(code, name, at: session.offset, in: &self.parse)
        }
    }

    /// Reports the tags that libxml2 has read without reporting them: they open or close no element.
    private mutating func reportStrayTags(before offset: Int) {
        while let tag = self.parse.skippedTag(before: offset) {
            if tag.isEnd {
                self.sink?.strayEnd(tag, in: &self.parse)
            } else {
                self.sink?.strayStart(tag, in: &self.parse)
            }
        }
    }
}

// MARK: Callbacks

private typealias Session = UnsafeMutablePointer<markup_html_session>

extension Session {
    /// How many bytes of its text the parser has read.
    fileprivate var offset: Int { markup_html_offset(self) }
    fileprivate var parser: htmlParserCtxtPtr? { self.pointee.parser }
    fileprivate var driver: UnsafeMutablePointer<HTMLDriver> {
        self.pointee.reader.assumingMemoryBound(to: HTMLDriver.self)
    }
}

private func onStart(
    _ context: UnsafeMutableRawPointer?,
    _ name: UnsafePointer<xmlChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) {
    guard let session = context?.assumingMemoryBound(to: markup_html_session.self), let name else { return }
    session.driver.pointee.start(name, HTMLAttributes(attributes), session)
}

private func onEnd(_ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?) {
    guard let session = context?.assumingMemoryBound(to: markup_html_session.self), let name else { return }
    session.driver.pointee.end(name, session)
}

private func onCharacters(_ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<xmlChar>?, _ count: Int32) {
    guard let session = context?.assumingMemoryBound(to: markup_html_session.self), let text else { return }
    session.driver.pointee.characters(UnsafeBufferPointer(start: text, count: Int(count)))
}

private func onParseError(_ session: Session?, _ code: Int32, _ name: UnsafePointer<CChar>?) {
    guard let session else { return }
    session.driver.pointee.parseError(code, name, session)
}
