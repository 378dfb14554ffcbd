import AdCore

/// The page that a stage displays for a banner.
package enum StageDocument {
    /// Returns a complete document unchanged, and a fragment with the markup of `FragmentDocument` around it.
    package static func page(_ markup: String, isFragment: Bool) -> String {
        guard isFragment else { return markup }
        let (opening, closing) = (FragmentDocument.opening, FragmentDocument.closing)
        var page = opening
        page.reserveCapacity(opening.utf8.count + markup.utf8.count + closing.utf8.count)
        page += markup
        page += closing
        return page
    }
}
