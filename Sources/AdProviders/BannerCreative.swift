import AdCore
import AdMarkup

/// Banner HTML as every provider sends it, read and made ready for a stage.
struct BannerCreative {
    let creative: Creative
    let issues: [Issue]

    /// Reads markup; nil where there is nothing to see in it.
    init?(reading markup: String) throws(AdError) {
        let document: HTMLDocument
        do throws(MarkupError) {
            document = try HTMLDocument(parsing: markup)
        } catch {
            throw AdError(.unsupportedCreative, error.message, at: .init(line: error.line), underlying: error)
        }
        guard document.hasSomethingToSee else { return nil }
        self.creative = .html(
            HTMLCreative(
                markup: document.markup,
                document: document.stageDocument(),
                title: document.title,
                firstLink: document.firstLink?.landing
            )
        )
        self.issues = document.issues
    }
}
