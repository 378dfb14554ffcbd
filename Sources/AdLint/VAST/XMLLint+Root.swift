import AdCore
import AdHTML
import AdMarkup

// Where a document begins in its bytes.

extension XMLLint {
    /// The place of the first tag.
    static func placeOfFirstTag(_ bytes: [UInt8]) -> SourcePlace {
        let start = SourcePlace(line: 1, column: 1)
        var lines = StartTagScanner(bytes, from: start)
        return lines.first()?.place ?? start
    }

    /// The offset of a VAST or VMAP document after other text or other tags; nil if there is none.
    static func buriedRoot(_ bytes: [UInt8]) -> Int? {
        if bytes.first(where: { !$0.isWhiteSpace }) == UInt8(ascii: "<") { return self.rootBehindTags(bytes) }
        return bytes.withUnsafeBufferPointer { bytes in
            let head = bytes.prefix(MarkupKind.lookAhead)
            var at = head.startIndex
            while let open = head.index(of: UInt8(ascii: "<"), from: at) {
                let rest = head[open...]
                if rest.startsIgnoringCase("<vast ") || rest.startsIgnoringCase("<vast>")
                    || rest.startsIgnoringCase("<vmap") || rest.startsIgnoringCase("<?xml ")
                {
                    return open
                }
                at = open + 1
            }
            return nil
        }
    }

    /// The offset of the root after other tags, such as those of a server's warning; nil if there is no root.
    ///
    /// A page may contain VAST in a script: only a root that is closed at the end of the input counts.
    private static func rootBehindTags(_ bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            let all = bytes[...].withoutWhiteSpace
            guard all.endsIgnoringCase("</vast>") || all.endsIgnoringCase(":vmap>") || all.endsIgnoringCase("</vmap>")
            else { return nil }
            var declaration: Int?
            var scripts = 0
            var at = all.startIndex
            let head = all.prefix(MarkupKind.lookAhead)
            while let open = head.index(of: UInt8(ascii: "<"), from: at) {
                let rest = head[open...]
                if rest.startsIgnoringCase("<script") { scripts += 1 }
                if rest.startsIgnoringCase("</script") { scripts -= 1 }
                if rest.startsIgnoringCase("<?xml ") { declaration = open }
                let isRoot =
                    rest.startsIgnoringCase("<vast ") || rest.startsIgnoringCase("<vast>")
                    || rest.startsIgnoringCase("<vmap")
                if isRoot, scripts <= 0 {
                    let start = declaration ?? open
                    return start == all.startIndex ? nil : start
                }
                at = open + 1
            }
            return nil
        }
    }
}
