import AdCore
import AdHTML
import AdMarkup

/// Finds out whether an XML document is truncated.
enum XMLEnd {
    /// Whether there is an end tag with a local name.
    static func hasEndTag(named name: String, in bytes: [UInt8]) -> Bool {
        // UTF-16 can't be searched byte by byte.
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.prefix(4).contains(0) {
            return true
        }
        let name = Array(name.utf8)
        var end = bytes.count
        while let slash = bytes[..<end].lastIndex(of: UInt8(ascii: "/")) {
            end = slash
            guard slash > 0, bytes[slash - 1] == UInt8(ascii: "<") else { continue }
            let written = bytes[(slash + 1)...].prefix(name.count + 64).prefix {
                !$0.isWhiteSpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<")
            }
            let local = written.lastIndex(of: UInt8(ascii: ":")).map { written[($0 + 1)...] } ?? written
            guard local.elementsEqual(name) else { continue }
            if bytes[local.endIndex...].first(where: { !$0.isWhiteSpace }) == UInt8(ascii: ">") { return true }
        }
        return false
    }
}
