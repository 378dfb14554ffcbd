package import AdCore

/// A policy as the texts of its files and of the policies that they extend: it is the same on each computer.
package struct PolicySource: Hashable, Sendable {
    private let name: String
    private let texts: [String: String]

    init(_ name: String, _ texts: [String: String]) {
        self.name = name
        self.texts = texts
    }

    /// Reads the text of what `json` has made.
    package init(stored text: String) throws(PolicyError) {
        guard let json = try? AdJSON.reading(Array(text.utf8)).json, let name = json["name"]?.string,
            case .object(let members)? = json["files"]
        else { throw PolicyError("its text can't be read; submit the creatives again") }
        let texts = members.compactMap { member in member.value.string.map { (member.name, $0) } }
        self.init(name, Dictionary(texts) { first, _ in first })
    }

    /// The name and the texts.
    package var json: AdJSON {
        let files = self.texts.sorted { $0.key < $1.key }.map { AdJSON.Member($0.key, .string($0.value)) }
        return ["name": .string(self.name), "files": .object(files)]
    }

    /// The policy.
    package func policy() throws(PolicyError) -> ScanPolicy {
        try PolicyLibrary.policy(self.name) { (name) throws(PolicyError) in
            guard let text = self.texts[name] else {
                throw PolicyError("the text of \(name.excerpt(60)) is missing; submit the creatives again")
            }
            return text
        }
    }
}
