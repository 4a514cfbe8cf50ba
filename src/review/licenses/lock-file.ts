import { type StatedLicense, UNKNOWN_LICENSE } from "./rules";

const NPM = /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/;

/** The names of files that say which license each package has. */
export const LOCK_FILES = ["package-lock.json", "npm-shrinkwrap.json", "composer.lock"] as const;

/**
 * What a lock file says of licenses. It comes from whoever pushed, and may say anything.
 * @param text of npm's lock file in any of its versions, or of Composer's.
 * @returns null where it is no such file.
 */
export function licensesIn(path: string, text: string): readonly StatedLicense[] | null {
  const parsed = parse(text);
  if (parsed === null) return null;
  return NPM.test(path) ? fromNpm(parsed) : fromComposer(parsed);
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parse(text: string): Fields | null {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isFields(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

const FOLDER = "node_modules/";

/** From version 2 on there are `packages` by the folders they are in; what is in none is the project's own. */
function fromNpm({ packages, dependencies }: Fields): readonly StatedLicense[] | null {
  if (packages === undefined) return dependencies === undefined ? [] : fromFirstNpm(dependencies);
  if (!isFields(packages)) return null;
  const found: StatedLicense[] = [];
  for (const [folder, one] of Object.entries(packages)) {
    if (!isFields(one)) return null;
    const at = folder.lastIndexOf(FOLDER);
    // A link leads to a package of the project's own.
    if (at === -1 || one["link"] === true) continue;
    found.push(stated(folder.slice(at + FOLDER.length), one["license"]));
  }
  return found;
}

/** Version 1 has packages inside each other, and no licenses. */
function fromFirstNpm(dependencies: unknown): readonly StatedLicense[] | null {
  const found: StatedLicense[] = [];
  const waiting: unknown[] = [dependencies];
  while (waiting.length > 0) {
    const level = waiting.pop();
    if (!isFields(level)) return null;
    for (const [name, one] of Object.entries(level)) {
      if (!isFields(one)) return null;
      found.push(stated(name, undefined));
      if (one["dependencies"] !== undefined) waiting.push(one["dependencies"]);
    }
  }
  return found;
}

/** Several licenses of one package are alternatives there. */
function fromComposer(file: Fields): readonly StatedLicense[] | null {
  const packages = [file["packages"] ?? [], file["packages-dev"] ?? []];
  if (!packages.every((list): list is unknown[] => Array.isArray(list))) return null;
  const all = packages.flat();
  if (!all.every(isFields)) return null;
  return all.map((one) => stated(typeof one["name"] === "string" ? one["name"] : "", one["license"]));
}

const TEXT_MAX = 255;

/** A name that can be stored, shown and compared. */
const isName = (text: unknown): text is string =>
  typeof text === "string" &&
  text.length > 0 &&
  text.length <= TEXT_MAX &&
  !/[\p{Cc}\p{Surrogate}]/u.test(text);

const stated = (name: string, license: unknown): StatedLicense => ({
  package: isName(name) ? name : "(unnamed)",
  license: licenseFrom(license),
});

function licenseFrom(license: unknown): string {
  if (isFields(license)) return licenseFrom(license["type"]);
  const text = Array.isArray(license) ? alternativesOf(license) : license;
  const name = typeof text === "string" ? text.trim() : "";
  return isName(name) ? name : UNKNOWN_LICENSE;
}

const alternativesOf = (licenses: readonly unknown[]): unknown => {
  if (!licenses.every(isName)) return undefined;
  return licenses.length === 1 ? licenses[0] : licenses.map((one) => `(${one})`).join(" OR ");
};
