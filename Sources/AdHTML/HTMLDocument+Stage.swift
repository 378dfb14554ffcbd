import AdCore
import AdMarkup

extension HTMLDocument {
    /// The markup before a fragment on a stage.
    ///
    /// It has a doctype for standards mode, the charset UTF-8, a viewport as wide as the container, and no margin. It
    /// has no line break, so that the lines of the fragment keep their numbers.
    public static var stageOpening: String { FragmentDocument.opening }

    /// The markup after a fragment on a stage.
    ///
    /// A fragment with an unclosed script or comment includes it; the browser closes the page nevertheless.
    public static var stageClosing: String { FragmentDocument.closing }

    /// The page that a stage displays.
    ///
    /// A whole document is unchanged. A fragment is placed, unchanged, between `stageOpening` and `stageClosing`. Serve
    /// the text as UTF-8 and name it in the content type, which outranks any charset that the creative declares.
    public func stageDocument() -> String { StageDocument.page(self.markup, isFragment: self.isFragment) }
}
