import AdCore

/// Decides whether browsers run a script element of this `type` (HTML Living Standard, "prepare the script element").
///
/// The check is more lenient than the standard: what may be code counts as code.
package enum ScriptType {
    package static func isCode(_ type: String?) -> Bool {
        guard var type else { return true }
        return type.withUTF8 { self.isCode($0[...]) }
    }

    package static func isCode(_ type: ByteView) -> Bool {
        let type = type.withoutWhiteSpace
        if type.isEmpty || (type.count == 6 && type.startsIgnoringCase("module")) { return true }
        return type.indices.contains { index in self.words.contains { type[index...].startsIgnoringCase($0) } }
    }

    private static let words: [StaticString] = ["javascript", "ecmascript", "jscript", "livescript"]
}
