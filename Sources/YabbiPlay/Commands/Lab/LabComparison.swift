import AdCore
import PlayCompare
import PlayReport
import SystemSupport

/// The comparison of two runs in the lab, as `compare` makes it of their reports.
enum LabComparison {
    static func json(_ a: ComparedRun, _ b: ComparedRun, comparing pictures: any PictureComparing) async -> AdJSON {
        let comparison = await RunComparison.comparing(a, b, pictures: pictures)
        let kinds = RunDifference.Kind.allCases
        return [
            "differences": .array(comparison.differences.map(\.json)),
            "counts": .object(kinds.map { AdJSON.Member($0.rawValue, .int(comparison.count([$0]))) }),
            "notes": .array(comparison.notes.map { .string($0) }),
            "pictures": .array(comparison.pictures.map(self.json)),
        ]
    }

    private static func json(_ pictures: ComparedPictures) -> AdJSON {
        var (share, picture): (AdJSON, AdJSON) = (.null, .null)
        if let a = pictures.a?.bytes, a == pictures.b?.bytes { share = 0 }
        if case .known(let known, let bytes)? = pictures.difference {
            share = .double(known)
            if !bytes.isEmpty { picture = .string("data:image/png;base64,\(Base64.text(bytes))") }
        }
        return [
            "ad": .string(pictures.ad), "caption": .string(pictures.caption), "a": self.url(pictures.a),
            "b": self.url(pictures.b), "difference": picture, "share": share,
        ]
    }

    private static func url(_ picture: RunPicture?) -> AdJSON {
        .text(picture?.bytes.map { "data:image/webp;base64,\(Base64.text($0))" })
    }
}
