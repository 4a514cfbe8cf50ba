import { enrollsFirst, sessionOf } from "@/identity/sessions/service";
import { signInPath } from "@/identity/sessions/sign-in-path";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { plainText } from "@/kernel/http/plain-text";
import { urlWithQuery } from "@/kernel/http/query";
import { EVENT_FILES, type EventFormat, isEventFormat } from "./event-file";
import { type EventFilter, eventsInBatches, filterFrom } from "./history";
import { readSearch } from "./schema";

export const EVENTS_PAGE = "/admin/audit_events";

/** The number of events in a batch. The batch size limits the memory of an export. */
const EVENTS_PER_BATCH = 500;

/**
 * `GET /admin/audit_events/export` returns the audit events that match a filter, as a file for
 * administrators.
 */
export async function exportEvents(request: Request): Promise<Response> {
  const deps = systemDeps();
  const session = await sessionOf(deps, request.headers.get("cookie"));
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const { format = "csv", ...filters } = query;
  const search = readSearch(filters);
  if (session === null) {
    const path = signInPath({ returnTo: urlWithQuery(EVENTS_PAGE, search) });
    return new Response(null, { status: 303, headers: { location: deps.config.issuer + path, ...NO_STORE } });
  }
  if (!session.user.admin) return plainText(404, "Page not found.");
  if (await enrollsFirst(deps, session))
    return plainText(403, "Set up a second factor first, under Two-factor.");
  const filtered = await filterFrom(deps, search);
  if ("problems" in filtered) return plainText(400, Object.values(filtered.problems).join("\n"));
  return isEventFormat(format)
    ? file(deps, filtered.filter, format)
    : plainText(400, `The format must be one of ${Object.keys(EVENT_FILES).join(", ")}.`);
}

const NO_STORE = { "cache-control": "no-store" } as const;

function file(deps: Deps, filter: EventFilter, format: EventFormat): Response {
  const day = deps.clock().toISOString().slice(0, 10);
  return new Response(bytesOf(deps, filter, format), {
    headers: {
      "content-type": EVENT_FILES[format].type,
      "content-disposition": `attachment; filename="audit-events-${day}.${format}"`,
      ...NO_STORE,
    },
  });
}

/**
 * Returns the exported events as a stream of bytes. The next batch is read from the database only after the
 * client has read the previous batch. The export ends when the client stops reading.
 */
function bytesOf(deps: Deps, filter: EventFilter, format: EventFormat): ReadableStream<Uint8Array> {
  const { head, line } = EVENT_FILES[format];
  const batches = eventsInBatches(deps, filter, EVENTS_PER_BATCH);
  const encoder = new TextEncoder();
  let begun = false;
  return new ReadableStream(
    {
      pull: async (controller) => {
        if (!begun) {
          begun = true;
          // The stream calls `pull` again only after a chunk that is not empty, so an empty file header is
          // not enqueued.
          if (head !== "") return controller.enqueue(encoder.encode(head));
        }
        const { done, value } = await batches.next();
        if (done) return controller.close();
        controller.enqueue(encoder.encode(value.map(line).join("")));
      },
      cancel: async () => {
        await batches.return();
      },
    },
    { highWaterMark: 0 },
  );
}
