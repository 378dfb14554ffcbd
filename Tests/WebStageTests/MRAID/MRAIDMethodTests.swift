import AdCore
import Testing

@testable import WebStage

@Suite("The methods of MRAID")
struct MRAIDMethodTests {
    @Test("the stage's script has the methods that the linter and the click's interpreter know")
    func methods() throws {
        let script = Scripts.mraid
        let start = try #require(script.firstRange(of: "const mraid = {\n")).upperBound
        let end = try #require(script[start...].firstRange(of: "\n  };")).lowerBound
        let names = script[start..<end].split(separator: "\n").compactMap { line -> String? in
            // A member of the object is indented by four spaces, and what is in it by more.
            guard line.hasPrefix("    "), let first = line.dropFirst(4).first, first.isLetter else { return nil }
            return String(line.dropFirst(4).prefix { $0.isLetter })
        }
        #expect(Set(names) == MRAIDScript.methods)
        #expect(names.count == MRAIDScript.methods.count)
    }
}
