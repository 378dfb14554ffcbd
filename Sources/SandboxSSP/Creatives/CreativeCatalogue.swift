/// The creatives that a sandbox serves, and the files that they need.
package struct CreativeCatalogue: Hashable, Sendable {
    /// The creatives, in order.
    package let creatives: [CreativeEntry]
    /// What is served below `/creatives/`, by path: nothing else is, and the disk is never touched for a request.
    package let files: [String: [UInt8]]

    /// An empty catalogue: units that serve no creative exist all the same.
    package init() {
        self.creatives = []
        self.files = [:]
    }

    /// A catalogue; names must differ from each other and from the sandbox's own (`nofill`, `slow` …).
    package init(_ creatives: [CreativeEntry], files: [String: [UInt8]] = [:]) throws(SandboxError) {
        var names: Set<String> = []
        for creative in creatives {
            guard !creative.name.isEmpty else { throw SandboxError("a creative has no name; give it one") }
            guard SpecialUnit(rawValue: creative.name) == nil else {
                throw SandboxError("the name \(creative.name) has a meaning of its own in the sandbox; choose another")
            }
            guard names.insert(creative.name).inserted else {
                throw SandboxError("two creatives are called \(creative.name); units would not know which is meant")
            }
        }
        self.creatives = creatives
        self.files = files
    }

    /// The creative of a name.
    subscript(name: String) -> CreativeEntry? { self.creatives.first { $0.name == name } }
}
