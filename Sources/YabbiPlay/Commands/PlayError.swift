/// Why a run can't go on, and how the command ends for it.
struct PlayError: Error {
    let code: ExitCode
    let message: String

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
