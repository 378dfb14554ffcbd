import Testing
import YabbiAds
import YabbiTesting

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite("The page on writing a provider")
struct ProviderPageTests {
    @Test("its provider keeps every rule")
    func rules() async throws {
        let base = try HTTPURL(parsing: "https://ads.frondolo.example/")
        let answer = #"""
            {"text": "Fern pots", "by": "Frondolo", "link": "https://frondolo.example/", "seen": "https://t.example/v"}
            """#
        let kit = AdapterConformance(
            FrondoloProvider(base: base),
            placement: "top",
            answer: answer,
            noFill: [#"{"ad": null}"#]
        )
        let findings = await kit.findings()
        // It has no click to tell of, and that is no fault.
        #expect(findings == [])
    }

    @Test("its provider stands there to the letter")
    func letters() throws {
        let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let code = try #require(self.text("/\(folder)/FrondoloProvider.swift"))
        let page = try #require(self.text("/\(root)/docs/PROVIDERS.md"))
        let start = try #require(code.firstRange(of: "struct FrondoloProvider")).lowerBound
        let example = code[start...].split(separator: "\n", omittingEmptySubsequences: false).dropLast().joined(
            separator: "\n"
        )
        #expect(page.contains(example))
    }

    private func text(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
