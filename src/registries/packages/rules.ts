/** The package types of the GitLab API. Only generic packages can be published. */
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

/**
 * The fields that together identify a file in a project: the package name, the package version and the file
 * name.
 */
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

/**
 * Returns whether a name contains only letters, digits and certain other characters that are safe in file
 * paths, URLs and HTTP headers.
 */
const isPlain = (name: string): boolean =>
  name.length <= NAME_CHARACTERS_MAX && /^[A-Za-z0-9._+~@-]+$/.test(name) && !name.includes("..");

/** Returns whether a text is valid as the name or the version of a generic package. */
export const isPackageNameOrVersion = (word: string): boolean => isPlain(word) && word !== ".";

/** Returns whether a file name is valid. As in GitLab, a file name may not begin or end with `~` or `@`. */
export const isFileName = (name: string): boolean =>
  isPlain(name) && name !== "." && !/^[~@]|[~@]$/.test(name);

const HOUR_MS = 3_600_000;

/**
 * Returns whether the stored time of the last download is at least an hour old, so that a new download must
 * update the time.
 */
export const isDownloadTimeOutdated = (lastDownloadedAt: Date | null, now: Date): boolean =>
  lastDownloadedAt === null || now.getTime() - lastDownloadedAt.getTime() >= HOUR_MS;

/**
 * The age after which an upload that receives no data, or a stored file without a database row, can be
 * deleted.
 */
export const ABANDONED_AFTER_MS = HOUR_MS;
