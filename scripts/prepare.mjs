import "./prepare-node.mjs";
import { writeApiRoutes } from "./api-routes.mjs";
import { compactClient } from "./compact-client.mjs";
import { install, isInstalled } from "./install.mjs";
import { fingerprint, stamp } from "./prepare-fingerprint.mjs";
import { alone } from "./prepare-lock.mjs";
import { runPackage, step } from "./prepare-step.mjs";

const MODELS = ["prisma/models", "prisma/sqlite/schema.prisma", "prisma/postgresql/schema.prisma"];
const SOURCES = [
  ...MODELS,
  "app",
  "src",
  "instrumentation.ts",
  "next.config.mjs",
  "package-lock.json",
  "postcss.config.mjs",
  "prisma.config.ts",
  "proxy.ts",
  "scripts/api-routes.mjs",
  "scripts/build-routes.mjs",
  "scripts/build.mjs",
  "tailwind.config.ts",
];

/**
 * Returns whether a change of this file requires a new build. The result is false for tests and test helpers,
 * because they are not part of a build, and for generated files, because they change only together with other
 * files.
 */
const isBuilt = (/** @type {string} */ path) =>
  !/\.test\.tsx?$/.test(path) && !path.startsWith("src/testing/") && !path.includes("/generated/");

const clients = stamp("src/kernel/db/generated/stamp");
const server = stamp("dist/stamp");
const pages = stamp(".next/gatehouse-stamp");

/**
 * @typedef {object} Needs
 * @property {boolean} pages whether the command needs the pages of Next.js. The command line does not need
 *   these pages.
 * @property {import("./install.mjs").Extent} [packages] default: the packages that the server needs.
 */

/**
 * Installs the packages, generates the Prisma clients and builds the project, so that commands can run.
 * Returns quickly if nothing has changed. Several commands may call this function simultaneously.
 * @param {Needs} needs
 * @throws StepFailed with a message for the user.
 */
export async function prepare(needs) {
  writeApiRoutes();
  if (isPrepared(needs)) return;
  await alone(async () => {
    // Another command may have prepared everything while this process waited for the lock.
    if (!isPrepared(needs)) await prepareAll(needs);
  });
}

const modelsNow = () =>
  fingerprint([...MODELS, "package-lock.json", "prisma.config.ts", "scripts/compact-client.mjs"]);
const sourcesNow = () => fingerprint(SOURCES, isBuilt);

/** @param {Needs} needs */
function isPrepared(needs) {
  if (!isInstalled(extentOf(needs))) return false;
  const sources = sourcesNow();
  return server.equals(sources) && (!needs.pages || pages.equals(sources)) && clients.equals(modelsNow());
}

/** @param {Needs} needs */
const extentOf = ({ packages = "running" }) => packages;

/** @param {Needs} needs */
async function prepareAll(needs) {
  const extent = extentOf(needs);
  if (!isInstalled(extent)) await install(extent);
  const models = modelsNow();
  if (!clients.equals(models))
    await step("Generating the database clients", () => clients.around(models, generateClients));
  const { buildPages, buildServer } = await import("./build.mjs");
  const sources = sourcesNow();
  if (!server.equals(sources)) await step("Building the server", () => server.around(sources, buildServer));
  if (needs.pages && !pages.equals(sources))
    await step("Building the pages", () => pages.around(sources, buildPages));
}

async function generateClients() {
  const generate = async (/** @type {string} */ provider) => {
    await runPackage("prisma/build/index.js", ["generate"], { PRISMA_PROVIDER: provider });
    compactClient(provider);
  };
  await Promise.all([generate("sqlite"), generate("postgresql")]);
}
