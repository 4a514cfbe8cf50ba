import { capture, step } from "./prepare-step.mjs";

/**
 * The Debian packages of the programs that specs use. Each package has a command that succeeds if the package
 * is installed.
 */
const TOOLS = [
  { name: "git", shows: ["git", "--version"] },
  { name: "docker-registry", shows: ["dpkg-query", "-W", "docker-registry"] },
  { name: "skopeo", shows: ["skopeo", "--version"] },
  { name: "python3-sentry-sdk", shows: ["/usr/bin/python3", "-c", "import sentry_sdk"] },
  { name: "python3-requests-oauthlib", shows: ["/usr/bin/python3", "-c", "import requests_oauthlib"] },
  { name: "python3-authlib", shows: ["/usr/bin/python3", "-c", "import authlib"] },
  {
    name: "ruby-omniauth-gitlab",
    shows: ["ruby", "-e", 'require "omniauth-gitlab"; require "rack/handler/webrick"'],
  },
  { name: "pgbouncer", shows: ["pgbouncer", "--version"] },
  { name: "openjdk-17-jdk-headless", shows: ["javac", "-version"] },
];

/**
 * Installs missing programs if possible. If a program is still missing after the installation, the specs that
 * need the program are skipped and reported.
 */
export async function ensureTools() {
  const missing = await missingTools();
  if (missing.length === 0) return;
  await step("Installing programs for the specs", () => install(missing));
  const still = await missingTools();
  if (still.length > 0)
    console.log(
      `These programs are not installed, so the specs that need the programs are skipped: ${still.join(", ")}.`,
    );
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
  // The packages are installed one by one, so that an unavailable package does not affect the other packages.
  for (const name of names) await capture("apt-get", ["install", "-y", "--no-install-recommends", name], env);
}
