import { capture, step } from "./prepare-step.mjs";

/** Real programs that specs drive, by their packages of Debian: how each shows that it is there. */
const TOOLS = [
  { name: "git", shows: ["git", "--version"] },
  { name: "docker-registry", shows: ["dpkg-query", "-W", "docker-registry"] },
  { name: "skopeo", shows: ["skopeo", "--version"] },
  { name: "python3-sentry-sdk", shows: ["/usr/bin/python3", "-c", "import sentry_sdk"] },
  { name: "python3-requests-oauthlib", shows: ["/usr/bin/python3", "-c", "import requests_oauthlib"] },
  { name: "openjdk-17-jdk-headless", shows: ["javac", "-version"] },
];

/** Installs what is missing where that is possible. Without one of them its specs are skipped, and say so. */
export async function ensureTools() {
  const missing = await missingTools();
  if (missing.length === 0) return;
  await step("Installing programs for the specs", () => install(missing));
  const still = await missingTools();
  if (still.length > 0) console.log(`Not on this machine, so their specs are skipped: ${still.join(", ")}.`);
}

async function missingTools() {
  const missing = [];
  for (const { name, shows } of TOOLS) {
    const [program = "", ...args] = shows;
    if ((await capture(program, args)).code !== 0) missing.push(name);
  }
  return missing;
}

/** @param {readonly string[]} names */
async function install(names) {
  if (process.getuid?.() !== 0 || (await capture("apt-get", ["--version"])).code !== 0) return;
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await capture("apt-get", ["update"], env);
  // One by one: a package that is not to be had must not keep the others away.
  for (const name of names) await capture("apt-get", ["install", "-y", "--no-install-recommends", name], env);
}
