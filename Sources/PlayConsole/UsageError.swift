/// The command line cannot be understood: what is wrong, and what to write instead.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    package let message: String

    package init(_ message: String) { self.message = message }

    package var description: String { self.message }
}
