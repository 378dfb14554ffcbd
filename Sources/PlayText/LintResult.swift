package import AdLint
import AdMarkup

/// The result of `lint` for an input.
package struct LintResult: Sendable {
    let input: String
    /// The findings; nil if the input can't be read.
    package let report: LintReport?
    /// Why it can't be read.
    package let failure: String?

    package init(input: String, report: LintReport?, failure: String?) {
        self.input = input
        self.report = report
        self.failure = failure
    }
}
