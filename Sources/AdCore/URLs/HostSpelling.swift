/// Unicode normalization of host names, without which equal names would be different hosts.
///
/// Registries use NFC, lower case and normal width, and browsers map names to that form (UTS 46). The standard library
/// does not offer NFC, but compares strings by canonical equivalence, which is enough for the scripts with composed
/// letters. Names in any other form are refused.
enum HostSpelling {
    /// The text in lower case and normal width, with letters and their marks composed.
    static func normalized(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.lowercased().unicodeScalars {
            let scalar = self.normalWidth(scalar)
            if let last = result.last, !scalar.isASCII, let composed = self.composed[String(last) + String(scalar)] {
                result.removeLast()
                result.append(composed)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Whether a letter is in its normalized form.
    static func isNormalized(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        // Sharp s and final sigma: mapped by IDNA 2003, valid letters in IDNA 2008.
        case "\u{DF}", "\u{3C2}": true
        // Parts of Korean syllables, and combining marks, whose order may vary.
        case "\u{1100}"..."\u{11FF}", "\u{300}"..."\u{36F}": false
        default: !scalar.properties.changesWhenNFKCCaseFolded
        }
    }

    private static func normalWidth(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard ("\u{FF01}"..."\u{FF5E}").contains(scalar) else { return scalar }
        return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    }

    /// Composed letters of Latin, Greek, Cyrillic, Arabic and Japanese, by any canonically equivalent spelling.
    ///
    /// Canonically equivalent strings are equal and have equal hashes.
    private static let composed: [String: Unicode.Scalar] = {
        let ranges: [ClosedRange<UInt32>] = [
            0xC0...0x24F, 0x370...0x52F, 0x622...0x626, 0x6C0...0x6D3, 0x1E00...0x1FFF, 0x3040...0x30FF,
        ]
        var composed: [String: Unicode.Scalar] = [:]
        for scalar in ranges.joined().lazy.compactMap(Unicode.Scalar.init) {
            let key = String(scalar)
            // Of several equivalent letters the first one is the composed form.
            if composed[key] == nil { composed[key] = scalar }
        }
        return composed
    }()
}
