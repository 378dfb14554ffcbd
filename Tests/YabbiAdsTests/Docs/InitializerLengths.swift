import Testing

/// The initializers in a formatted source, by their indentation.
struct InitializerLengths {
    /// The number of an initializer's first line, and of its lines.
    private(set) var all: [(line: Int, count: Int)] = []

    init(_ source: String) {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where Self.isInitializer(line) {
            if let end = Self.end(of: index, in: lines) { self.all.append((index + 1, end - index + 1)) }
        }
    }

    private static func isInitializer(_ line: Substring) -> Bool {
        let words = line.split(separator: " ")
        guard
            let place = words.firstIndex(where: { word in ["init(", "init?(", "init<"].contains { word.hasPrefix($0) } }
            )
        else { return false }
        let modifiers: Set<Substring> = [
            "public", "package", "internal", "fileprivate", "private", "convenience", "required", "override",
            "nonisolated", "mutating",
        ]
        return words[..<place].allSatisfy { modifiers.contains($0) || $0.hasPrefix("@") }
    }

    /// The line of the closing brace; nil for an initializer on one line, or without a body.
    private static func end(of start: Int, in lines: [Substring]) -> Int? {
        let indent = lines[start].prefix { $0 == " " }.count
        for (index, line) in lines.enumerated().dropFirst(start + 1) where !line.isEmpty {
            let own = line.prefix { $0 == " " }.count
            if own > indent { continue }
            guard own == indent else { return nil }
            // The end of the parameters, and a body that begins on a line of its own.
            if line.dropFirst(indent).hasPrefix(")") || line.dropFirst(indent) == "{" { continue }
            return line.dropFirst(indent).hasPrefix("}") ? index : nil
        }
        return nil
    }
}

@Suite("The lengths of initializers")
struct InitializerLengthTests {
    @Test("an initializer is counted from its first line to its closing brace")
    func counts() {
        let source = """
            struct A {
                init() { self.init(1) }
                private init?(
                    _ first: Int,
                    second: Int
                ) throws
                {
                    if first > 0 {
                        return nil
                    }
                }

                @inlinable public init<Other>(other: Other) {
                    self.init()
                }
                func initialize() {
                    self.a = [1].map { A.init($0) }
                }
            }
            protocol B {
                init(c: Int)
                func d()
            }
            """
        let lengths = InitializerLengths(source).all
        #expect(lengths.map(\.line) == [3, 13])
        #expect(lengths.map(\.count) == [9, 3])
    }

    @Test("a long initializer is found")
    func long() {
        let body = (1...39).map { "    self.a\($0) = \($0)\n" }.joined()
        #expect(InitializerLengths("init() {\n\(body)}\n").all.first?.count == 41)
    }
}
