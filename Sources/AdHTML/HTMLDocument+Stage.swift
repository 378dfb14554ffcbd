import AdCore
import AdMarkup

extension HTMLDocument {
    /// What precedes a fragment on a stage: a doctype, so that the browser uses standards mode; UTF-8; the
    /// width of the container; and no margin, so that the creative begins in the corner.
    ///
    /// It has no line break: the lines of a fragment keep their numbers.
    public static var stageOpening: String { FragmentDocument.opening }

    /// What follows a fragment on a stage.
    ///
    /// A fragment that leaves a script or a comment open swallows it; the browser closes the page all the same.
    public static var stageClosing: String { FragmentDocument.closing }

    /// The page that a stage displays.
    ///
    /// A whole document is unchanged. A fragment is placed, unchanged, between `stageOpening` and `stageClosing`. Serve
    /// the text as UTF-8 and name it in the content type, which outranks any charset that the creative declares.
    public func stageDocument() -> String { StageDocument.page(self.markup, isFragment: self.isFragment) }
}
