import { once } from "node:events";
import { parseTrustedProxies } from "@/kernel/config/trusted-proxies.ts";
import { openLog } from "@/kernel/log/log.ts";
import { createGatehouseServer } from "@/server/http-server.ts";
import { pages } from "./http-server.ts";
import { afterThisFile } from "./release.ts";

/**
 * Starts the server of the product with the given route files and the dependencies of the test file. The
 * server stops after the test file.
 * @param modules the route files by their folders in `app`, such as `/api/v4/features/[name]`.
 * @param trustedProxies the value of `TRUSTED_PROXIES`.
 * @returns the URL of the server.
 */
export async function serveRoutes(
  modules: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  trustedProxies = "",
): Promise<string> {
  const server = createGatehouseServer({
    routeFiles: Object.entries(modules).map(([path, module]) => ({
      segments: path.split("/").slice(1),
      module,
    })),
    pages: Promise.resolve(pages),
    opened: Promise.resolve(),
    trusted: parseTrustedProxies(trustedProxies),
    secure: false,
    issuer: "http://localhost:3000",
    log: openLog("silent"),
  });
  afterThisFile(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  return `http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}`;
}
