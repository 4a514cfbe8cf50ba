import { beforeEach } from "vitest";
import { ingestCounts, listErrors } from "@/error-tracking/tracked-errors/service.ts";
import { apiUser } from "@/testing/api.ts";
import { collectingProject, envelopeOf, serveCollector } from "@/testing/collector.ts";
import { openTestDeps } from "@/testing/deps.ts";

export type RequestParts = Readonly<{
  path?: string;
  query?: string;
  headers?: Record<string, string>;
  body?: BodyInit;
}>;

/**
 * Starts a server with the routes of the error collector, and creates a new project before each test.
 * @returns functions that send requests to the collector and read the stored tracked errors.
 */
export async function openCollector() {
  const deps = await openTestDeps();
  const ID = "0123456789abcdef0123456789abcdef";
  let shop: Awaited<ReturnType<typeof collectingProject>>;
  let projects = 0;

  const ann = await apiUser(deps, "ann");
  const origin = await serveCollector();
  beforeEach(async () => {
    shop = await collectingProject(deps, ann.user, `shop${++projects}`);
  });

  const event = (message: string) => envelopeOf([["event", { event_id: ID, message }]]);

  async function post({ path, query, headers = {}, body = Buffer.from(event("a")) }: RequestParts = {}) {
    const url = `${origin}${path ?? `/api/${shop.project.id}/envelope/`}${query ?? `?sentry_version=7&sentry_key=${shop.key}`}`;
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual" });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: JSON.parse(text) as Record<string, unknown>,
    };
  }

  const messages = async (project = shop.project): Promise<readonly string[]> => {
    const any = {
      status: null,
      environment: null,
      query: null,
      sort: "first_seen",
      page: 1,
      perPage: 100,
    } as const;
    const { errors } = await listErrors(deps, project, any);
    return errors.map(({ message }) => message);
  };
  const counts = async () =>
    (await ingestCounts(deps, shop.project, "24h")).map(
      ({ outcome, category, count }) => `${outcome} ${category} ${count}`,
    );
  return { deps, ID, ann, post, event, messages, counts, origin, currentProject: () => shop };
}
