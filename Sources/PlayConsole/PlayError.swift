/// Why a run can't go on, and how the command ends for it.
package struct PlayError: Error {
    package let code: ExitCode
    package let message: String

    package init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
