/// An error in the command line, with what to write instead.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    package let message: String

    package init(_ message: String) { self.message = message }

    package var description: String { self.message }
}
