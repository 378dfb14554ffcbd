import AdCore
import LibC

/// Finds tags that are truncated or too long.
extension XMLRepair {
    /// Where a tag ends.
    private enum TagEnd {
        /// After its `>`.
        case closed(Int)
        /// At the next `<`, because its `>` or a quotation mark is missing.
        case broken(Int)
        /// It ends with the bytes, or is longer than the limit.
        case none
    }

    /// The end of the tag whose name begins at an offset; at most `bound` bytes outside quoted values are read.
    private static func endOfTag(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        _ bound: Int = .max
    ) -> TagEnd {
        var at = start
        var outside = 0
        while at < bytes.count, outside < bound {
            switch bytes[at] {
            case UInt8(ascii: ">"): return .closed(at + 1)
            case UInt8(ascii: "<"): return .broken(at)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let quote = bytes[at]
                at += 1
                while at < bytes.count, bytes[at] != quote {
                    if bytes[at] == UInt8(ascii: "<") { return .broken(at) }
                    at += 1
                }
            default: break
            }
            at += 1
            outside += 1
        }
        return .none
    }

    /// The offset of the last tag if the bytes end within it; nil if they end elsewhere.
    static func startOfTruncatedTag(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var at = 0
        while true {
            let open = self.nextTag(bytes, from: at)
            guard open < bytes.count else { return nil }
            if bytes[open...].startsIgnoringCase("<!--") {
                at = self.end("-->", bytes, from: open + 4)
            } else if bytes[open...].startsIgnoringCase("<![CDATA[") {
                at = self.end("]]>", bytes, from: open + 9)
            } else {
                switch self.endOfTag(bytes, from: open + 1) {
                case .closed(let end), .broken(let end): at = end
                case .none: return open
                }
            }
        }
    }

    /// The line of a tag that exceeds a limit, not counting quoted values.
    ///
    /// libxml2 compares each attribute of a tag with all others, so long tags are slow.
    package static func lineOfLongTag(_ bytes: UnsafeBufferPointer<UInt8>, _ bound: Int) -> Int? {
        guard bytes.count > bound, let base = bytes.baseAddress else { return nil }
        var at = 0
        while let open = memchr(base + at, Int32(UInt8(ascii: "<")), bytes.count - at) {
            let start = UnsafeRawPointer(open) - UnsafeRawPointer(base)
            at = start + 1
            // Comments and CDATA sections have ends of their own, and no attributes.
            guard at < bytes.count, bytes[at] != UInt8(ascii: "!") else { continue }
            let window = min(bytes.count - start, bound)
            if let close = memchr(base + start, Int32(UInt8(ascii: ">")), window) {
                at = UnsafeRawPointer(close) - UnsafeRawPointer(base) + 1
            } else if window < bound {
                return nil
            } else if case .closed(let end) = self.endOfTag(bytes, from: at, bound) {
                at = end
            } else {
                return bytes[..<start].count { $0 == 0x0A } + 1
            }
        }
        return nil
    }
}
