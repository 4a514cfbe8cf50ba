// Every Prisma command looks for a native engine and would download it; none of the commands used here runs it.
process.env["PRISMA_SCHEMA_ENGINE_BINARY"] ??= process.execPath;

import { defineConfig } from "prisma/config";

/** `PRISMA_PROVIDER` chooses the database that a Prisma command works for: `sqlite` or `postgresql`. */
export default defineConfig({ schema: `prisma/${process.env["PRISMA_PROVIDER"] ?? "sqlite"}` });
