// Without the variable `PRISMA_SCHEMA_ENGINE_BINARY`, every Prisma command would download a native engine,
// which the commands of this project do not need.
process.env["PRISMA_SCHEMA_ENGINE_BINARY"] ??= process.execPath;

import { defineConfig } from "prisma/config";

/** `PRISMA_PROVIDER` selects the database of a Prisma command: `sqlite` or `postgresql`. */
export default defineConfig({ schema: `prisma/${process.env["PRISMA_PROVIDER"] ?? "sqlite"}` });
