const releases: (() => unknown)[] = [];

/** Runs `release` after the last test of the file, in reverse order of registration. */
export function afterThisFile(release: () => unknown): void {
  releases.push(release);
}

export async function releaseAll(): Promise<void> {
  for (let release = releases.pop(); release !== undefined; release = releases.pop()) await release();
}
