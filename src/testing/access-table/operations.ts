import type { AccessRow } from "./row.ts";

export const OPERATIONS: readonly AccessRow[] = [
  { endpoint: "GET /openapi.json", least: "anyone", scopes: "any", status: 200 },
  { endpoint: "GET /version", least: "token", scopes: "profile", status: 200 },
  { endpoint: "GET /metadata", least: "token", scopes: "profile", status: 200 },
  { endpoint: "GET /application/settings", least: "administrator", scopes: "reading", status: 200 },
  { endpoint: "PUT /application/settings", least: "administrator", scopes: "writing", status: 200 },
  { endpoint: "GET /features", least: "administrator", scopes: "reading", status: 200 },
  { endpoint: "GET /features/definitions", least: "administrator", scopes: "reading", status: 200 },
  { endpoint: "POST /features/:name", least: "administrator", scopes: "writing", status: 201 },
  { endpoint: "DELETE /features/:name", least: "administrator", scopes: "writing", status: 204 },
  {
    endpoint: "GET /users/:id/impersonation_tokens",
    least: "administrator",
    scopes: "reading",
    status: 200,
  },
  {
    endpoint: "POST /users/:id/impersonation_tokens",
    least: "administrator",
    scopes: "writing",
    status: 201,
    kind: "personal",
    otherKinds: 403,
  },
  {
    endpoint: "GET /users/:id/impersonation_tokens/:impersonation_token_id",
    least: "administrator",
    scopes: "reading",
    status: 200,
  },
  {
    endpoint: "DELETE /users/:id/impersonation_tokens/:impersonation_token_id",
    least: "administrator",
    scopes: "writing",
    status: 204,
  },
  { endpoint: "GET /deprecated_uses", least: "token", scopes: "reading", status: 200 },
];
