/// Where a comment of HTML ends: at `-->`, at `--!>`, and sooner than it seems.
enum HTMLComment {
    /// The offset behind the end of a comment that begins, as `<!--`, at an offset; nil if it has none.
    static func end<Bytes: RandomAccessCollection<UInt8>>(in bytes: Bytes, from start: Int) -> Int?
    where Bytes.Index == Int {
        let dash = UInt8(ascii: "-")
        var index = start + 4
        while index < bytes.endIndex, let close = bytes[index...].firstIndex(of: UInt8(ascii: ">")) {
            index = close + 1
            // The dashes of `<!--` may be the end's as well: `<!-->` is a whole comment.
            if close - 2 >= start + 2, bytes[close - 1] == dash, bytes[close - 2] == dash { return index }
            if close - 3 >= start + 4, bytes[close - 1] == UInt8(ascii: "!"), bytes[close - 2] == dash,
                bytes[close - 3] == dash
            {
                return index
            }
        }
        return nil
    }
}
