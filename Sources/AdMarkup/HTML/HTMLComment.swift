/// Finds the end of an HTML comment: `-->`, `--!>`, or an abrupt closing (HTML Living Standard, "comment start state").
enum HTMLComment {
    /// The offset after the end of the comment whose `<!--` is at an offset; nil if it has no end.
    static func end<Bytes: RandomAccessCollection<UInt8>>(in bytes: Bytes, from start: Int) -> Int?
    where Bytes.Index == Int {
        let dash = UInt8(ascii: "-")
        var index = start + 4
        while index < bytes.endIndex, let close = bytes[index...].firstIndex(of: UInt8(ascii: ">")) {
            index = close + 1
            // The dashes of `<!--` can be those of the end: `<!-->` is a complete comment.
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
