import AdCore
import AdHTML
import AdMarkup

/// The elements that the reader of VAST has made its values of: it knows the lines of their tags' ends, and no columns.
struct ReadPlaces {
    private struct Key: Hashable {
        let line: Int
        let address: String
    }

    private let tree: LintTree
    private var ads: [Int: [LintElement]] = [:]
    /// The files by line and address; made when the first one is asked for, which is seldom.
    private lazy var files: [Key: LintElement] = {
        var files: [Key: LintElement] = [:]
        for element in self.tree.elements where element.name == "MediaFile" && !element.isForeign {
            let key = Key(line: element.endLine, address: element.text)
            // Of two that are the same the first one has the findings of both.
            if files[key] == nil { files[key] = element }
        }
        return files
    }()

    init(_ tree: LintTree) {
        self.tree = tree
        for element in tree.elements where element.name == "Ad" && !element.isForeign && element.child("InLine") != nil
        {
            self.ads[element.endLine, default: []].append(element)
        }
    }

    /// The element of an ad; each is returned once, in the order of the document.
    mutating func element(of ad: VASTAd) -> LintElement? {
        guard var left = self.ads[ad.line], !left.isEmpty else { return nil }
        // The reader leaves broken ads out.
        let index = left.firstIndex { $0.attribute("id")?.trimmed == ad.id } ?? 0
        let found = left[index]
        left.removeFirst(index + 1)
        self.ads[ad.line] = left
        return found
    }

    /// Where a file is.
    mutating func place(of file: VASTMediaFile) -> SourcePlace {
        self.element(of: file)?.place ?? SourcePlace(line: file.line)
    }

    /// Where an attribute of a file is.
    mutating func place(of attribute: String, in file: VASTMediaFile) -> SourcePlace {
        self.element(of: file)?.place(of: attribute) ?? SourcePlace(line: file.line)
    }

    private mutating func element(of file: VASTMediaFile) -> LintElement? {
        self.files[Key(line: file.line, address: file.url.text)]
    }

    /// Where an error of an ad is: at a creative, or at the ad itself.
    func place(of error: VASTError, in ad: LintElement?) -> SourcePlace? {
        guard let line = error.line, let ad, line != ad.endLine else { return ad?.place }
        return ad.all("Creative").first { $0.endLine == line }?.place ?? SourcePlace(line: line)
    }
}
