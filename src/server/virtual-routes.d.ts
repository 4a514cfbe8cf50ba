/** Made by `scripts/build.mjs` from the tree `app/**\/route.ts`; exists in the built server only. */
declare module "virtual:routes" {
  export const routeFiles: readonly import("./routes.ts").RouteFile[];
}
