/// The sections of a GPP string (IAB Tech Lab, GPP Consent String Specification).
package struct GPPConsent: Hashable, Sendable {
    /// A section as it is in the string, not decoded.
    package struct Section: Hashable, Sendable {
        package let id: Int
        package let text: String
    }

    package let sections: [Section]

    /// Splits the string by its header; nil with an issue if it is malformed.
    package init?(parsing text: String, issues: inout [AdIssue]) {
        func refuse(_ code: String, _ message: String) {
            issues.append(AdIssue("gpp.\(code)", at: .field("gpp"), "\(message); nothing personal is sent"))
        }
        guard text.utf8.count <= BitReader.longestText else {
            refuse("huge", "the string has \(text.utf8.count) bytes, more than \(BitReader.longestText)")
            return nil
        }
        let parts = text.split(separator: "~", maxSplits: Self.mostSections + 1, omittingEmptySubsequences: false)
        guard let header = parts.first, let ids = Self.ids(in: header) else {
            refuse("header", "the header can't be decoded")
            return nil
        }
        guard ids.count == parts.count - 1 else {
            refuse("sections", "the header names \(ids.count) sections, but \(parts.count - 1) follow")
            return nil
        }
        self.sections = zip(ids, parts.dropFirst()).map { Section(id: $0, text: String($1)) }
    }

    package init(sections: [Section]) { self.sections = sections }

    /// The first section with an id.
    package subscript(id: Int) -> Section? { self.sections.first { $0.id == id } }

    /// More sections than any string has: there are 27 ids.
    private static let mostSections = 64
    /// More than any section id.
    private static let largestID = 4_095

    /// The ids in a header, in the order of the sections; nil for one that is malformed ("Header Encoding").
    ///
    /// The offsets of a range count from the last number seen; a group ends at its start plus a second offset.
    private static func ids(in header: Substring) -> [Int]? {
        guard var reader = BitReader(header), reader.next(bits: 6) == 3, reader.next(bits: 6) == 1,
            let count = reader.next(bits: 12), count <= self.mostSections
        else { return nil }
        var ids: [Int] = []
        var last = 0
        for _ in 0..<count {
            guard let isGroup = reader.next(bits: 1), let offset = reader.nextFibonacci() else { return nil }
            let start = last + offset
            last = start
            if isGroup == 1 {
                guard let length = reader.nextFibonacci() else { return nil }
                last += length
            }
            guard last <= self.largestID, ids.count + last - start < self.mostSections else { return nil }
            ids += start...last
        }
        return ids
    }
}
