import AdCore
import AdMarkup

/// A banner's markup, read as far as a load needs it.
///
/// What else there is to know of it, `HTMLDocument` reads when somebody asks.
enum BannerCreative {
    /// The creative for a stage; nil where there is nothing to see in the markup.
    static func read(_ markup: String) throws(AdError) -> Creative? {
        let glance: HTMLPreflight
        do throws(MarkupError) {
            glance = try HTMLPreflight(at: markup)
        } catch {
            throw AdError(.unsupportedCreative, error.message, at: .init(line: error.line), underlying: error)
        }
        guard glance.hasSomethingToSee else { return nil }
        return .html(HTMLCreative(markup: glance.markup, document: glance.stageDocument()))
    }
}
