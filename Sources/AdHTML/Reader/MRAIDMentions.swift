import AdCore
import AdMarkup
import LibC

/// The mentions of MRAID in a script.
struct MRAIDMentions {
    /// Whether the script mentions the file `mraid.js`.
    private(set) var loadsMRAID = false
    /// Whether the script uses a member of the object `mraid`.
    private(set) var callsMRAID = false

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let base = bytes.baseAddress else { return }
        var index = 0
        while index < bytes.count, let hit = memchr(base + index, Int32(UInt8(ascii: "m")), bytes.count - index) {
            let start = UnsafeRawPointer(hit) - UnsafeRawPointer(base)
            index = start + 1
            guard bytes.count - start > 6, memcmp(hit, "mraid.", 6) == 0 else { continue }
            if start > 0, MRAIDMentions.isIdentifier(bytes[start - 1]) { continue }
            let rest = bytes[(start + 6)...]
            if rest.starts(with: "js".utf8), !rest.dropFirst(2).prefix(1).contains(where: MRAIDMentions.isIdentifier) {
                self.loadsMRAID = true
            } else {
                self.callsMRAID = true
            }
        }
    }

    /// Whether a URL is that of `mraid.js`, in any case (MRAID 3.0 §3.1.3).
    static func isMRAIDScript(_ address: some Sequence<UInt8>) -> Bool {
        MRAIDMentions(Array(address.prefix(4096).map(\.lowercased))).loadsMRAID
    }

    private init(_ bytes: [UInt8]) {
        self = bytes.withUnsafeBufferPointer { MRAIDMentions($0) }
    }

    private static func isIdentifier(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
    }
}
