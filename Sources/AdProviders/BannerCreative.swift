import AdCore
import AdMarkup

/// Turns a banner's markup into a creative.
///
/// It runs only the checks that a load needs; `HTMLDocument` analyzes the markup in full.
enum BannerCreative {
    /// The creative for a stage; nil when the markup has no visible content.
    static func parse(_ markup: String) throws(AdError) -> Creative? {
        let preflight: HTMLPreflight
        do throws(MarkupError) {
            preflight = try HTMLPreflight(parsing: markup)
        } catch {
            throw AdError(.unsupportedCreative, error.message, at: .init(line: error.line), underlying: error)
        }
        guard preflight.hasVisibleContent else { return nil }
        return .html(HTMLCreative(markup: preflight.markup, document: preflight.stageDocument()))
    }
}
