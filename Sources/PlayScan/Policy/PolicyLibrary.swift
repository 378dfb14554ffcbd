import AdCore
import PlayConsole

/// The built-in policies, and those in files.
package enum PolicyLibrary {
    /// The names of the built-in policies.
    package static let names = ["gam", "iab-lean", "mraid", "vast-ctv", "strict"]

    /// The default policy.
    package static let defaultName = "iab-lean"

    /// The text of a built-in policy; `base` is what all of them extend.
    package static func text(of name: String) -> String? {
        let bytes: [UInt8]? =
            switch name {
            case "base": PackageResources.base_policy
            case "gam": PackageResources.gam_policy
            case "iab-lean": PackageResources.iab_lean_policy
            case "mraid": PackageResources.mraid_policy
            case "vast-ctv": PackageResources.vast_ctv_policy
            case "strict": PackageResources.strict_policy
            default: nil
            }
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// How deep policies may extend each other.
    private static let maxDepth = 8

    /// The policy with a name, or in a file.
    ///
    /// - Parameters:
    ///   - name: The name of a built-in policy, or the path of a file.
    ///   - read: Reads a file.
    /// - Returns: The policy, with those that it extends.
    /// - Throws: What is wrong, with the line and the fix.
    package static func policy(
        _ name: String,
        read: (_ path: String) throws(PolicyError) -> [UInt8]
    ) throws(PolicyError) -> ScanPolicy { try self.source(name, read: read).policy() }

    /// The same, as texts that another computer can read.
    package static func source(
        _ name: String,
        read: (_ path: String) throws(PolicyError) -> [UInt8]
    ) throws(PolicyError) -> PolicySource {
        var texts: [String: String] = [:]
        _ = try self.policy(name, depth: 0) { (name) throws(PolicyError) in
            if let text = texts[name] { return text }
            var text = self.text(of: name)
            if text == nil { text = String(decoding: try read(try self.path(name)), as: UTF8.self) }
            texts[name] = text
            return text ?? ""
        }
        return PolicySource(name, texts)
    }

    /// A name that is no built-in policy, as a path.
    private static func path(_ name: String) throws(PolicyError) -> String {
        guard !name.contains("/"), !name.contains(".") else { return name }
        let hint = Suggestion.nearest(to: name, among: self.names).map { "; did you mean \($0)?" } ?? ""
        let known = OptionWords.list(self.names)
        throw PolicyError(
            "unknown policy \u{201C}\(name.excerpt(60))\u{201D}; use \(known), or the path of a file\(hint)"
        )
    }

    static func policy(
        _ name: String,
        depth: Int = 0,
        text: (_ name: String) throws(PolicyError) -> String
    ) throws(PolicyError) -> ScanPolicy {
        guard depth < PolicyLibrary.maxDepth else {
            throw PolicyError(
                "more than \(PolicyLibrary.maxDepth) policies extend each other; remove a circle of extends"
            )
        }
        // A file that a policy extends is beside it.
        let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
        let base: PolicyParser.Base = { (base) throws(PolicyError) in
            let isFile = base.contains("/") || base.contains(".")
            let path = isFile && !base.hasPrefix("/") ? folder + base : base
            return try self.policy(path, depth: depth + 1, text: text)
        }
        // The file's name, or that of a built-in policy.
        let own = name.split(separator: "/").last.map(String.init) ?? name
        return try PolicyParser.policy(try text(name), called: own, in: name, base: base)
    }
}
