import LibC

/// The sanitizer of this run (`Scripts/sanitize.sh`).
public enum Sanitizer {
    /// Whether it is AddressSanitizer, which keeps freed memory for a while and reports leaks.
    public static var isOfAddresses: Bool { getenv("YABBI_SANITIZER").map { String(cString: $0) } == "address" }
}
