import type { AccessRow } from "./row.ts";

export const IDENTITY: readonly AccessRow[] = [
  { endpoint: "GET /user", least: "token", scopes: "profile", status: 200 },
  { endpoint: "PUT /user/avatar", least: "token", scopes: "writing", status: 200 },
  { endpoint: "GET /user/emails", least: "token", scopes: "profile", status: 200 },
  { endpoint: "POST /user/emails", least: "token", scopes: "writing", status: 201 },
  { endpoint: "GET /user/emails/:email_id", least: "token", scopes: "profile", status: 200 },
  { endpoint: "DELETE /user/emails/:email_id", least: "token", scopes: "writing", status: 204 },
  { endpoint: "GET /users/:id/emails", least: "administrator", scopes: "reading", status: 200 },
  { endpoint: "POST /users/:id/emails", least: "administrator", scopes: "writing", status: 201 },
  { endpoint: "DELETE /users/:id/emails/:email_id", least: "administrator", scopes: "writing", status: 204 },
  { endpoint: "GET /users", least: "token", scopes: "profile", status: 200 },
  { endpoint: "POST /users", least: "administrator", scopes: "writing", status: 201 },
  { endpoint: "GET /users/:id", least: "token", scopes: "profile", status: 200 },
  { endpoint: "PUT /users/:id", least: "administrator", scopes: "writing", status: 200 },
  { endpoint: "DELETE /users/:id", least: "administrator", scopes: "writing", status: 204 },
  { endpoint: "POST /users/:id/block", least: "administrator", scopes: "writing", status: 201 },
  { endpoint: "POST /users/:id/deactivate", least: "administrator", scopes: "writing", status: 201 },
  { endpoint: "POST /users/:id/activate", least: "administrator", scopes: "writing", status: 201 },
  { endpoint: "POST /users/:id/approve", least: "administrator", scopes: "writing", status: 201 },
  { endpoint: "POST /users/:id/reject", least: "administrator", scopes: "writing", status: 200 },
  { endpoint: "POST /users/:id/unblock", least: "administrator", scopes: "writing", status: 201 },
];
