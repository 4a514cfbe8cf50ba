import { execFile } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { capture, ROOT, StepFailed, step } from "../../scripts/prepare-step.mjs";

const execute = promisify(execFile);
const PREPARE = "import('./scripts/prepare.mjs').then(({ prepare }) => prepare({ pages: true }))";

/**
 * Returns the last release in `releases.json`.
 * @param {Readonly<Record<string, Readonly<{ commit: string }>>>} releases
 */
export function lastRelease(releases) {
  const [version, release] = Object.entries(releases).at(-1) ?? [];
  if (version === undefined || release === undefined)
    throw new StepFailed("releases.json contains no release.");
  return { version, tag: `v${version}`, commit: release.commit };
}

/**
 * Returns a folder with the sources, packages and builds of the last release. The folder is below the
 * temporary folder of the system, and later calls use the same folder again.
 * @throws StepFailed if this clone does not contain the release. The message contains the command that
 * fetches the release.
 */
export async function releaseCheckout() {
  const release = lastRelease(JSON.parse(readFileSync(join(ROOT, "releases.json"), "utf8")));
  const folder = join(ownFolder(), `${release.version}-${release.commit.slice(0, 12)}`);
  if (!existsSync(folder)) await step(`Unpacking version ${release.version}`, () => unpack(release, folder));
  await step(`Preparing version ${release.version} (the first time takes some minutes)`, () =>
    prepareRelease(folder),
  );
  return { ...release, folder };
}

/**
 * Returns the reason why the tag of a release cannot be used, or null.
 * @param {Readonly<{ tag: string, commit: string }>} release
 * @param {string | null} taggedCommit the commit of the tag in this clone; null if the clone does not contain
 * the tag. Without the tag, the commit in releases.json is used.
 */
export function tagProblem({ tag, commit }, taggedCommit) {
  return taggedCommit === null || taggedCommit === commit
    ? null
    : `The tag ${tag} names the commit ${taggedCommit}, but releases.json names ${commit}.`;
}

/**
 * Returns a folder that belongs to this user, below the temporary folder. The owner is checked, because every
 * user can create files in the temporary folder.
 */
function ownFolder() {
  const user = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `gatehouse-releases-${user}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const status = lstatSync(folder);
  if (!status.isDirectory() || status.uid !== user)
    throw new StepFailed(`${folder} does not belong to this user. Remove it.`);
  return folder;
}

/**
 * @param {ReturnType<typeof lastRelease>} release
 * @param {string} folder
 */
async function unpack({ tag, commit }, folder) {
  const { code, output } = await capture("git", ["rev-parse", "--verify", "--quiet", `${tag}^{commit}`]);
  const problem = tagProblem({ tag, commit }, code === 0 ? output.trim() : null);
  if (problem !== null) throw new StepFailed(problem);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished);
  await execute("git", ["archive", "--output", join(unfinished, "sources.tar"), commit], { cwd: ROOT });
  await execute("tar", ["-xf", "sources.tar"], { cwd: unfinished });
  rmSync(join(unfinished, "sources.tar"));
  renameSync(unfinished, folder);
}

/**
 * Installs the packages that the lock file of the release names, and builds the release with its own scripts.
 * @param {string} folder
 */
async function prepareRelease(folder) {
  try {
    await execute(process.execPath, ["--input-type=module", "--eval", PREPARE], {
      cwd: folder,
      maxBuffer: 64 * 1024 ** 2,
    });
  } catch (error) {
    throw new StepFailed(
      `The release in ${folder} could not be prepared:\n${error instanceof Error ? error.message : error}`,
    );
  }
}
