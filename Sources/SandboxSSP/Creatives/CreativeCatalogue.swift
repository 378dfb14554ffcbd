/// The creatives that a sandbox serves, and their files.
package struct CreativeCatalogue: Hashable, Sendable {
    /// The creatives, in the order of the manifest.
    package let creatives: [CreativeEntry]
    /// The files below `/creatives/` by path, in memory; no request reads from disk.
    package let files: [String: [UInt8]]

    /// Creates an empty catalogue; the scenarios are available without creatives.
    package init() {
        self.creatives = []
        self.files = [:]
    }

    /// Creates a catalogue; names must be unique and not those of scenarios (`nofill`, `slow` …).
    package init(_ creatives: [CreativeEntry], files: [String: [UInt8]] = [:]) throws(SandboxError) {
        var names: Set<String> = []
        for creative in creatives {
            guard !creative.name.isEmpty else { throw SandboxError("a creative has no name; add one") }
            guard Scenario(rawValue: creative.name) == nil else {
                throw SandboxError("the name \(creative.name) is reserved for a scenario; choose another")
            }
            guard names.insert(creative.name).inserted else {
                throw SandboxError("two creatives have the name \(creative.name); names must be unique")
            }
        }
        self.creatives = creatives
        self.files = files
    }

    /// The creative with a name.
    subscript(name: String) -> CreativeEntry? { self.creatives.first { $0.name == name } }
}
