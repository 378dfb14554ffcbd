/// An error that ends a run, with its exit code.
package struct PlayError: Error {
    package let code: ExitCode
    package let message: String

    package init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
