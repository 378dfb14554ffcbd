/// Finds the page that an ad begins with.
enum BundleIndex {
    /// The path of that page.
    ///
    /// It is `index.html` at the top, else the one page at the top; else the same inside the folder that everything is in,
    /// as file managers pack a folder; else the one page anywhere.
    static func path(of collector: BundleCollector) throws(BundleError.Reason) -> String {
        let paths = collector.files.keys.sorted()
        guard !paths.isEmpty else {
            throw .empty(leftOut: collector.leftOut, first: collector.firstLeftOut)
        }
        var folder = ""
        while true {
            let names = paths.compactMap { self.name(of: $0, in: folder) }
            if let index = self.index(among: names) { return folder + index }
            let pages = names.filter(self.isPage)
            if let only = pages.first, pages.count == 1 { return folder + only }
            guard names.isEmpty, let inner = self.commonFolder(of: paths, below: folder) else { break }
            folder += inner + "/"
        }
        let pages = paths.filter(self.isPage)
        guard let first = pages.first else {
            throw .noPage(files: paths.count, leftOut: collector.firstLeftOutPage)
        }
        guard pages.count == 1 else { throw .severalPages(pages) }
        return first
    }

    static func isPage(_ path: String) -> Bool {
        let name = path.lowercased()
        return name.hasSuffix(".html") || name.hasSuffix(".htm")
    }

    /// The index among names: spelled as servers look for it, else in other letters.
    private static func index(among names: [String]) -> String? {
        for wanted in ["index.html", "index.htm"] where names.contains(wanted) { return wanted }
        return names.first { ["index.html", "index.htm"].contains($0.lowercased()) }
    }

    /// The name of a file that is in a folder itself.
    private static func name(of path: String, in folder: String) -> String? {
        guard path.hasPrefix(folder) else { return nil }
        let name = path.dropFirst(folder.count)
        return name.utf8.contains(UInt8(ascii: "/")) ? nil : String(name)
    }

    /// The one folder in which all files below another folder are.
    private static func commonFolder(of paths: [String], below folder: String) -> String? {
        let names = Set(paths.map { BundlePath.parts(of: String($0.dropFirst(folder.count))).first ?? "" })
        return names.count == 1 ? names.first.map { String($0) } : nil
    }
}
