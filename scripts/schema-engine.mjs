// Prisma's schema engine, which compares models with migrations. The engine connects only to empty databases.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as glue from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";
import { startPostgres } from "./postgres.mjs";

export const PROVIDERS = /** @type {const} */ (["sqlite", "postgresql"]);

/**
 * @import { SqlDriverAdapter } from "@prisma/driver-adapter-utils"
 * @import { MigrationList, SchemaContainer } from "@prisma/schema-engine-wasm/schema_engine_bg"
 * @typedef {typeof PROVIDERS[number]} Provider
 * @typedef {ReturnType<typeof closing>} ClosingFactory
 */

const NO_FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Returns the SQL statements that must be added to the migrations of `provider`, so that the migrations match
 * the models of `provider`.
 * @param {Provider} provider
 * @returns {Promise<string | null>} the statements, or null if there is no difference.
 */
export async function missingMigration(provider) {
  const factory = provider === "sqlite" ? sqliteFactory() : await postgresqlFactory();
  try {
    const files = readModels(provider);
    const engine = await openEngine(files, factory);
    const { exitCode, stdout } = await engine.diff({
      from: { tag: "migrations", ...readMigrationList(provider) },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: true,
      filters: NO_FILTERS,
    });
    engine.free();
    return exitCode === 2 ? stdout : null;
  } finally {
    await factory.close();
  }
}

/** @type {Promise<void> | undefined} */
let loaded;

/**
 * Returns a new schema engine. The WebAssembly module is loaded only once, because the glue code keeps a
 * reference to the memory of the first module instance.
 * @param {readonly SchemaContainer[]} files
 * @param {ClosingFactory} factory
 */
async function openEngine(files, factory) {
  loaded ??= loadEngine();
  await loaded;
  /** @type {[string, string][]} */
  const datamodels = files.map(({ path, content }) => [path, content]);
  return glue.SchemaEngine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(factory));
}

/**
 * Loads the WebAssembly module of the schema engine. This function replaces the bundler that the engine
 * expects, because Node 20 cannot import WebAssembly.
 */
async function loadEngine() {
  /** @param {string} text */
  const set_message = (text) => {
    throw new Error(`The schema engine failed: ${text}`);
  };
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message } });
  const file = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const bytes = readFileSync(file.replace(/\.js$/, ".wasm"));
  const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": glue });
  glue.__wbg_set_wasm(instance.exports);
  const start = instance.exports["__wbindgen_start"];
  if (typeof start !== "function") throw new Error("The schema engine cannot be started.");
  start();
}

/** @param {Provider} provider */
function readModels(provider) {
  const folder = resolve("prisma", provider);
  const models = readdirSync(join(folder, "models")).filter((name) => name.endsWith(".prisma"));
  const paths = [join(folder, "schema.prisma"), ...models.sort().map((name) => join(folder, "models", name))];
  return paths.map((path) => ({ path, content: readFileSync(path, "utf8") }));
}

/**
 * @param {Provider} provider
 * @returns {MigrationList}
 */
function readMigrationList(provider) {
  const baseDir = resolve("prisma", provider, "migrations");
  return {
    baseDir,
    lockfile: { path: "migration_lock.toml", content: `provider = "${provider}"\n` },
    shadowDbInitScript: "",
    migrationDirectories: migrationNames(baseDir).map((path) => {
      const value = readFileSync(join(baseDir, path, "migration.sql"), "utf8");
      return { path, migrationFile: { path: "migration.sql", content: { tag: "ok", value } } };
    }),
  };
}

/** @param {string} folder */
function migrationNames(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/**
 * Returns an adapter factory. The `close` function of the factory closes the connections that the engine
 * leaves open.
 * @param {"sqlite" | "postgres"} provider
 * @param {string} adapterName
 * @param {() => Promise<SqlDriverAdapter>} open
 * @param {() => Promise<SqlDriverAdapter>} openShadow
 * @param {() => Promise<void>} end
 */
function closing(provider, adapterName, open, openShadow, end) {
  /** @type {SqlDriverAdapter[]} */
  const adapters = [];
  /** @param {SqlDriverAdapter} adapter */
  const track = async (adapter) => {
    adapters.push(adapter);
    return adapter;
  };
  return {
    provider,
    adapterName,
    connect: async () => track(await open()),
    connectToShadowDb: async () => track(await openShadow()),
    close: async () => {
      for (const adapter of adapters) await adapter.dispose().catch(() => {});
      await end();
    },
  };
}

function sqliteFactory() {
  const stock = new PrismaBetterSqlite3({ url: ":memory:" });
  const open = async () => {
    const adapter = await stock.connect();
    // Prisma's own adapter refuses a text with several SQL statements, but the engine sends such a text to
    // run a migration.
    adapter.executeRaw = async ({ sql }) => {
      await adapter.executeScript(sql);
      return 0;
    };
    return adapter;
  };
  return closing("sqlite", stock.adapterName, open, open, async () => {});
}

async function postgresqlFactory() {
  const server = await startPostgres();
  const shadow = `gatehouse_shadow_${process.pid}_${Date.now()}`;
  // The adapter gets the connection parameters as separate fields, because with a URL it would use the real
  // database as the shadow database.
  /** @param {string} database */
  const optionsFor = (database) => ({
    host: server.host,
    port: server.port,
    user: server.user,
    password: server.password,
    database,
    max: 2,
  });
  /** @param {string} database */
  const open = (database) =>
    new PrismaPg(readablePool(optionsFor(database)), { disposeExternalPool: true }).connect();
  const admin = readablePool(optionsFor("postgres"));
  const openShadow = async () => {
    await admin.query(`CREATE DATABASE "${shadow}"`);
    return open(shadow);
  };
  return closing(
    "postgres",
    "@prisma/adapter-pg",
    () => open("postgres"),
    openShadow,
    async () => {
      await admin.query(`DROP DATABASE IF EXISTS "${shadow}" WITH (FORCE)`);
      await admin.end();
      await server.stop();
    },
  );
}

const CHAR_OID = 18;
const TEXT_OID = 25;

/**
 * Returns a pool that reads the type `"char"` of the system catalogs as text, because the adapter does not
 * support this type.
 * @param {pg.PoolConfig} options
 */
function readablePool(options) {
  const pool = new pg.Pool(options);
  // The PostgreSQL server may end before the connections of the pool are closed.
  pool.on("error", () => {});
  /** @type {(...given: readonly unknown[]) => Promise<pg.QueryResult>} */
  const query = pool.query.bind(pool);
  /** @param {readonly unknown[]} given */
  const readable = async (...given) => {
    const result = await query(...given);
    for (const field of result.fields) if (field.dataTypeID === CHAR_OID) field.dataTypeID = TEXT_OID;
    return result;
  };
  return Object.assign(pool, { query: readable });
}
