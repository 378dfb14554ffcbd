import LibC

/// A program that was built with the tests.
public enum BuiltProgram {
    /// The path of a program beside the test runner; nil if it was not built.
    public static func path(of name: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let own =
            count > 0
            ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            : CommandLine.arguments.first ?? ""
        let path = own.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/\(name)"
        return access(path, X_OK) == 0 ? path : nil
    }
}
