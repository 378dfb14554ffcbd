import AdCore

/// Receives the elements of a banner in the order of the markup.
package protocol HTMLEventSink {
    /// A start tag that is in the markup. The element is not in `parse.open` yet.
    mutating func start(_ tag: HTMLStartTag, in parse: inout HTMLParse)
    /// An element that the parser inserts without a tag in the markup: `html`, `head`, `body` or `p`.
    mutating func startImplied(_ element: ElementName, in parse: inout HTMLParse)
    /// The end of an element, which is no longer in `parse.open`, with or without its own end tag.
    mutating func end(_ element: HTMLOpenElement, name: UnsafePointer<UInt8>, hasTag: Bool, in parse: inout HTMLParse)
    /// A start tag that the parser ignores, such as a second `body`.
    mutating func strayStart(_ tag: HTMLScan.Tag, in parse: inout HTMLParse)
    /// An end tag without an element to close.
    mutating func strayEnd(_ tag: HTMLScan.Tag, in parse: inout HTMLParse)
    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, in parse: inout HTMLParse)
    /// An error that libxml2 reports, at an offset in its text, with the name of the element or attribute.
    mutating func parseError(_ code: Int32, _ name: UnsafePointer<CChar>?, at offset: Int, in parse: inout HTMLParse)
    /// The end of the markup.
    mutating func finish(in parse: inout HTMLParse)
}

/// A sink implements what it needs.
extension HTMLEventSink {
    package mutating func startImplied(_: ElementName, in parse: inout HTMLParse) {}
    package mutating func strayStart(_: HTMLScan.Tag, in parse: inout HTMLParse) {}
    package mutating func strayEnd(_: HTMLScan.Tag, in parse: inout HTMLParse) {}
    package mutating func text(_: UnsafeBufferPointer<UInt8>, in parse: inout HTMLParse) {}
    package mutating func parseError(_: Int32, _: UnsafePointer<CChar>?, at offset: Int, in parse: inout HTMLParse) {}
    package mutating func finish(in parse: inout HTMLParse) {}
}

/// Sends each event to two sinks, so that one parse serves both.
package struct HTMLEventPair<First: HTMLEventSink, Second: HTMLEventSink>: HTMLEventSink {
    package private(set) var first: First
    package private(set) var second: Second

    package init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    package mutating func start(_ tag: HTMLStartTag, in parse: inout HTMLParse) {
        self.first.start(tag, in: &parse)
        self.second.start(tag, in: &parse)
    }

    package mutating func startImplied(_ element: ElementName, in parse: inout HTMLParse) {
        self.first.startImplied(element, in: &parse)
        self.second.startImplied(element, in: &parse)
    }

    package mutating func end(
        _ element: HTMLOpenElement,
        name: UnsafePointer<UInt8>,
        hasTag: Bool,
        in parse: inout HTMLParse
    ) {
        self.first.end(element, name: name, hasTag: hasTag, in: &parse)
        self.second.end(element, name: name, hasTag: hasTag, in: &parse)
    }

    package mutating func strayStart(_ tag: HTMLScan.Tag, in parse: inout HTMLParse) {
        self.first.strayStart(tag, in: &parse)
        self.second.strayStart(tag, in: &parse)
    }

    package mutating func strayEnd(_ tag: HTMLScan.Tag, in parse: inout HTMLParse) {
        self.first.strayEnd(tag, in: &parse)
        self.second.strayEnd(tag, in: &parse)
    }

    package mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, in parse: inout HTMLParse) {
        self.first.text(bytes, in: &parse)
        self.second.text(bytes, in: &parse)
    }

    package mutating func parseError(
        _ code: Int32,
        _ name: UnsafePointer<CChar>?,
        at offset: Int,
        in parse: inout HTMLParse
    ) {
        self.first.parseError(code, name, at: offset, in: &parse)
        self.second.parseError(code, name, at: offset, in: &parse)
    }

    package mutating func finish(in parse: inout HTMLParse) {
        self.first.finish(in: &parse)
        self.second.finish(in: &parse)
    }
}
