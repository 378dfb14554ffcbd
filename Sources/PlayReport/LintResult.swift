package import AdLint
import AdMarkup

/// What came of an input of `lint`.
package struct LintResult: Sendable {
    let input: String
    /// The findings; nil where the input cannot be read.
    package let report: LintReport?
    /// Why it cannot be read.
    package let failure: String?

    package init(input: String, report: LintReport?, failure: String?) {
        self.input = input
        self.report = report
        self.failure = failure
    }
}
