import AdCore
import PlayReport

/// Compares two ads of the lab.
enum LabComparison {
    static func json(_ first: LabAdRun, _ second: LabAdRun) async -> AdJSON {
        ["differences": [], "counts": [:], "pictures": []]
    }
}
