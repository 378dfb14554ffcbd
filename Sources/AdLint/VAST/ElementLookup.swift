import AdCore
import AdHTML
import AdMarkup

/// Finds the elements from which the VAST reader has built its values.
///
/// The reader records only the line on which a start tag ends, and no columns.
struct ElementLookup {
    private struct Key: Hashable {
        let line: Int
        let address: String
    }

    private let tree: LintTree
    private var ads: [Int: [LintElement]] = [:]
    /// The media files by line and URL.
    private lazy var files: [Key: LintElement] = {
        var files: [Key: LintElement] = [:]
        for element in self.tree.elements where element.name == "MediaFile" && !element.isForeign {
            let key = Key(line: element.endLine, address: element.text)
            // Of two equal files the first one gets the findings of both.
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

    /// The element of an ad; ads must be looked up in the order of the document, each once.
    mutating func element(of ad: VASTAd) -> LintElement? {
        guard var left = self.ads[ad.line], !left.isEmpty else { return nil }
        // The reader has skipped invalid ads.
        let index = left.firstIndex { $0.attribute("id")?.trimmed == ad.id } ?? 0
        let found = left[index]
        left.removeFirst(index + 1)
        self.ads[ad.line] = left
        return found
    }

    /// The place of a media file.
    mutating func place(of file: VASTMediaFile) -> SourcePlace {
        self.element(of: file)?.place ?? SourcePlace(line: file.line)
    }

    /// The place of a media file's attribute.
    mutating func place(of attribute: String, in file: VASTMediaFile) -> SourcePlace {
        self.element(of: file)?.place(of: attribute) ?? SourcePlace(line: file.line)
    }

    private mutating func element(of file: VASTMediaFile) -> LintElement? {
        self.files[Key(line: file.line, address: file.url.text)]
    }

    /// The place of an ad's error, which is a creative or the ad itself.
    func place(of error: VASTError, in ad: LintElement?) -> SourcePlace? {
        guard let line = error.line, let ad, line != ad.endLine else { return ad?.place }
        return ad.descendants("Creative").first { $0.endLine == line }?.place ?? SourcePlace(line: line)
    }
}
