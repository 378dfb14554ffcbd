import AdCore

/// Why an entry was left out or repaired.
enum EntryFault: Error, Hashable, Sendable {
    // Its name.
    case noName
    case nul
    case outside
    case backslash
    case longName(Int, limit: Int)
    case deep(Int, limit: Int)
    case duplicate
    case readAsCP437
    case replacedBytes
    // What it is.
    case link
    case special
    case unreadable(String)
    // How it is packed.
    case encrypted
    case method(Int)
    case sharedData
    case pastEnd
    case broken(String)
    /// So many bytes, or nil if there are more than stated.
    case size(stated: Int, found: Int?)

    /// The issue of an entry with this name.
    func issue(at name: String) -> AdIssue {
        AdIssue("bundle.\(self.code)", at: .field(BundleText.shown(name)), self.message)
    }

    private var code: String {
        switch self {
        case .noName, .nul: "name"
        case .outside: "outside"
        case .backslash: "backslash"
        case .longName: "long"
        case .deep: "deep"
        case .duplicate: "duplicate"
        case .readAsCP437, .replacedBytes: "encoding"
        case .link: "link"
        case .special: "special"
        case .unreadable: "unreadable"
        case .encrypted: "encrypted"
        case .method: "method"
        case .sharedData: "shared"
        case .pastEnd, .broken: "damaged"
        case .size: "size"
        }
    }

    /// What is wrong, what was done, and how to fix it.
    var message: String {
        switch self {
        case .noName:
            "it has no name: left out; make the zip again"
        case .nul:
            "its name contains the character NUL, which no file can have: left out; rename it"
        case .outside:
            "its name leads out of the bundle: left out; use a path below the index.html, without .."
        case .backslash:
            "its name has a backslash, which servers do not take for a folder: left out; use a zip program that writes /"
        case .longName(let count, let limit):
            "its name has \(BundleText.number(count)) bytes, and \(BundleText.number(limit)) is the most: left out; "
                + "shorten it"
        case .deep(let count, let limit):
            "it is \(count) names deep, and \(limit) is the most: left out; move it up"
        case .duplicate:
            "its name was there before: the first one is used, while unzip programs may use the last; remove one"
        case .readAsCP437:
            "its name is not UTF-8, and was read as code page 437, the default of zip files; use letters of ASCII"
        case .replacedBytes:
            "its name is not UTF-8, and the wrong bytes were replaced; use letters of ASCII"
        case .link:
            "it is a link, and links are not followed: left out; put the file itself there"
        case .special:
            "it is neither a file nor a folder: left out; remove it"
        case .unreadable(let why):
            "it can't be read: \(why); left out"
        case .encrypted:
            "it is encrypted, and ad servers have no password: left out; make the zip without one"
        case .method(let number):
            "it is packed with \(Self.methodName(number)), which many ad servers can't read: left out; make the zip "
                + "with Deflate, the usual method"
        case .sharedData:
            "another entry has the same bytes of the zip: left out; make the zip again"
        case .pastEnd:
            "its bytes end after the end of the zip: left out; download the zip again, or make it again"
        case .broken(let what):
            "it can't be unpacked (\(what)): left out; download the zip again, or make it again"
        case .size(let stated, let found):
            "it has \(found.map(BundleText.number) ?? "more") bytes, and the zip says \(BundleText.number(stated)): left "
                + "out; make the zip again"
        }
    }

    /// The methods that zip programs offer (APPNOTE.TXT 4.4.5).
    private static func methodName(_ number: Int) -> String {
        switch number {
        case 1: "Shrink"
        case 2...5: "Reduce"
        case 6: "Implode"
        case 9: "Deflate64"
        case 12: "bzip2"
        case 14: "LZMA"
        case 93: "Zstandard"
        case 95: "XZ"
        case 98: "PPMd"
        default: "method \(number)"
        }
    }
}
