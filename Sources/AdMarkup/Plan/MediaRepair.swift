import AdCore

/// An attribute of a media file (VAST 4.3 §3.9.1) that was corrected or ignored, with the reason.
package struct MediaRepair: Hashable, Sendable {
    /// The attributes that can be corrected or ignored without refusing the file.
    package enum Attribute: String, Hashable, Sendable { case type, delivery, codec, apiFramework, mediaType }

    package let attribute: Attribute
    let message: String

    init(_ attribute: Attribute, _ message: String) {
        self.attribute = attribute
        self.message = message
    }
}

/// The repairs of all files of a video, each listed once, because servers repeat an error in every file.
package struct MediaRepairs: Hashable, Sendable {
    /// A repair, the first file with it, and the number of files.
    package struct Entry: Hashable, Sendable {
        package let repair: MediaRepair
        package let file: VASTMediaFile
        fileprivate(set) var files = 1

        var line: Int { self.file.line }

        /// What was repaired, and in how many files.
        package var message: String {
            self.files == 1 ? self.repair.message : "\(self.repair.message) (\(self.files) files)"
        }
    }

    /// The maximum number of repairs that are listed; a hostile document may have a different error in each file.
    static let limit = 20

    package private(set) var entries: [Entry] = []

    mutating func add(_ repair: MediaRepair, to file: VASTMediaFile) {
        if let index = self.entries.firstIndex(where: { $0.repair == repair }) {
            self.entries[index].files += 1
        } else if self.entries.count < MediaRepairs.limit {
            self.entries.append(Entry(repair: repair, file: file))
        }
    }
}
