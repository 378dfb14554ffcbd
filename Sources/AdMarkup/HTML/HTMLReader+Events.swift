import AdCore
import CLibXML2

/// What the parser tells, in the order of the markup.
extension HTMLReader {
    /// libxml2's tables are made once, before any two threads could do it at the same time.
    private static let library: Void = xmlInitParser()

    /// Parses the text, and takes down what the parser tells.
    mutating func parse() {
        guard !self.text.isEmpty, let base = self.text.baseAddress else { return }
        HTMLReader.library
        let isOpen = withUnsafeMutablePointer(to: &self) { reader in
            var session = markup_html_session(parser: nil, reader: reader, fault: onFault)
            guard markup_html_open(&session, base, onStart, onEnd, onCharacters) != 0 else { return false }
            htmlParseDocument(session.parser)
            markup_html_close(&session)
            return true
        }
        if !isOpen { self.error = MarkupError(.outOfMemory) }
    }

    fileprivate mutating func start(_ name: UnsafePointer<UInt8>, _ attributes: Attributes, _ session: Session) {
        guard !self.isDone else { return }
        let key = NameKey(terminated: name)
        // What stands in a declared shadow root is rendered (HTML standard, "the template element").
        let isShadow = key.element == .template && attributes.has("shadowrootmode")
        let element = isShadow ? .other : key.element
        let tag = self.takeStart(at: session.offset, key.word)
        if let tag { self.line = self.lines.line(at: Int(tag.start), in: self.source) }

        var state = self.open.last.map(HTMLReader.inherited) ?? []
        let isFrame = element == .html || element == .head || element == .body
        let isImplied = tag == nil && attributes.isEmpty && (isFrame || HTMLReader.isParagraph(name))
        if !isImplied {
            if tag == nil { self.unexplained += 1 }
            let start = StartTag(
                element: element,
                attributes: attributes,
                tag: tag,
                line: self.line,
                isTop: self.open.count == self.frames && !isFrame,
                isRoot: self.open.count == self.shells && !isFrame,
                isCustom: element == .other && HTMLReader.isCustom(name)
            )
            let outer = state
            state = self.read(start, in: state)
            if self.outline != nil {
                let element = self.element(start, name, outer, state)
                self.outline?.start(element)
            }
            if self.text.indices.contains(session.offset), self.text[session.offset] == UInt8(ascii: "/") {
                state.insert(.closed)
            }
        } else if !isFrame {
            // A paragraph of the parser's own making: text stands at the top.
            self.tops += 1
            self.roots += 1
        }
        if (isFrame || (self.isShell && !isImplied)) && self.open.count == self.shells { self.shells += 1 }
        if isImplied { self.outline?.startImplied() }
        if isFrame { self.frames += 1 }
        self.open.append(Open(element: element, name: key.word, line: self.line, state: state))
        if self.open.count > self.limits.depth {
            self.error = MarkupError(.exceeds(.depth, limit: self.limits.depth), line: self.line)
            xmlStopParser(session.parser)
        }
    }

    /// An element of the outline.
    private mutating func element(
        _ start: StartTag,
        _ name: UnsafePointer<UInt8>,
        _ outer: State,
        _ state: State
    ) -> PageElement {
        // It may have been taken already: then it is the same one.
        let content = self.takeContent(of: start.tag)
        return PageElement(
            name: String(cString: name),
            attributes: start.attributes.all,
            isHidden: state.isUnseen && !outer.isUnseen,
            isInert: state.contains(.inert),
            content: content.flatMap { $0.isClosed ? Array(self.source[$0.range]) : nil }
        )
    }

    private static func isParagraph(_ name: UnsafePointer<UInt8>) -> Bool {
        name[0] == UInt8(ascii: "p") && name[1] == 0
    }

    /// Whether a name has a hyphen: HTML's own have none (HTML standard, "valid custom element name").
    private static func isCustom(_ name: UnsafePointer<UInt8>) -> Bool {
        var at = name
        while at.pointee != 0 {
            if at.pointee == UInt8(ascii: "-") { return true }
            at += 1
        }
        return false
    }

    /// What an element hands on to what stands inside: media and plug-ins show it only where they can't do better.
    private static func inherited(_ parent: Open) -> State {
        switch parent.element {
        case .audio, .canvas, .noscript, .object, .template, .video: parent.state.union(.inert)
        case .svg, .math: parent.state.union(.foreign)
        default: parent.state
        }
    }

    fileprivate mutating func end(_ name: UnsafePointer<UInt8>, _ session: Session) {
        guard !self.isDone else { return }
        let key = NameKey(terminated: name)
        let hasTag = self.takeEnd(at: session.offset, key.word)
        guard let closed = self.open.last, closed.name == key.word else { return }
        self.open.removeLast()
        self.shells = min(self.shells, self.open.count)
        self.outline?.end()
        switch closed.element {
        case .html, .head, .body: self.frames -= 1
        case .title where self.document.title == nil && !closed.state.contains(.foreign):
            let title = String(decoding: self.title, as: UTF8.self).trimmed
            self.document.title = title.isEmpty ? nil : title
        default: break
        }
        guard !hasTag, !closed.element.mayStayOpen, !closed.state.contains(.closed), !closed.element.holdsText else {
            return
        }
        guard self.issues.hasRoom else { return self.issues.count() }
        let shown = String(cString: name)
        self.issues.add(
            "html.element.unclosed",
            line: closed.line,
            "<\(shown)> has no end tag of its own; it ends with what it stands in"
        )
    }

    fileprivate mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard !self.isDone else { return }
        self.outline?.text(bytes)
        let top = self.open.last
        if top?.element == .title {
            let room = max(0, HTMLReader.longestTitle - self.title.count)
            if self.document.title == nil { self.title.append(contentsOf: bytes.prefix(room)) }
            return
        }
        let isRoot = self.open.count == self.frames
        let isInShell = !isRoot && self.open.count == self.shells
        let isNews = (isRoot && !self.hasRootText) || (isInShell && !self.hasShellText)
        guard !self.document.hasSomethingToSee || isNews else { return }
        let state = top.map(HTMLReader.inherited) ?? []
        guard !state.contains(.inert), top?.element != .select, HTMLReader.isVisible(bytes) else { return }
        self.see(state)
        guard !state.isUnseen else { return }
        self.hasRootText = self.hasRootText || isRoot
        self.hasShellText = self.hasShellText || isInShell
    }

    private static let longestTitle = 1024

    /// Whether there is anything but white space and characters without a shape.
    private static func isVisible(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var hasOthers = false
        for byte in bytes {
            if (0x21..<0x7F).contains(byte) { return true }
            hasOthers = hasOthers || byte >= 0x80
        }
        guard hasOthers else { return false }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.contains {
            // What is smaller is ASCII, a control character, or the space that does not break.
            $0.value > 0xA0 && !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
                && $0.properties.generalCategory != .control
        }
    }
}

/// What a callback gets from C.
private typealias Session = UnsafeMutablePointer<markup_html_session>

extension Session {
    /// How much of its text the parser has taken.
    fileprivate var offset: Int { markup_html_offset(self) }
    fileprivate var parser: htmlParserCtxtPtr? { self.pointee.parser }
    fileprivate var reader: UnsafeMutablePointer<HTMLReader> {
        self.pointee.reader.assumingMemoryBound(to: HTMLReader.self)
    }
}

private func onStart(
    _ context: UnsafeMutableRawPointer?,
    _ name: UnsafePointer<xmlChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) {
    guard let session = context?.assumingMemoryBound(to: markup_html_session.self), let name else { return }
    session.reader.pointee.start(name, Attributes(attributes), session)
}

private func onEnd(_ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?) {
    guard let session = context?.assumingMemoryBound(to: markup_html_session.self), let name else { return }
    session.reader.pointee.end(name, session)
}

private func onCharacters(_ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<xmlChar>?, _ count: Int32) {
    guard let session = context?.assumingMemoryBound(to: markup_html_session.self), let text else { return }
    session.reader.pointee.characters(UnsafeBufferPointer(start: text, count: Int(count)))
}

private func onFault(_ session: Session?, _ code: Int32, _ name: UnsafePointer<CChar>?) {
    guard let session else { return }
    session.reader.pointee.fault(code, name, at: session.offset)
}
