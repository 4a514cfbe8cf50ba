import { type StatedLicense, UNKNOWN_LICENSE } from "./rules";

const NPM = /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/;

/** The names of the supported lock files, which contain the licenses of packages. */
export const LOCK_FILES = ["package-lock.json", "npm-shrinkwrap.json", "composer.lock"] as const;

/**
 * Returns the licenses of the packages in a lock file. The content of the lock file is untrusted input.
 * @param text the content of npm's lock file in any version, or of Composer's lock file.
 * @returns null if the content is malformed.
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

/**
 * Returns the licenses in a lock file of version 2 or later, in which `packages` lists the packages by folder. Packages
 * outside of `node_modules` belong to the project itself and are omitted.
 */
function fromNpm({ packages, dependencies }: Fields): readonly StatedLicense[] | null {
  if (packages === undefined) return dependencies === undefined ? [] : fromFirstNpm(dependencies);
  if (!isFields(packages)) return null;
  const licenses: StatedLicense[] = [];
  for (const [folder, entry] of Object.entries(packages)) {
    if (!isFields(entry)) return null;
    const at = folder.lastIndexOf(FOLDER);
    // An entry of the lock file without a package name is a package of the project itself, or a link to such
    // a package.
    if (at === -1 || entry["link"] === true) continue;
    licenses.push(stated(folder.slice(at + FOLDER.length), entry["license"]));
  }
  return licenses;
}

/** Returns the packages in a lock file of version 1, which nests packages and contains no licenses. */
function fromFirstNpm(dependencies: unknown): readonly StatedLicense[] | null {
  const licenses: StatedLicense[] = [];
  const pending: unknown[] = [dependencies];
  while (pending.length > 0) {
    const level = pending.pop();
    if (!isFields(level)) return null;
    for (const [name, entry] of Object.entries(level)) {
      if (!isFields(entry)) return null;
      licenses.push(stated(name, undefined));
      if (entry["dependencies"] !== undefined) pending.push(entry["dependencies"]);
    }
  }
  return licenses;
}

/**
 * Returns the licenses in Composer's lock file. If a package has several licenses, the licenses are
 * alternatives.
 */
function fromComposer(file: Fields): readonly StatedLicense[] | null {
  const packages = [file["packages"] ?? [], file["packages-dev"] ?? []];
  if (!packages.every((list): list is unknown[] => Array.isArray(list))) return null;
  const all = packages.flat();
  if (!all.every(isFields)) return null;
  return all.map((entry) => stated(typeof entry["name"] === "string" ? entry["name"] : "", entry["license"]));
}

const TEXT_MAX = 255;

/**
 * Returns whether a value is a string without control characters that is not too long for the database
 * column.
 */
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
  return licenses.length === 1 ? licenses[0] : licenses.map((license) => `(${license})`).join(" OR ");
};
