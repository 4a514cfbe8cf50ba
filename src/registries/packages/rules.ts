/** Kinds of packages that clients of this dialect ask for. Only generic ones can be published here. */
export const PACKAGE_TYPES = [
  "generic",
  "cargo",
  "composer",
  "conan",
  "debian",
  "golang",
  "helm",
  "maven",
  "ml_model",
  "npm",
  "nuget",
  "pypi",
  "rpm",
  "rubygems",
  "terraform_module",
] as const;
export type PackageType = (typeof PACKAGE_TYPES)[number];

/** Where a file of a generic package is: below a project, by three names. */
export type FileCoordinates = Readonly<{ packageName: string; version: string; fileName: string }>;

export type Package = Readonly<{
  id: number;
  projectId: number;
  type: string;
  name: string;
  version: string;
  createdAt: Date;
  lastDownloadedAt: Date | null;
}>;

export type PackageFile = Readonly<{
  id: number;
  packageId: number;
  name: string;
  sizeBytes: number;
  sha256: string;
  key: string;
  createdAt: Date;
  updatedAt: Date;
}>;

const NAME_CHARACTERS_MAX = 255;

/** Letters, digits and a few signs: nothing that a folder, an address or a header reads in another way. */
const isPlain = (name: string): boolean =>
  name.length <= NAME_CHARACTERS_MAX && /^[A-Za-z0-9._+~@-]+$/.test(name) && !name.includes("..");

/** The name or the version of a generic package. */
export const isPackageNameOrVersion = (word: string): boolean => isPlain(word) && word !== ".";

/** The dialect's own rule beside: `~` and `@` neither begin nor end the name of a file. */
export const isFileName = (name: string): boolean =>
  isPlain(name) && name !== "." && !/^[~@]|[~@]$/.test(name);

const HOUR_MS = 3_600_000;

/** Whether a download is worth a row's change: once an hour says enough. */
export const isDownloadTimeOutdated = (lastDownloadedAt: Date | null, now: Date): boolean =>
  lastDownloadedAt === null || now.getTime() - lastDownloadedAt.getTime() >= HOUR_MS;

/** An upload that has not grown for so long belongs to nobody any more; nor does a file without a row. */
export const ABANDONED_AFTER_MS = HOUR_MS;
