import AdCore
import CLibXML2

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Builds a tree from the parser's events, strictly at first and over repaired bytes where that fails.
struct LintTreeReader {
    /// Something that the parser complains of.
    struct Fault {
        let code: Int32
        let place: LintPlace
        let words: String

        var line: Int { self.place.line }
    }

    /// What came of reading a document.
    struct Outcome {
        let tree: LintTree
        /// What is wrong with it as XML, first of all what stops a strict reader.
        let faults: [Fault]
        /// Whether a strict reader takes it.
        let isWellFormed: Bool
        /// Which bound it goes beyond, and where.
        let excess: (words: String, line: Int)?
        /// The elements that nothing closes, from the root on.
        let unfinished: [Int]
        /// The line on which the document breaks off; nil for one that goes to its end.
        var breakLine: Int?
    }

    /// How many elements there may be.
    private static let mostNodes = 200_000
    private static let mostFaults = 20
    /// libxml2's tables are made once, before any two threads could do it at the same time.
    private static let library: Void = xmlInitParser()

    fileprivate var nodes: [LintTree.Node] = []
    fileprivate var faults: [Fault] = []
    fileprivate var excess: (words: String, line: Int)?
    private var unfinished: [Int] = []
    private var open: [(index: Int, text: [UInt8])] = []
    /// How many of the open elements stand in an extension.
    private var foreign = 0
    private var lines: TagLines
    /// Where the bytes begin in the input.
    fileprivate let start: LintPlace
    fileprivate let isRepaired: Bool

    private init(_ bytes: [UInt8], from start: LintPlace, repairs: [Int]? = nil) {
        self.start = start
        self.isRepaired = repairs != nil
        self.lines = TagLines(bytes, from: start, repairs: repairs ?? [])
    }

    /// Reads a document that begins with its first byte that is not blank.
    static func read(_ bytes: [UInt8], from start: LintPlace) -> Outcome {
        self.library
        var strict = LintTreeReader(bytes, from: start)
        let isWell = self.parse(bytes, recovers: false, &strict)
        if isWell || strict.excess != nil {
            return strict.outcome(bytes, strict.faults, isWellFormed: isWell)
        }
        // Of a tag that breaks off nobody knows what it was to be.
        let whole = XMLEnd.ofLastTag(bytes).map { Array(bytes[..<$0]) } ?? bytes
        let repaired = whole.withUnsafeBufferPointer { XMLRepair.escaped($0) }
        let repairs = whole.withUnsafeBufferPointer { XMLRepair.looseAmpersands($0) }
        var tolerant = LintTreeReader(
            repaired,
            from: start,
            repairs: repairs.enumerated().map { $0.element + 4 * $0.offset }
        )
        _ = self.parse(repaired, recovers: true, &tolerant)
        let breaksOff = !tolerant.unfinished.isEmpty && !XMLEnd.closes(tolerant.nodes[0].written, bytes)
        if breaksOff, let last = tolerant.unfinished.last, tolerant.nodes[last].children.isEmpty {
            // Half an address or half a time is as good as none.
            tolerant.nodes[last].text = ""
        }
        var outcome = tolerant.outcome(repaired, strict.faults + tolerant.faults, isWellFormed: false)
        if breaksOff {
            outcome.breakLine = bytes.reversed().drop(while: \.isBlank).count { $0 == 0x0A } + start.line
        }
        return outcome
    }

    private func outcome(_ bytes: [UInt8], _ faults: [Fault], isWellFormed: Bool) -> Outcome {
        Outcome(
            tree: LintTree(nodes: self.nodes, bytes: bytes),
            faults: faults,
            isWellFormed: isWellFormed,
            excess: self.excess,
            unfinished: self.unfinished
        )
    }

    private static func parse(_ bytes: [UInt8], recovers: Bool, _ reader: inout LintTreeReader) -> Bool {
        bytes.withUnsafeBytes { buffer in
            withUnsafeMutablePointer(to: &reader) { reader in
                var session = markup_xml_session(parser: nil, reader: reader, fault: onFault)
                let chars = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
                let count = Int32(clamping: buffer.count)
                let result = markup_xml_parse(
                    &session,
                    chars,
                    count,
                    recovers ? 1 : 0,
                    onStart,
                    onEnd,
                    onText
                )
                reader.pointee.unfinished = reader.pointee.open.map(\.index)
                // What is still open when the document ends has its text all the same.
                while !reader.pointee.open.isEmpty { reader.pointee.end() }
                return result == 1
            }
        }
    }

    // MARK: Events

    fileprivate mutating func start(
        _ name: UnsafeBufferPointer<UInt8>,
        _ namespace: String?,
        _ attributes: [LintTree.Attribute],
        parserLine: Int
    ) {
        guard self.excess == nil else { return }
        let endLine = parserLine + self.start.line - 1
        guard self.nodes.count < LintTreeReader.mostNodes else {
            self.excess = ("it has more than \(LintTreeReader.mostNodes) elements", endLine)
            return
        }
        guard self.open.count < VASTLimits.standard.depth else {
            self.excess = ("its elements are nested deeper than \(VASTLimits.standard.depth)", endLine)
            return
        }
        let tag = self.lines.next(name, endingOn: endLine)
        let written = String(decoding: name.prefix(200), as: UTF8.self)
        let known = VASTSchema.spelling(of: written) ?? written
        self.nodes.append(
            LintTree.Node(
                name: self.foreign > 0 ? written : known,
                written: written,
                namespace: namespace,
                attributes: attributes,
                place: tag?.place ?? LintPlace(line: endLine),
                endLine: endLine,
                tag: tag,
                textLine: tag?.place.line ?? endLine,
                parent: self.open.last?.index,
                isForeign: self.foreign > 0
            )
        )
        let index = self.nodes.count - 1
        if let parent = self.open.last?.index { self.nodes[parent].children.append(index) }
        self.open.append((index, []))
        if self.foreign > 0 || LintTreeReader.holdsAnything.contains(known) { self.foreign += 1 }
    }

    /// The elements inside which everybody writes what he likes.
    private static let holdsAnything: Set<String> = [
        "Extension", "CreativeExtension", "AdParameters", "VerificationParameters", "CustomAdData", "HTMLResource",
    ]

    fileprivate mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, parserLine: Int) {
        guard self.excess == nil, let last = self.open.indices.last else { return }
        let index = self.open[last].index
        if self.open[last].text.isEmpty {
            guard let first = bytes.firstIndex(where: { !$0.isBlank }) else { return }
            let behind = bytes[first...].count { $0 == 0x0A }
            self.nodes[index].textLine = max(self.nodes[index].place.line, parserLine + self.start.line - 1 - behind)
        }
        self.open[last].text.append(contentsOf: bytes)
    }

    fileprivate mutating func end() {
        guard let closed = self.open.popLast() else { return }
        if self.foreign > 0 { self.foreign -= 1 }
        guard !closed.text.isEmpty else { return }
        self.nodes[closed.index].text = closed.text.withUnsafeBufferPointer { $0[...].withoutBlanks.text }
    }

    /// Whether another fault is taken down: there may be millions.
    fileprivate var hasRoom: Bool { self.faults.count < LintTreeReader.mostFaults }

    fileprivate mutating func fault(_ fault: Fault) {
        if self.faults.count < LintTreeReader.mostFaults { self.faults.append(fault) }
    }
}

/// What a callback gets from C.
private typealias Session = UnsafeMutablePointer<markup_xml_session>

extension Session {
    fileprivate var reader: UnsafeMutablePointer<LintTreeReader> {
        self.pointee.reader.assumingMemoryBound(to: LintTreeReader.self)
    }
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
    var list: [LintTree.Attribute] = []
    for index in 0..<Int(count) where attributes?[5 * index + 1] == nil {
        // Only what has no prefix is VAST's own; the rest belongs to schemas and namespaces.
        XMLAttributes(base: attributes.map { $0 + 5 * index }, count: 1).each { name, value in
            list.append(LintTree.Attribute(name: String(decoding: name, as: UTF8.self), value: value.text))
        }
    }
    let length = strlen(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
    // Only the root's is asked for, and one that is long would be copied as often as there are elements.
    let namespace = session.reader.pointee.nodes.isEmpty ? uri : nil
    session.reader.pointee.start(
        UnsafeBufferPointer(start: name, count: length),
        namespace.map { String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self)) },
        list,
        parserLine: Int(markup_xml_line(session))
    )
    if session.reader.pointee.excess != nil { markup_xml_stop(session) }
}

private func onEnd(
    _ context: UnsafeMutableRawPointer?,
    _ name: UnsafePointer<xmlChar>?,
    _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?
) {
    guard let session = context?.assumingMemoryBound(to: markup_xml_session.self) else { return }
    guard session.reader.pointee.excess == nil else { return }
    session.reader.pointee.end()
}

private func onText(_ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<xmlChar>?, _ count: Int32) {
    guard let session = context?.assumingMemoryBound(to: markup_xml_session.self), let text else { return }
    session.reader.pointee.text(
        UnsafeBufferPointer(start: text, count: Int(count)),
        parserLine: Int(markup_xml_line(session))
    )
}

private func onFault(
    _ session: Session?,
    _ code: Int32,
    _ line: Int32,
    _ isFatal: Int32,
    _ words: UnsafePointer<CChar>?
) {
    guard let session, session.reader.pointee.hasRoom else { return }
    // What is not fatal is a warning, but for a prefix that nobody has declared: browsers refuse it.
    guard isFatal != 0 || code == Int32(bitPattern: XML_NS_ERR_UNDEFINED_NAMESPACE.rawValue) else { return }
    let text = words.map { String(cString: $0) } ?? ""
    let shown = String(text.prefix { $0 != "\n" }.prefix(200))
    let start = session.reader.pointee.start
    // In bytes that were repaired the parser's column is not the input's.
    let column = session.reader.pointee.isRepaired ? nil : Int(markup_xml_column(session))
    let inner = LintPlace(line: max(1, Int(line)), column: column)
    let place = start.inside(inner)
    session.reader.pointee.fault(LintTreeReader.Fault(code: code, place: place, words: shown))
}
