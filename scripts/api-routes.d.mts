/** Writes `src/http-api/generated/routes.ts`, which imports every route file of the API, if it is not as the tree is. */
export function writeApiRoutes(): void;
