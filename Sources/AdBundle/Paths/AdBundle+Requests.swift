package import AdCore

extension AdBundle {
    /// The file that a reference or a request leads to; nil if there is none.
    ///
    /// A path with a slash at the beginning, as in a request, is below the bundle's top. Any other is below the folder of
    /// the page that the ad begins with, as a reference in that page. Capitals count, as on most ad servers:
    /// ``issue(at:)`` says whether only they are wrong.
    package func file(at path: String) -> File? {
        guard let wanted = self.resolve(path), let found = self.files.index(forKey: wanted) else { return nil }
        // Strings are equal also if one has `é` as one scalar, and the other as two, as macOS writes it.
        return self.files[found].key.utf8.elementsEqual(wanted.utf8) ? self.files[found].value : nil
    }

    /// What to change if a path leads to no file, and would in another spelling; nil otherwise.
    ///
    /// Windows and macOS find such a file, so that the ad works where it was made.
    package func issue(at path: String) -> AdIssue? {
        guard let wanted = self.resolve(path), self.file(at: path) == nil else { return nil }
        guard let found = self.spellings[wanted.lowercased()] else { return nil }
        // Equal texts of other scalars look the same.
        let difference = found == wanted ? "its accents are written with other characters" : "in other letters"
        let message =
            "the ad asks for \(BundleText.shown(wanted)), and the bundle has \(BundleText.shown(found)), \(difference): "
            + "ad servers do not find it; spell it the same in both places"
        return AdIssue("bundle.case", at: .field(BundleText.shown(wanted)), message)
    }

    /// The path of a file for a reference or a request; nil if it leads out of the bundle.
    ///
    /// Query and fragment do not name a file (RFC 3986 §3.3). Escapes are decoded once and before `..` is looked for, as
    /// servers do it.
    private func resolve(_ reference: String) -> String? {
        let written = PercentEncoding.decoded(reference.prefix { $0 != "?" && $0 != "#" })
        var parts: [Substring] = []
        let home = BundlePath.parts(of: self.indexPath).dropLast()
        if written.utf8.first != UInt8(ascii: "/") { parts = Array(home) }
        for part in BundlePath.parts(of: written) where part != "." {
            if part == ".." {
                guard parts.popLast() != nil else { return nil }
            } else {
                parts.append(part)
            }
        }
        let isFolder = written.utf8.last.map { $0 == UInt8(ascii: "/") } ?? true
        let last = BundlePath.parts(of: written).last
        guard isFolder || last == "." || last == ".." else { return parts.joined(separator: "/") }
        // A folder stands for its page.
        return parts == Array(home) ? self.indexPath : (parts + ["index.html"]).joined(separator: "/")
    }
}
