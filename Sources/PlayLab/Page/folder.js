// A folder that was chosen or dropped: its files with their paths.

const mostFiles = 5000;

class TooManyFiles extends Error {
  constructor(name) {
    super(`${name} has more than ${mostFiles} files. Choose the folder of one ad.`);
  }
}

/** Whether a file or folder is hidden: the command leaves those of a folder out, too. */
const isHidden = (name) => name.startsWith(".");

/** The files of a folder input, whose paths begin with the folder's name. */
export function filesOfInput(list) {
  const name = list[0].webkitRelativePath.split("/")[0];
  const files = [...list]
    .map((file) => ({ path: file.webkitRelativePath.slice(name.length + 1), file }))
    .filter(({ path }) => !path.split("/").some(isHidden));
  if (files.length > mostFiles) throw new TooManyFiles(name);
  return { name, files };
}

/** The files of a dropped folder. */
export async function filesOfEntry(folder) {
  const files = [];
  const waiting = [{ entry: folder, path: "" }];
  while (waiting.length > 0) {
    const { entry, path } = waiting.pop();
    for (const child of (await entriesOf(entry)).filter((each) => !isHidden(each.name))) {
      const childPath = path + child.name;
      if (child.isDirectory) waiting.push({ entry: child, path: `${childPath}/` });
      else files.push({ path: childPath, file: await new Promise((done, failed) => child.file(done, failed)) });
      if (files.length + waiting.length > mostFiles) throw new TooManyFiles(folder.name);
    }
  }
  return { name: folder.name, files };
}

/** All entries of a folder; a reader returns some of them at a time (File and Directory Entries API §7.3). */
async function entriesOf(folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return all;
    all.push(...some);
  }
}
