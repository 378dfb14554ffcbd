/// What the parser reads: a document with one byte of each section that needs no parsing.
struct XMLInput {
    let document: UnsafeBufferPointer<UInt8>
    private let sections: UnsafeBufferPointer<XMLSections.Section>
    /// The offset in the document of what is read next, and the next section there.
    private var offset = 0
    private var nextRead = 0
    /// The first section whose end the parser has not reached.
    private var nextEnd = 0
    /// The number of blanks that follow: for each token within so many bytes of the end, libxml2 asks for more input.
    private var padding: Int

    /// Creates the input of a document, by default with all contents.
    init(
        document: UnsafeBufferPointer<UInt8>,
        sections: UnsafeBufferPointer<XMLSections.Section> = UnsafeBufferPointer(start: nil, count: 0)
    ) {
        self.document = document
        self.sections = sections
        self.padding = sections.isEmpty ? 0 : 256
    }

    /// Copies the next bytes into a buffer, and returns their number; 0 at the end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while count < buffer.count {
            let section = self.nextRead < self.sections.count ? self.sections[self.nextRead] : nil
            let end = section.map { $0.content.lowerBound + 1 } ?? self.document.count
            let size = self.size(of: buffer.count - count, before: end, isFirst: count == 0)
            let piece = self.document[self.offset..<self.offset + size]
            UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: piece)
            count += size
            self.offset += size
            guard self.offset == end else { break }
            guard let section else {
                let blanks = min(self.padding, buffer.count - count)
                for index in count..<count + blanks { buffer[index] = 0x20 }
                self.padding -= blanks
                return count + blanks
            }
            self.offset = section.content.upperBound
            self.nextRead += 1
        }
        return count
    }

    /// How many bytes before an offset of the document are read next; not 0 if they are the first of a piece.
    ///
    /// The parser looks for `]]>` in text, which is an error there, only in the piece that it has: no piece ends within it.
    private func size(of room: Int, before end: Int, isFirst: Bool) -> Int {
        guard room < end - self.offset else { return end - self.offset }
        var size = room
        while size > 0, room - size < 2, self.document[self.offset + size - 1] == UInt8(ascii: "]") { size -= 1 }
        return size == 0 && isFirst ? room : size
    }

    /// The content of the section that ends at an offset of what was read; nil for one that was read as a whole.
    mutating func content(endingAt offset: Int) -> UnsafeBufferPointer<UInt8>? {
        // The parser reports none in a comment.
        while self.nextEnd < self.sections.count, self.sections[self.nextEnd].end < offset { self.nextEnd += 1 }
        guard self.nextEnd < self.sections.count, self.sections[self.nextEnd].end == offset else { return nil }
        return UnsafeBufferPointer(rebasing: self.document[self.sections[self.nextEnd].content])
    }
}
