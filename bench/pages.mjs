import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { startInstance } from "../scripts/instance.mjs";
import { StepFailed } from "../scripts/prepare-step.mjs";
import { freePort, runProgram } from "../scripts/program.mjs";
import { authorizationQuery, openBrowser } from "./browser.mjs";
import { ENVIRONMENT, prepareEndpoints } from "./endpoint-data.mjs";
import { application } from "./gatehouse.mjs";
import { pageWeight } from "./page-weight.mjs";
import { processorTime } from "./processor-time.mjs";

/**
 * @import { Later } from "../scripts/temporarily.mjs"
 * @typedef {{ page: string, median: number, p95: number, processor: number, kilobytes: number, runtime: number, own: number,
 * isStatic: boolean }} MeasuredPage times in milliseconds, sizes in kB; `runtime` is the packed JavaScript of the framework
 * that every page loads, and `own` is the other packed JavaScript of the page.
 */

/**
 * The targets for static documents and for all other pages: the median time, and the compressed size of the
 * JavaScript. The size does not include the JavaScript runtime of Next.js.
 */
export const PAGE_TARGETS = {
  static: { median: 4, script: 20 },
  other: { median: 10, script: 10 },
};

/** The number of rows of each kind on the instance with projects. */
const ROWS = 2_000;
const LOOKS = 60;
const WARM_UPS = 10;

/** The static documents, which do not load the scripts of Next.js. */
const STATIC_PAGES = ["/users/sign_in?again=1", "/users/sign_up", "/oauth/device", "/oauth/consent"];

/** The pages that the user root opens on an instance with applications and grants. */
const PAGES = [
  "/",
  "/user_settings/applications",
  "/user_settings/applications/10",
  "/user_settings/applications/new",
  "/user_settings/authorized_applications",
  "/user_settings/personal_access_tokens",
  "/user_settings/sessions",
  "/user_settings/profile",
  "/user_settings/two_factor",
  "/admin",
  "/admin/users",
  "/admin/users/1",
  "/admin/applications",
  "/admin/audit_events",
  "/admin/settings",
  "/admin/features",
  "/help/connect",
  "/help/api",
  "/help/api/projects",
];

/**
 * The pages of groups and projects, of which ann is a member.
 * @param {number} code the id of a project with a repository.
 */
const projectPages = (code) => [
  "/projects",
  "/projects/new",
  "/projects/1/members",
  "/projects/1/errors",
  "/projects/1/errors/1",
  "/projects/1/packages",
  "/projects/1/merge_requests",
  `/projects/${code}`,
  `/projects/${code}/tree`,
  `/projects/${code}/commits`,
  `/projects/${code}/merge_requests/1`,
  `/projects/${code}/settings`,
  `/projects/${code}/settings/merge_requests`,
  "/groups",
  "/groups/1",
  "/groups/1/members",
];

/**
 * Measures the response times of pages and the size of their scripts, one request after the other, on two
 * instances with many rows.
 * @param {string} folder
 * @param {Later} later
 * @returns {Promise<readonly MeasuredPage[]>}
 * @throws StepFailed if the status of a page is not 200.
 */
export async function measurePages(folder, later) {
  return [...(await measureAccounts(folder, later)), ...(await measureProjects(folder, later))];
}

/**
 * @param {string} folder
 * @param {Later} later
 */
async function measureAccounts(folder, later) {
  const place = join(folder, "pages");
  await mkdir(place);
  const instance = await startInstance({ port: await freePort(), folder: place, later });
  await runProgram(["bench/fill-pages.mjs", join(place, "data/gatehouse.db")], { later });
  await instance.command("feature", "enable", "oauth2_device_grant_flow");
  const { client_id: clientId } = await application(instance.command);
  const browser = await signedIn(instance, "root");
  /** @type {MeasuredPage[]} */
  const measured = [];
  for (const page of STATIC_PAGES) {
    const url = page === "/oauth/consent" ? `${page}?${authorizationQuery(clientId)}` : page;
    measured.push(await measurePage(instance, browser, { page, url, isStatic: true }));
  }
  for (const page of PAGES)
    measured.push(await measurePage(instance, browser, { page, url: page, isStatic: false }));
  return measured;
}

/**
 * @param {string} folder
 * @param {Later} later
 */
async function measureProjects(folder, later) {
  const place = join(folder, "project-pages");
  await mkdir(place);
  const instance = await startInstance({ port: await freePort(), folder: place, env: ENVIRONMENT, later });
  await prepareEndpoints({ baseUrl: instance.baseUrl, place, rows: ROWS, later });
  const code = givePassword(join(place, "data/gatehouse.db"));
  const browser = await signedIn(instance, "ann");
  /** @type {MeasuredPage[]} */
  const measured = [];
  for (const page of projectPages(code))
    measured.push(await measurePage(instance, browser, { page, url: page, isStatic: false }));
  return measured;
}

/**
 * Sets the password of the user ann to the password of root.
 * @param {string} file
 * @returns {number} the id of the project with a repository.
 */
function givePassword(file) {
  const database = new Sqlite(file, { timeout: 5_000 });
  const password = `(SELECT "passwordDigest" FROM "User" WHERE "id" = 1)`;
  database.exec(`UPDATE "User" SET "passwordDigest" = ${password} WHERE "username" = 'ann'`);
  const project = /** @type {{ id: number }} */ (
    database.prepare(`SELECT "id" FROM "Project" WHERE "path" = 'code'`).get()
  );
  database.close();
  return project.id;
}

/**
 * @param {import("../scripts/instance.mjs").Instance} instance
 * @param {string} login
 */
async function signedIn({ baseUrl, rootPassword }, login) {
  const browser = openBrowser(baseUrl);
  const form = { intent: "sign_in", login, password: rootPassword };
  const { status, location } = await browser.send(`${baseUrl}/users/session`, form);
  if (status !== 303 || location?.includes("problem=")) throw new StepFailed(`${login} cannot sign in.`);
  return browser;
}

/**
 * @param {import("../scripts/instance.mjs").Instance} instance
 * @param {ReturnType<typeof openBrowser>} browser
 * @param {{ page: string, url: string, isStatic: boolean }} of
 * @returns {Promise<MeasuredPage>}
 */
async function measurePage({ baseUrl, program }, browser, { page, url, isStatic }) {
  const load = async () => {
    const response = await browser.send(baseUrl + url);
    if (response.status !== 200) throw new StepFailed(`${page} returned ${response.status}.`);
    return response;
  };
  for (let look = 1; look < WARM_UPS; look += 1) await load();
  const { bytes, text } = await load();
  const before = processorTime(program.pid);
  /** @type {number[]} */
  const times = [];
  for (let look = 0; look < LOOKS; look += 1) {
    const begin = performance.now();
    await load();
    times.push(performance.now() - begin);
  }
  const processor = (processorTime(program.pid) - before) / LOOKS / 1_000;
  times.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => times[Math.floor(share * (times.length - 1))] ?? Number.NaN;
  const { runtime, own } = pageWeight(text);
  return { page, median: at(0.5), p95: at(0.95), processor, kilobytes: bytes / 1024, runtime, own, isStatic };
}
