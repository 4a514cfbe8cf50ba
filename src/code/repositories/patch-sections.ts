/** What a patch says of its files, by the first line of each section. */
export type Sections = ReadonlyMap<string, string[]>;

const SECTION = "diff --git ";

/**
 * Every line of a patch that is of a file begins with a character of its own. Lines end with a line feed and with
 * nothing else: files and their names have all other ends of lines in them.
 * @param patch of Git with its own prefixes, and `core.quotePath` off.
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

/** The text of a file, which may have several sections, taken out of them; null where the patch does not speak of it. */
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

/** A path as Git writes it in the first line of a section: like a string in C where it has to. */
function quoted(path: string): string {
  const special = /["\\]|(?![\u0080-\u009f])\p{Cc}/gu;
  if (path.search(special) === -1) return path;
  const escaped = path.replace(
    special,
    (character) => `\\${ESCAPES[character] ?? character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${escaped}"`;
}
