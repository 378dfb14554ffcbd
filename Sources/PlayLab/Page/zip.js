// A folder as a zip file, in which the lab gets it: stored, not compressed (PKWARE APPNOTE 6.3.10, §4.3).

const table = new Uint32Array(256).map((_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The checksum of bytes (§4.4.7). */
function checksum(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = table[(value ^ byte) & 0xff] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/** Little-endian numbers, each with its number of bytes. */
function numbers(...pairs) {
  const bytes = [];
  for (const [value, count] of pairs) {
    for (let index = 0; index < count; index += 1) bytes.push((value >>> (8 * index)) & 0xff);
  }
  return new Uint8Array(bytes);
}

/** The size of a zip file of `files`, which have a path and a size. */
export const zipSize = (files) => files.reduce(
  (sum, { path, size }) => sum + size + 76 + 2 * new TextEncoder().encode(path).length,
  22,
);

const version = 20;
/** The names are in UTF-8 (§4.4.4, bit 11). */
const flags = 0x0800;

/** A zip file of `files`, which have a path and bytes. */
export function zip(files) {
  const parts = [];
  const list = [];
  let offset = 0;
  for (const { path, bytes } of files) {
    const name = new TextEncoder().encode(path);
    const size = [bytes.length, 4];
    // The time and date are not kept; January 1st 1980 is the first one.
    const common = [[version, 2], [flags, 2], [0, 2], [0, 2], [0x21, 2], [checksum(bytes), 4], size, size];
    const header = numbers([0x04034b50, 4], ...common, [name.length, 2], [0, 2]);
    parts.push(header, name, bytes);
    list.push(
      numbers([0x02014b50, 4], [version, 2], ...common, [name.length, 2], [0, 2], [0, 2], [0, 2], [0, 2], [0, 4],
        [offset, 4]),
      name,
    );
    offset += header.length + name.length + bytes.length;
  }
  const length = list.reduce((sum, part) => sum + part.length, 0);
  const count = [files.length, 2];
  return new Blob([...parts, ...list, numbers([0x06054b50, 4], [0, 4], count, count, [length, 4], [offset, 4], [0, 2])]);
}
