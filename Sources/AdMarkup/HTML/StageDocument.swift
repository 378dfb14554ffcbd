import AdCore

extension HTMLDocument {
    /// What stands before a fragment on a stage: a doctype, so that the browser lays out by today's rules; UTF-8; the
    /// width of the container; and no margin, so that the creative begins in the corner.
    ///
    /// It has no line break: the lines of a fragment keep their numbers.
    public static var stageOpening: String { StageFragment.opening }

    /// What stands behind a fragment on a stage.
    ///
    /// A fragment that leaves a script or a comment open swallows it; the browser closes the page all the same.
    public static var stageClosing: String { StageFragment.closing }

    /// The page that a stage shows.
    ///
    /// A whole document is left exactly as it is. A fragment stands, to the letter, between `stageOpening` and
    /// `stageClosing`. The text is to be served as UTF-8, named in the content type, which outranks whatever charset
    /// the creative declares.
    public func stageDocument() -> String {
        HTMLDocument.page(self.markup, isFragment: self.isFragment)
    }

    static func page(_ markup: String, isFragment: Bool) -> String {
        guard isFragment else { return markup }
        var page = self.stageOpening
        page.reserveCapacity(self.stageOpening.utf8.count + markup.utf8.count + self.stageClosing.utf8.count)
        page += markup
        page += self.stageClosing
        return page
    }
}
