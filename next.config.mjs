import { readdirSync } from "node:fs";
import { join } from "node:path";
import { GIT_ADDRESS, GIT_REDIRECT, REDIRECTS, REWRITES } from "./src/server/url-table.mjs";

const baseUrl = new URL(process.env["BASE_URL"] || `http://localhost:${process.env["PORT"] || 3000}`);

/** Sets the base URL of next-auth, which would otherwise use the `Host` header of the request. */
function tellNextAuth() {
  process.env["NEXTAUTH_URL"] = baseUrl.origin;
}

tellNextAuth();

const below = (/** @type {string} */ prefix) => `${prefix}:path*`;

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // By default, Next redirects a URL with a trailing slash to the URL without the slash (status 308). Error
  // tracking SDKs do not follow redirects with the status 308, so their events would be lost.
  skipTrailingSlashRedirect: true,
  devIndicators: false,
  // Otherwise everyone could request `/_next/image`, which scales any picture of the instance without its limits, and
  // keeps a copy that is served without a check of access.
  images: { unoptimized: true },
  // `npm test` checks the types, so the build does not check the types again.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    "@node-rs/argon2",
    "@prisma/adapter-better-sqlite3",
    "@prisma/adapter-pg",
    "@prisma/client",
    "better-sqlite3",
    "pg",
    "pino",
  ],
  turbopack: { root: import.meta.dirname },
  experimental: {
    serverActions: { allowedOrigins: [baseUrl.host], bodySizeLimit: "2mb" },
    // Next loads the code of a page when the page is requested for the first time. Next need not load the
    // route files, because Gatehouse's own server handles the requests for routes.
    preloadEntriesOnStart: false,
  },
  rewrites: async () => ({
    beforeFiles: [
      ...REWRITES.map(({ from, to }) => ({ source: below(from), destination: below(to) })),
      ...GIT_ADDRESS.rewrites.map(({ from, to }) => ({ source: from, destination: to })),
    ],
    afterFiles: [],
    fallback: [],
  }),
  // The name of a font file contains the digest of the file content. Each font file has its own entry,
  // because a pattern would also add the cache headers to a 404 response.
  headers: async () =>
    readdirSync(join(import.meta.dirname, "public/-/fonts")).map((file) => ({
      source: `/-/fonts/${file}`,
      headers: [{ key: "Cache-Control", value: "public, max-age=31536000, immutable" }],
    })),
  redirects: async () => [
    ...REDIRECTS.map(({ from, to }) => ({ source: from, destination: to, statusCode: 303 })),
    {
      source: GIT_REDIRECT.from,
      has: [{ type: "query", key: "service", value: GIT_REDIRECT.service }],
      destination: GIT_REDIRECT.to,
      statusCode: 301,
    },
  ],
};
