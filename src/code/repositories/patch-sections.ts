/** The text of each section of a patch, with the first line of the section as key. */
export type Sections = ReadonlyMap<string, string[]>;

const SECTION = "diff --git ";

/**
 * Splits the patch of several files into one section per changed file. A content line never looks like the
 * first line of a section, because content lines begin with a marker character. Only a line feed counts as
 * the end of a line, because file contents and file names can contain all other line terminators.
 * @param patch Git's output with default prefixes and `core.quotePath` off.
 */
export function sectionsIn(patch: string): Sections {
  const sections = new Map<string, string[]>();
  for (const section of `\n${patch}`.split(`\n${SECTION}`).slice(1)) {
    const end = section.indexOf("\n");
    const [title, rest] = [section.slice(0, end), section.slice(end)];
    const at = rest.indexOf("\n@@");
    const text = at === -1 ? "" : `${rest.slice(at + 1).replace(/\n$/, "")}\n`;
    const same = sections.get(title);
    if (same === undefined) sections.set(title, [text]);
    else same.push(text);
  }
  return sections;
}

/**
 * Removes the sections of a file from the map and returns the text of these sections; null if the patch does not
 * contain the file.
 */
export function textIn(
  sections: Sections,
  { oldPath, newPath, sections: count }: Readonly<{ oldPath: string; newPath: string; sections: number }>,
): string | null {
  const texts = sections.get(`${quoted(`a/${oldPath}`)} ${quoted(`b/${newPath}`)}`);
  if (texts === undefined || texts.length < count) return null;
  return texts.splice(0, count).join("");
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\u0007": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  '"': '"',
  "\\": "\\",
};

/** Returns a path as Git writes it in the first line of a section: quoted like a C string if necessary. */
function quoted(path: string): string {
  const special = /["\\]|(?![\u0080-\u009f])\p{Cc}/gu;
  if (path.search(special) === -1) return path;
  const escaped = path.replace(
    special,
    (character) => `\\${ESCAPES[character] ?? character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${escaped}"`;
}
