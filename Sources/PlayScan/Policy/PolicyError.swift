/// What is wrong with a policy: its file, the line, and the fix.
package struct PolicyError: Error, Hashable, Sendable {
    package let message: String

    init(_ file: String, line: Int, _ text: String) { self.message = "\(file):\(line): \(text)" }
    package init(_ message: String) { self.message = message }
}
