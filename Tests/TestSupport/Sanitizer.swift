import LibC

/// What the tests run under (`Scripts/sanitize.sh`).
public enum Sanitizer {
    /// Whether it is the address sanitizer, which keeps what was freed, and finds what was not.
    public static var isOfAddresses: Bool { getenv("YABBI_SANITIZER").map { String(cString: $0) } == "address" }
}
